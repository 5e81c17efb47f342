# SPDX-License-Identifier: MIT
"""Arms `allocation` and `disk`: each allocation fails, each change of a file is the last one or meets a full disk."""

from __future__ import annotations

from pathlib import Path

from scenarios import Scenario, check, make
from session import Case, Session

# A prime: the cases go through all points of failure in an order that reaches all commands soon.
STRIDE = 1_000_003


def shim_of(session: Session) -> Path:
    shim = session.build / "torture" / "failing.so"
    if not shim.exists():
        raise SystemExit(f"torture: {shim} is missing; build the target torture_failing")
    return shim


class Faults:
    """What both arms share: commands, and one number for each point at which they can fail."""

    weight = 2.0
    batch = 32

    def __init__(self, session: Session, name: str) -> None:
        self.name = name
        self.shim = shim_of(session)
        self.scenarios = make(session, session.work / f"scenarios-{name}", self.shim)
        self.points = [
            (scenario, number) for scenario in self.scenarios for number in range(1, self.count(scenario) + 1)
        ]

    def count(self, scenario: Scenario) -> int:
        raise NotImplementedError

    def point(self, number: int) -> tuple[Scenario, int]:
        """The point of a case: after one round through all of them, they come again."""
        total = len(self.points)
        stride = STRIDE if total % STRIDE else 1
        return self.points[number * stride % total]


class Allocation(Faults):
    """An allocation fails, alone or with all later ones: an error, and never the end of the process."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "allocation")

    def count(self, scenario: Scenario) -> int:
        # The HDF5 library itself does not survive a lack of memory.
        return 0 if any(word.endswith(".h5") for word in scenario.words) else scenario.allocations

    def run(self, case: Case) -> None:
        scenario, number = self.point(case.number // 2)
        which = f"{number}{'+' if case.number % 2 else ''}"
        scenario.copy(case)
        done = case.run(scenario.words, env={"LD_PRELOAD": str(self.shim), "TORTURE_ALLOCATION": which})
        what = f"allocation {which}"
        # The dynamic loader does not tell a lack of memory from a broken library.
        is_told = b" rejected (load): " in done.err
        if done.ok and not scenario.target and done.out != scenario.out and not is_told:
            case.finding("wrong: another output without memory", done)
        if done.status >= 0:
            check(case, scenario, what, may_be_old=not done.ok)


class Disk(Faults):
    """SIGKILL at each operation that changes files, or a disk that is full from there on."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "disk")

    def count(self, scenario: Scenario) -> int:
        return scenario.changes if scenario.target else 0

    def run(self, case: Case) -> None:
        scenario, number = self.point(case.number // 2)
        scenario.copy(case)
        is_kill = case.number % 2 == 0
        name = "TORTURE_KILL" if is_kill else "TORTURE_DISK"
        env = {"LD_PRELOAD": str(self.shim), name: str(number)}
        done = case.run(scenario.words, env=env, may_be_killed=is_kill)
        check(case, scenario, f"{name} {number}", may_be_old=not done.ok)
