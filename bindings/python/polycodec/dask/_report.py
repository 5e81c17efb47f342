# SPDX-License-Identifier: MIT
"""What a conversion of many files came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]
STATUSES = ("converted", "skipped", "ignored", "failed")  # skipped: it was done already


@dataclass(frozen=True)
class Report:
    """The records of a run, one a file, and the path of the file that has them.

    A record says source and output, status, sizes, hashes, codecs, options, losses, error, attempts and seconds.
    """

    path: str
    records: list[Record]

    def count(self, status: str) -> int:
        """Returns the number of files with a status: converted, skipped, ignored or failed."""
        return sum(record["status"] == status for record in self.records)

    @property
    def source_bytes(self) -> int:
        """The bytes of all sources."""
        return sum(record["source_bytes"] for record in self.records)

    @property
    def output_bytes(self) -> int:
        """The bytes of all outputs."""
        return sum(record["output_bytes"] or 0 for record in self.records)

    @property
    def losses(self) -> dict[str, int]:
        """The number of losses of each class."""
        return dict(Counter(loss["class"] for record in self.records for loss in record["losses"]))

    @property
    def refusals(self) -> dict[str, list[Record]]:
        """The records of files without an output, by the code of their error."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            if record["error"] is not None:
                found.setdefault(record["error"]["code"], []).append(record)
        return found

    def __str__(self) -> str:
        counts = ", ".join(f"{self.count(x):,} {x}" for x in STATUSES)
        lines = [f"{len(self.records):,} files: {counts}", f"{self.source_bytes:,} bytes -> {self.output_bytes:,} bytes"]
        lines += [f"lost ({name}): {count:,}" for name, count in sorted(self.losses.items())]
        for code, records in sorted(self.refusals.items()):
            first = records[0]
            lines.append(f"{code}: {len(records):,}, such as {first['source']}: {first['error']['message']}")
        return "\n".join([*lines, f"report: {self.path}"])


def raise_error_of(record: Record) -> None:
    """Raises the error of a record, if there is one, as the exception of its code."""
    from polycodec._errors import _CODES, PluginError

    error = record["error"]
    if error is not None:
        kind = dict(_CODES).get(error["code"], PluginError)
        raise kind(f"{record['source']}: {error['message']}", error["code"])


def one_each(records: Iterable[Record]) -> list[Record]:
    """Returns the last record of each source, in the order of the sources."""
    last = {record["source"]: record for record in records}
    return [last[source] for source in sorted(last)]
