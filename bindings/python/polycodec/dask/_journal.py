# SPDX-License-Identifier: MIT
"""The report of a conversion on disk: JSON lines, as those of ``polycodec convert --report``."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable
from types import TracebackType
from typing import IO, Any

from polycodec._errors import FileError, FormatError
from polycodec.dask._job import Job

Record = dict[str, Any]

_VERSION = 1


class Journal:
    """A report that grows while files are converted, so that an interrupted run can be repeated.

    ``known`` has the records of earlier runs by source. Raises FileError if another process writes the report.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: IO[str] = open(path, "a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.known = {record["source"]: record for record in self._read()}
        except BlockingIOError as error:
            self._file.close()
            raise FileError(
                f"report '{path}' is being written by another run: wait for it or name another", "io"
            ) from error
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> Iterable[Record]:
        self._file.seek(0)
        lines = self._file.read().split("\n")
        torn = lines.pop()  # a run that was killed may have left the beginning of a line
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                if "summary" in record or record.get("report") == _VERSION:
                    continue
                _ = record["source"], record["status"], record["options"], record["codecs"]["from"]
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise FormatError(
                    f"line {number} of report '{self.path}' has no record: remove the file to begin anew", "malformed"
                ) from error
            yield record
        if torn:
            self._file.truncate(len("".join(line + "\n" for line in lines).encode()))

    def add(self, records: Iterable[Record]) -> None:
        """Appends records. They are with the operating system when the call returns."""
        self._file.write("".join(map(_text, records)))
        self._file.flush()

    def finish(self, records: Iterable[Record], job: Job) -> None:
        """Replaces the report by a head, one line a file in the order of the sources, and a summary."""
        ordered = sorted(records, key=lambda record: str(record["source"]))
        beside = f"{self.path}.{os.getpid()}.part"
        with open(beside, "w", encoding="utf-8") as file:
            for line in (_head(ordered, job), *ordered, _summary(ordered)):
                file.write(_text(line))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self.path)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()


def _text(line: Record) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _head(records: list[Record], job: Job) -> Record:
    options = job.recorded()
    digest = hashlib.sha256()
    for text in (job.to, json.dumps(options, sort_keys=True), *(record["source"] for record in records)):
        digest.update(text.encode() + b"\0")
    return {
        "report": _VERSION,
        "job": digest.hexdigest(),
        "shard": {"number": 1, "count": 1},
        "sources": len(records),
        "options": options,
    }


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
