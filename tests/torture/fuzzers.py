# SPDX-License-Identifier: MIT
"""Arm `fuzz`: the fuzzers of tests/fuzz in turn, if there is a build that has them."""

from __future__ import annotations

import re
from pathlib import Path

from bounds import run
from session import Case, Session

RUNS = 20_000
SECONDS = 60  # a slow machine makes fewer runs


def fuzzers_of(session: Session) -> list[Path]:
    """The fuzzers of this build, or of the one with sanitizers beside it."""
    for build in (session.build, session.build.with_name("asan")):
        found = sorted(path.with_suffix("") for path in (build / "bin").glob("fuzz_*.corpus"))
        if found := [path for path in found if path.exists()]:
            return found
    return []


def environment_of_fuzzers() -> dict[str, str]:
    """Temporary files in memory: a disk would be most of the time."""
    return {"TMPDIR": "/dev/shm"} if Path("/dev/shm").is_dir() else {}


class Fuzz:
    """Each case is some thousand runs of one fuzzer, which keeps what it has found worth keeping."""

    name = "fuzz"
    weight = 4.0
    batch = 4

    def __init__(self, session: Session) -> None:
        self.fuzzers = fuzzers_of(session)

    def run(self, case: Case) -> None:
        session = case.session
        fuzzer = self.fuzzers[case.number % len(self.fuzzers)]
        kept = session.root / "corpus" / fuzzer.name
        kept.mkdir(parents=True, exist_ok=True)
        seeds = [seed for seed in fuzzer.with_suffix(".corpus").read_text().split() if Path(seed).exists()]
        words = [str(fuzzer), f"-seed={case.random.randrange(1, 1 << 31)}", f"-runs={RUNS}", f"-max_total_time={SECONDS}", "-timeout=20",
                 "-rss_limit_mb=2048", "-max_len=65536", "-verbosity=0", "-print_final_stats=1", "-artifact_prefix=./"]  # fmt: skip
        done = run([*words, str(kept), *seeds], case.directory, session.bounds, env=environment_of_fuzzers(), cpu_limit=4 * SECONDS)
        executed = re.search(rb"number_of_executed_units: ([0-9]+)", done.err)
        case.executions += int(executed[1]) if executed else 0
        case.accepted += int(executed[1]) if executed else 0
        if not done.ok:
            reason = re.search(rb"ERROR: [^\n]*|SUMMARY: [^\n]*|runtime error: [^\n]*", done.err)
            case.finding(f"{fuzzer.name}: {reason[0].decode(errors='replace') if reason else done.status}", done)
