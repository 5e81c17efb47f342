# SPDX-License-Identifier: MIT
"""The report of a conversion on disk: JSON lines, as those of ``polycodec convert --report``."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

from polycodec._errors import DeniedError, FileError, FormatError, InvalidError
from polycodec.dask._files import File
from polycodec.dask._job import Job
from polycodec.dask._report import STATUSES

Record = dict[str, Any]

_VERSION = 1


class Journal:
    """A report in the making, so that an interrupted run can be repeated.

    Until finish() the records are in a file beside the report, with ``.journal`` after its name. ``known`` has the records
    of earlier runs by source. Raises FileError if another process writes the report.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.beside = f"{path}.journal"
        self._file = _open_own(self.beside, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.known = {record["source"]: record for record in (*_records(path), *_whole_records(self.beside))}
        except BlockingIOError as error:
            os.close(self._file)
            raise FileError(
                f"report '{path}' is being written by another run: wait for it or name another", "io"
            ) from error
        except BaseException:
            self._close()
            raise

    def add(self, records: Iterable[Record]) -> None:
        """Appends records. They are with the operating system when the call returns."""
        # The end of line before each takes a torn line of an earlier run away from it.
        data = "".join(f"\n{_text(record)}" for record in records).encode()
        while data:
            data = data[os.write(self._file, data) :]

    def finish(self, records: Iterable[Record], job: Job) -> None:
        """Writes the report: a head, one line a file in the order of the sources, and a summary. The journal goes."""
        ordered = sorted(records, key=lambda record: str(record["source"]).encode())
        part = f"{self.path}.{secrets.token_hex(8)}.part"
        with os.fdopen(_open_own(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            for line in (job.head(_VERSION, [record["source"] for record in ordered]), *ordered, _summary(ordered)):
                file.write(_text(line).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.path)
        os.unlink(self.beside)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        state = os.fstat(self._file)
        if state.st_nlink and not state.st_size:
            os.unlink(self.beside)
        os.close(self._file)


def keep_report_apart(path: str, found: list[File], outputs: list[str]) -> list[File]:
    """Leaves out the report at ``path`` and its journal, as an earlier run left them in a directory of sources.

    Raises InvalidError if one of them has the place of another file, or of one of the outputs to be.
    """
    for own, start in ((path, b'{"report":'), (f"{path}.journal", b'{"source":')):
        place = os.path.realpath(own)
        for output in outputs:
            if os.path.basename(output) == os.path.basename(place) and os.path.realpath(output) == place:
                raise InvalidError(f"the report '{own}' would be written over '{output}': name another", "option")
        if not os.path.exists(own):
            continue
        same = {file for file in found if os.path.exists(file.location) and os.path.samefile(file.location, own)}
        for file in same:
            if not (file.is_found and _begins_with(own, start)):
                raise InvalidError(
                    f"the report '{own}' would be written over '{file.location}': name another file", "option"
                )
        found = [file for file in found if file not in same]
    return found


def _begins_with(path: str, start: bytes) -> bool:
    """Returns whether the first line that is not empty begins so. A file without one does."""
    with open(path, "rb") as file:
        first = next((line for line in file if line != b"\n"), start)
    return first.startswith(start)


def _open_own(path: str, flags: int) -> int:
    """Opens a file beside the report, where others may have put a link to a file of this user."""
    refusal = DeniedError(
        f"'{path}' is a link or no regular file, and a report is not written there: remove it, or name another report",
        "denied",
    )
    try:
        file = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise refusal from error
        raise
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(file)
        raise refusal
    return file


def _records(path: str) -> Iterator[Record]:
    """Yields the records of a report, if there is one."""
    try:
        lines = _lines(path)
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, 1):
        record = _record(line)
        if record is not None:
            yield record
        elif line and not _is_head_or_end(line):
            raise FormatError(f"line {number} of report '{path}' has no record: remove the file to begin anew", "malformed")


def _whole_records(path: str) -> Iterator[Record]:
    """Yields the records of a journal. A run that was killed may have left the beginning of a line."""
    return (record for record in map(_record, _lines(path)) if record is not None)


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        return file.read().split("\n")


def _record(line: str) -> Record | None:
    try:
        record = json.loads(line)
        _ = record["source"], record["options"], record["codecs"]["from"]
        is_known = record["status"] in STATUSES
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return dict(record) if is_known else None


def _is_head_or_end(line: str) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and ("summary" in record or record.get("report") == _VERSION)


def _text(line: Record) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _summary(records: list[Record]) -> Record:
    counts = Counter(record["status"] for record in records)
    return {
        "summary": {
            **{status: counts[status] for status in ("converted", "failed", "ignored", "skipped")},
            "files": len(records),
            "source_bytes": sum(record["source_bytes"] for record in records),
            "output_bytes": sum(record["output_bytes"] or 0 for record in records),
        }
    }
