# SPDX-License-Identifier: MIT
"""Arm `writers`: many processes change one store at the same time, and some of them are killed."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from bounds import run, start, wait
from scenarios import STORES
from session import Case, Session

WRITERS = 64


class Writers:
    """All values of writers that ended well are in the store; the store is readable at all times."""

    name = "writers"
    weight = 1.0
    batch = 2

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self, case: Case) -> None:
        store = STORES[case.number % len(STORES)]
        kills = case.number // len(STORES) % 2 == 1  # every second round
        for number in range(WRITERS):
            case.write(f"v{number}.json", json.dumps({"n": number, "xs": [number] * 3}).encode())
        statuses = self.write_all(case, store, kills)
        listed = self.values(case, store)
        for number, status in enumerate(statuses):
            is_there = f"v{number}" in listed
            if status == 0 and not is_there:
                case.finding(f"lost: {store} lacks a value whose writer ended with 0")
            elif status not in (0, -signal.SIGKILL):
                case.finding(f"refused: a writer of {store} ended with {status}")
        self.next_writer(case, store)

    def write_all(self, case: Case, store: str, kills: bool) -> list[int]:
        """Starts all writers at once; returns how each ended."""
        streams = case.directory.with_suffix(".streams")
        streams.mkdir()
        pids = []
        for number in range(WRITERS):
            words = [self.session.command, "store", "add", store, f"v{number}", f"v{number}.json", "--to", "awkward"]
            files = ("/dev/null", streams / f"out{number}", streams / f"err{number}")
            pids.append(start(words, case.directory, files))
        victims = set(case.random.sample(pids, 8)) if kills else set()
        # While they write, others read: the store of before or after each change is there.
        for pid in pids:
            if pid in victims:
                os.kill(pid, signal.SIGKILL)
            if case.random.random() < 0.1 and (case.directory / store).exists():
                case.run(["store", "list", store])
        ends = [wait(pid, case.session.bounds.wall_seconds) for pid in pids]
        case.executions += len(ends)
        case.accepted += sum(1 for end in ends if end[0] == 0)
        for number, (status, _, _, is_late) in enumerate(ends):
            if status not in (0, -signal.SIGKILL) or is_late:
                case.write(f"err{number}", (streams / f"err{number}").read_bytes())
        remove(streams)
        return [status for status, _, _, _ in ends]

    def values(self, case: Case, store: str) -> set[str]:
        """The names in the store; each value is the one that was written."""
        done = case.run(["decode", store, "--from", "awkward", "--plain"])
        if not done.ok:
            case.finding(f"unreadable: {store} after many writers", done)
            return set()
        values = json.loads(done.out)
        for name, value in values.items():
            if value != {"n": int(name[1:]), "xs": [int(name[1:])] * 3}:
                case.finding(f"wrong: a value in {store}", done)
        return set(values)

    def next_writer(self, case: Case, store: str) -> None:
        words = ["store", "add", store, "last", "v0.json", "--to", "awkward"]
        done = run([self.session.command, *words], case.directory, case.session.bounds)
        if not done.ok:
            case.finding("stuck: the next writer", done)
        left = [path.name for path in case.directory.rglob("*") if ".tmp" in path.name]
        if left:
            case.finding(f"left over: {left}", done)


def remove(directory: Path) -> None:
    for path in directory.iterdir():
        path.unlink()
    directory.rmdir()
