# SPDX-License-Identifier: MIT
"""Runs one program under bounds and judges how it ended."""

from __future__ import annotations

import os
import re
import resource
import select
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DOCUMENTED_STATUSES = frozenset((0, 1, 2, 3))
SANITIZER_STATUS = 86

# Bytes that a terminal obeys. Text for people has newlines and tabs only.
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")
# Text notation is JSON, which may hold DEL and letters of all kinds as they are.
CONTROL_IN_DATA = re.compile(rb"[\x00-\x08\x0b-\x1f]")
SANITIZER = re.compile(rb"ERROR: (?:Address|Leak)Sanitizer|runtime error: |MemorySanitizer")
BROKEN = re.compile(rb'"code": ?"(?:internal|plugin)"')


@dataclass(frozen=True)
class Bounds:
    """What a process may take. CPU time counts, because wall time is the machine's matter."""

    cpu_seconds: float = 4.0
    cpu_per_byte: float = 20e-6  # the budget of a call grows with its input (docs/configuration.md)
    resident_bytes: int = 350 << 20
    resident_per_byte: float = 1024.0
    output_bytes: int = 256 << 20
    wall_seconds: float = 240.0  # a process that waits for ever takes no CPU time
    address_bytes: int = resource.RLIM_INFINITY  # keeps a finding from taking the machine

    @staticmethod
    def of_build(is_sanitized: bool) -> Bounds:
        if not is_sanitized:
            return Bounds()
        # Shadow memory and quarantine come on top, and checks take time.
        return Bounds(cpu_seconds=32.0, cpu_per_byte=160e-6, resident_bytes=1600 << 20, wall_seconds=600.0)


@dataclass
class Finished:
    """How a process ended."""

    words: list[str]
    status: int  # negative: the number of the signal
    out: bytes
    err: bytes
    cpu_seconds: float
    resident_bytes: int
    is_late: bool
    checks: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.status == 0


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of all programs here: nothing of the caller's has a say."""
    result = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": "/nonexistent",
        "ASAN_OPTIONS": f"exitcode={SANITIZER_STATUS}:detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": f"halt_on_error=1:exitcode={SANITIZER_STATUS}",
    }
    result.update(extra or {})
    return result


def start(
    words: Sequence[str], directory: Path, streams: tuple[str, Path, Path], env: Mapping[str, str] | None = None
) -> int:
    """Starts a program with its streams at files; returns the process's number."""
    stdin, out, err = streams
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(out), write, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, str(err), write, 0o600),
    ]
    # posix_spawn has no way to change the directory; env(1) has. What fails in the program shall not fail in env(1).
    extra = [f"{name}={value}" for name, value in (env or {}).items()]
    command = ["/usr/bin/env", "-C", str(directory), *extra, *words]
    return os.posix_spawn(command[0], command, environment(), file_actions=actions)


def wait(pid: int, wall_seconds: float) -> tuple[int, float, int, bool]:
    """Waits for a process: its status, CPU seconds, resident bytes, and whether it was too late."""
    is_late = False
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if not poll.poll(wall_seconds * 1000):
            is_late = True
            os.kill(pid, signal.SIGKILL)
    finally:
        os.close(handle)
    _, status, usage = os.wait4(pid, 0)
    cpu = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), cpu, usage.ru_maxrss * 1024, is_late


def run(
    words: Sequence[str],
    directory: Path,
    bounds: Bounds,
    *,
    stdin: str = "/dev/null",
    env: Mapping[str, str] | None = None,
    cpu_limit: int | None = None,
) -> Finished:
    """Runs a program in a directory. Its streams go to files beside that directory.

    The kernel ends it at `cpu_limit` seconds of CPU time; None: well beyond the bound."""
    out, err = directory.with_suffix(".out"), directory.with_suffix(".err")
    pid = start(words, directory, (stdin, out, err), env)
    seconds = int(bounds.cpu_seconds * 8) + 8 if cpu_limit is None else cpu_limit
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (bounds.output_bytes, bounds.output_bytes))
        if bounds.address_bytes != resource.RLIM_INFINITY:
            resource.prlimit(pid, resource.RLIMIT_AS, (bounds.address_bytes, bounds.address_bytes))
    except (ProcessLookupError, PermissionError):  # it is done already, or another user
        pass
    status, cpu, resident, is_late = wait(pid, bounds.wall_seconds)
    result = Finished(list(words), status, begin_of(out), begin_of(err), cpu, resident, is_late)
    out.unlink()
    err.unlink()
    return result


def begin_of(path: Path) -> bytes:
    """What a program wrote, without what is beyond 16 MiB: the kernel counts the memory that its parent once had, too."""
    with path.open("rb") as file:
        return file.read(16 << 20)


def judge(done: Finished, bounds: Bounds, input_bytes: int, *, out_is_data: bool = False) -> list[str]:
    """Says what is wrong with the end of a process; nothing: all is well."""
    wrong: list[str] = []
    if done.is_late:
        wrong.append(f"hang: no end after {bounds.wall_seconds:.0f} s")
    elif done.status < 0:
        wrong.append(f"signal: {signal.Signals(-done.status).name}")
    elif done.status not in DOCUMENTED_STATUSES:
        wrong.append(f"status: {done.status} is not documented")
    elif done.status != 0 and not done.err and not done.out:
        wrong.append(f"silence: status {done.status} without a word")
    if SANITIZER.search(done.err):
        wrong.append("sanitizer: " + first_line(done.err[SANITIZER.search(done.err).start() :]))  # type: ignore[union-attr]
    elif CONTROL.search(done.err):
        wrong.append("terminal: a control character on standard error")
    elif not is_utf8(done.err):
        wrong.append("terminal: standard error is not UTF-8")
    if not out_is_data and CONTROL_IN_DATA.search(done.out):
        wrong.append("terminal: a control character on standard output")
    if BROKEN.search(done.out) and done.status != 0:
        wrong.append("contract: " + " ".join(done.out.decode(errors="replace").split())[:300])
    seconds = bounds.cpu_seconds + bounds.cpu_per_byte * input_bytes
    if done.cpu_seconds > seconds:
        wrong.append(f"time: {done.cpu_seconds:.1f} s of CPU time, more than {seconds:.1f}")
    resident = bounds.resident_bytes + int(bounds.resident_per_byte * input_bytes)
    if done.resident_bytes > resident:
        wrong.append(f"memory: {done.resident_bytes >> 20} MiB, more than {resident >> 20}")
    return wrong


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def first_line(data: bytes) -> str:
    return data.split(b"\n", 1)[0].decode(errors="replace")
