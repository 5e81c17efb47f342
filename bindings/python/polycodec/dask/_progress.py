# SPDX-License-Identifier: MIT
"""Progress of a conversion: a line in the terminal, and events that the dashboard of the scheduler has."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

_PAUSE = 0.5
TOPIC = "polycodec-convert"


class Progress:
    """Counts records as they come."""

    def __init__(self, client: Any, files: int, shown: bool | None) -> None:
        self._client = client
        self._files = files
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._counts: Counter[str] = Counter()
        self._bytes = 0
        self._start = self._last = time.monotonic()

    def add(self, records: Iterable[dict[str, Any]]) -> None:
        """Counts records, and shows the state if it was not shown for half a second."""
        for record in records:
            self._counts[record["status"]] += 1
            self._bytes += record["source_bytes"]
        if time.monotonic() - self._last >= _PAUSE:
            self.show()

    def show(self, end: str = "") -> None:
        """Shows the state: in the terminal, and as an event of the topic ``polycodec-convert``."""
        self._last = time.monotonic()
        done = sum(self._counts.values())
        with contextlib.suppress(OSError, RuntimeError):  # a scheduler that is gone shows in the next result
            self._client.log_event(TOPIC, {"files": self._files, "done": done, "bytes": self._bytes, **self._counts})
        if self._shown:
            rate = self._bytes / max(self._last - self._start, 1e-9) / 1e6
            failed = self._counts["failed"] + self._counts["ignored"]
            line = f"\r{done:,}/{self._files:,} files, {failed:,} without an output, {rate:,.1f} MB/s"
            print(line, end=end, file=sys.stderr, flush=True)
