# SPDX-License-Identifier: MIT
"""Torture of the command and the libraries: see docs/testing.md. Run it as scripts/torture.sh."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from allowlist import Allowlist
from cost import Cost
from cut import Cut
from depth import Depth
from faults import Allocation, Disk
from fuzzers import Fuzz, fuzzers_of
from loader import Loader
from mutation import Mutation
from session import Case, Session
from writers import Writers


class Arm(Protocol):
    """One kind of attack. Its cases are numbered, and the number decides what a case does."""

    name: str
    weight: float  # its share of the time
    batch: int  # cases between two looks at the clock

    def run(self, case: Case) -> None: ...


ARMS: dict[str, Callable[[Session], Arm]] = {
    "allocation": Allocation, "allowlist": Allowlist, "cost": Cost, "cut": Cut, "depth": Depth, "disk": Disk, "fuzz": Fuzz, "loader": Loader, "mutation": Mutation,
    "writers": Writers,
}  # fmt: skip


def slice_of(session: Session, arm: Arm, pool: ThreadPoolExecutor) -> float:
    """Runs one batch of an arm; returns the seconds that it took."""
    count = session.count(arm.name)
    begin = time.monotonic()

    def one(number: int) -> tuple[int, int]:
        with session.case(arm.name, number) as case:
            arm.run(case)
            return case.executions, case.accepted

    for executions, accepted in pool.map(one, range(count.next, count.next + arm.batch)):
        count.inputs += 1
        count.executions += executions
        count.accepted += accepted
    count.next += arm.batch
    seconds = time.monotonic() - begin
    count.seconds += seconds
    session.save()
    return seconds


def absences(session: Session) -> dict[str, str]:
    """Arms that cannot run here, and why."""
    absent = {}
    if session.is_sanitized:
        for name in ("allocation", "disk"):
            absent[name] = "a sanitizer's allocator can't be replaced"
    if not fuzzers_of(session):
        absent["fuzz"] = "no build has fuzzers (cmake --preset asan)"
    return absent


def show(session: Session, arms: list[Arm]) -> None:
    print(f"\nseed {session.seed}, {session.build}")
    print(f"{'arm':<12}{'inputs':>10}{'executions':>12}{'accepted':>10}{'minutes':>9}{'findings':>10}")
    for name, count in session.counts.items():
        found = sum(1 for key in session.findings if key.startswith(name + ":"))
        print(
            f"{name:<12}{count.inputs:>10}{count.executions:>12}{count.accepted:>10}{count.seconds / 60:>9.1f}{found:>10}"
        )
    for arm in arms:
        for line in arm.summary() if isinstance(arm, Cost) else []:
            print(line)
    for key, finding in session.findings.items():
        print(f"{finding['place']}/command.sh ({finding['times']} times): {key[:200]}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/torture.sh", description="Attacks a build until the time is over.")
    parser.add_argument("minutes", type=float, help="how long this slice takes")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="the build (default: build/release)")
    parser.add_argument("--seed", type=int, help="begin anew with this seed, in build/torture/seed-N")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time (default: 2)")
    parser.add_argument("--arm", action="append", choices=sorted(ARMS), help="only this arm (repeatable)")
    parser.add_argument("--cases", type=int, default=1 << 62, help="end after so many cases of each arm (default: none)")
    parser.add_argument("--case", type=int, help="only this case of the arm, and keep its directory")
    options = parser.parse_args()

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = Path("build/torture").resolve()
    if options.seed is not None:
        root = root / f"seed-{options.seed}"
    is_fresh = options.seed is not None and options.case is None
    session = Session(options.build.resolve(), root, options.seed or 1, is_fresh)
    absent = absences(session)
    names = options.arm or [name for name in sorted(ARMS) if name not in absent]
    for name, reason in absent.items():
        print(f"without the arm {name}: {reason}")
    arms: list[Arm] = [ARMS[name](session) for name in names]
    if options.case is not None:
        case = session.case(arms[0].name, options.case)
        arms[0].run(case)
        print(f"case {options.case}: {case.executions} executions, {case.findings} findings, {case.directory}")
        return 1 if case.findings else 0

    end = time.monotonic() + options.minutes * 60
    spent = {arm.name: 0.0 for arm in arms}
    with ThreadPoolExecutor(options.jobs) as pool:
        while time.monotonic() < end:
            left = [arm for arm in arms if session.count(arm.name).next < options.cases]
            if not left:
                break
            arm = min(left, key=lambda each: spent[each.name] / each.weight)
            spent[arm.name] += slice_of(session, arm, pool)
    show(session, arms)
    return 1 if session.findings else 0


if __name__ == "__main__":
    sys.exit(main())
