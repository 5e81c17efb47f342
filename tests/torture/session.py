# SPDX-License-Identifier: MIT
"""What a slice of torture keeps: counters, findings, and the directory of each case."""

from __future__ import annotations

import fcntl
import json
import random
import re
import shlex
import shutil
import signal
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from bounds import Bounds, Finished, judge, run


@dataclass
class Count:
    """What one arm has done in all slices."""

    next: int = 0  # the number of the next case
    inputs: int = 0
    executions: int = 0
    accepted: int = 0  # executions with status 0: torture that is refused at the door proves little
    seconds: float = 0.0


class Session:
    """One run: the program under torture, its bounds, the state that the next run takes up."""

    def __init__(self, build: Path, root: Path, seed: int, is_fresh: bool) -> None:
        self.build, self.root, self.seed = build, root, seed
        self.source = Path(__file__).resolve().parents[2]
        self.command = str(build / "bin" / "polycodec")
        self.is_sanitized = re.search(r"POLYCODEC_SANITIZE:\w+=\w", (build / "CMakeCache.txt").read_text()) is not None
        self.bounds = Bounds.of_build(self.is_sanitized)
        root.parent.mkdir(parents=True, exist_ok=True)
        self.alone = root.with_suffix(".lock").open("w")
        try:
            fcntl.flock(self.alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"torture: another run uses {root}") from None
        if is_fresh:
            shutil.rmtree(root, ignore_errors=True)
        self.cache = root if root.name == "torture" else root.parent
        self.findings_directory, self.work = root / "findings", root / "work"
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.findings_directory.mkdir(exist_ok=True)
        self.counts: dict[str, Count] = {}
        self.findings: dict[str, dict[str, object]] = {}
        self.lock = threading.Lock()
        self.begun = self.stamp()
        self.load()

    def stamp(self) -> list[int]:
        """When the programs and plugins were built."""
        places = [*(self.build / "bin").glob("polycodec*"), *(self.build / "lib").glob("**/*.so*")]
        return [path.stat().st_mtime_ns for path in sorted(places)]

    @property
    def state_file(self) -> Path:
        return self.root / "state.json"

    def load(self) -> None:
        if not self.state_file.exists():
            return
        state = json.loads(self.state_file.read_text())
        self.seed = state["seed"]
        self.counts = {name: Count(**count) for name, count in state["arms"].items()}
        # A finding is done with when somebody has removed its directory.
        self.findings = {key: each for key, each in state["findings"].items() if Path(str(each["place"])).exists()}

    def save(self) -> None:
        state = {
            "seed": self.seed,
            "arms": {name: asdict(count) for name, count in self.counts.items()},
            "findings": self.findings,
        }
        beside = self.state_file.with_suffix(".new")
        beside.write_text(json.dumps(state, indent=1) + "\n")
        beside.replace(self.state_file)

    def count(self, arm: str) -> Count:
        return self.counts.setdefault(arm, Count())

    def case(self, arm: str, number: int) -> Case:
        return Case(self, arm, number)


class Case:
    """One case of an arm: its random numbers, its directory, and what was found."""

    def __init__(self, session: Session, arm: str, number: int) -> None:
        self.session, self.arm, self.number = session, arm, number
        self.random = random.Random(f"{session.seed}:{arm}:{number}")
        self.directory = session.work / f"{arm}-{number}"
        self.directory.mkdir()
        self.executions = self.accepted = 0
        self.findings = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Directories that a case has closed to itself can still be removed.
        for path in self.directory.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(self.directory, ignore_errors=True)

    def write(self, name: str, data: bytes) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def names(self) -> set[str]:
        """The entries of the case's directory."""
        return {path.name for path in self.directory.iterdir()}

    def run(
        self,
        words: Sequence[str],
        *,
        input_bytes: int = 0,
        stdin: str = "/dev/null",
        env: dict[str, str] | None = None,
        out_is_data: bool = False,
        may_be_killed: bool = False,
        stack_kib: int = 0,
        user: int | None = None,
        command: Path | None = None,
    ) -> Finished:
        """Runs the command, or that copy of it, with these words; what its end shows to be wrong is a finding."""
        bounds = self.session.bounds
        words = [str(command) if command else self.session.command, *words]
        if stack_kib:
            words = ["/usr/bin/prlimit", f"--stack={stack_kib << 10}", *words]
        if user is not None:
            words = ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *words]
        done = run(words, self.directory, bounds, stdin=stdin, env=env)
        is_killed = may_be_killed and done.status == -signal.SIGKILL
        wrong = [] if is_killed else judge(done, bounds, input_bytes, out_is_data=out_is_data)
        return self.take(done, wrong, stdin=stdin, env=env)

    def take(
        self, done: Finished, wrong: Sequence[str], *, stdin: str = "/dev/null", env: dict[str, str] | None = None
    ) -> Finished:
        """Counts an execution, and keeps what is wrong with it as findings."""
        self.executions += 1
        self.accepted += done.ok
        for what in wrong:
            self.finding(what, done, stdin=stdin, env=env)
        return done

    def finding(
        self, what: str, done: Finished | None = None, *, stdin: str = "/dev/null", env: dict[str, str] | None = None
    ) -> None:
        """Keeps a finding, its files and the command line that shows it. One of a kind is enough."""
        if self.session.stamp() != self.session.begun:
            raise SystemExit("torture: the build has changed meanwhile; begin again")
        self.findings += 1
        session = self.session
        words = done.words if done else []
        shape = " ".join([word for word in words if not word.startswith(("-", "{", "/"))][:2])
        said = done.err.decode(errors="replace") if done and not what.startswith(("time", "memory")) else ""
        key = re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"", "#", f"{self.arm}: {what} | {shape} | {said[:120]}")
        with session.lock:
            known = session.findings.get(key)
            if known is not None:
                known["times"] = int(str(known["times"])) + 1
                return
            place = session.findings_directory / f"{self.arm}-{self.number}-{len(session.findings)}"
            session.findings[key] = {"what": what, "case": self.number, "place": str(place), "times": 1}
        shutil.copytree(self.directory, place, symlinks=True, ignore_dangling_symlinks=True)
        line = shlex.join([f"{name}={value}" for name, value in (env or {}).items()] + words)
        if stdin != "/dev/null":
            line += " < " + shlex.quote(stdin)
        text = (
            f"# {what}\n# case {self.number} of {self.arm}, seed {session.seed}\ncd {shlex.quote(str(place))}\n{line}\n"
        )
        (place / "command.sh").write_text(text)
        if done:
            (place / "stdout").write_bytes(done.out[: 1 << 20])
            (place / "stderr").write_bytes(done.err[: 1 << 20])
        print(f"finding: {self.arm}, case {self.number}: {what}\n  {place}/command.sh", flush=True)
