# SPDX-License-Identifier: MIT
"""What a conversion of many files does with each of them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Any

from polycodec.dask._files import File


@dataclass(frozen=True)
class Job:
    """The arguments of a conversion that workers need. The fields are those of convert()."""

    to: str
    out: str
    extension: str
    columns: tuple[str, ...] | None = None
    rows: tuple[int, int | None] | None = None
    options: Any = None
    filters: Any = None
    from_codec: str | None = None
    from_options: Any = None
    from_filters: Any = None
    lossy: bool = False
    limits: dict[str, int] | None = None
    allowlist: Any = None
    timeout: float | None = None
    threads: int = 1
    retries: int = 2
    registry: dict[str, Any] | None = None
    sync: bool = False
    skip: bool = False

    def output_of(self, file: File) -> str:
        """Returns the path of the output below ``out``: that of the source with the extension of the codec."""
        return posixpath.splitext(file.source)[0] + self.extension

    def decoding(self) -> dict[str, Any]:
        """Returns the arguments for opening a file."""
        rows = slice(*self.rows) if self.rows else None
        return {"columns": self.columns, "rows": rows, "allowlist": self.allowlist, **self._call()}

    def encoding(self) -> dict[str, Any]:
        """Returns the arguments for writing a file. A projection consents to write a part of a value."""
        part = {"columns": "$"} if self.columns is not None or self.rows is not None else {}
        return {"options": self.options, "filters": self.filters, **part, **self._call()}

    def _call(self) -> dict[str, Any]:
        return {"limits": self.limits, "timeout": self.timeout, "threads": self.threads}

    def recorded(self) -> dict[str, Any]:
        """Returns the arguments that decide about the bytes of an output. A change of one redoes the file."""
        deciding = {
            "from": self.from_codec,
            "from_options": self.from_options,
            "from_filters": self.from_filters,
            "options": self.options,
            "filters": self.filters,
            "columns": list(self.columns) if self.columns else None,
            "rows": list(self.rows) if self.rows else None,
            "lossy": self.lossy,
        }
        return {key: value for key, value in deciding.items() if value}
