# SPDX-License-Identifier: MIT
"""The report of a conversion on disk: JSON lines, as those of ``polycodec convert --report``."""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

from polycodec._errors import FileError, FormatError
from polycodec.dask._job import Job

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
        self._file = os.open(self.beside, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
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
        part = f"{self.path}.{os.getpid()}.part"
        with open(part, "wb") as file:
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
        _ = record["source"], record["status"], record["options"], record["codecs"]["from"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return dict(record)


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
