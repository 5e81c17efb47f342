# SPDX-License-Identifier: MIT
"""What a conversion of many files does with each of them."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from polycodec.dask._files import File
from polycodec.dask._registries import registry_of, versioned

_COMPACT: Any = {"ensure_ascii": False, "separators": (",", ":")}


@dataclass(frozen=True)
class Job:
    """The arguments of a conversion that workers need. The fields are those of convert()."""

    to: str
    out: str
    extension: str
    columns: tuple[str, ...] | None = None
    rows: tuple[int, int | None] | None = None
    select: str | None = None
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
        return {"columns": self.columns, "rows": rows, "select": self.select, "allowlist": self.allowlist, **self._call()}

    def encoding(self) -> dict[str, Any]:
        """Returns the arguments for writing a file. A projection consents to write a part of a value."""
        part = {"columns": "$"} if self.columns is not None or self.rows is not None else {}
        return {"options": self.options, "filters": self.filters, **part, **self._call()}

    def _call(self) -> dict[str, Any]:
        return {"limits": self.limits, "timeout": self.timeout, "threads": self.threads}

    def recorded(self) -> dict[str, Any]:
        """Returns the arguments that decide about the bytes of an output. A change of one redoes the file.

        They have the names, the form and the order of those of ``polycodec convert``.
        """
        columns = [path[2:] if path.startswith("$.") else path for path in self.columns or ()]
        first, end = self.rows or (0, None)
        deciding = {
            "from": self.from_codec,
            "from_options": _text(self.from_options),
            "from_filters": _text(self.from_filters),
            "to_options": _text(self.options),
            "to_filters": _text(self.filters),
            "columns": ",".join(columns),
            "rows": f"{first}:{'' if end is None else end}" if self.rows else "",
            "select": self.select,
            "lossy": self.lossy,
            "defaults": self._defaults(),
        }
        return {key: value for key, value in deciding.items() if value}

    def head(self, version: int, sources: Iterable[str]) -> dict[str, Any]:
        """Returns the head of a report. Its digest is that of ``polycodec convert`` for the same files and options."""
        names, options = list(sources), self.recorded()
        digest = hashlib.sha256()
        for text in (versioned(registry_of(self.registry), self.to), json.dumps(options, **_COMPACT), *names):
            digest.update(text.encode() + b"\0")
        return {
            "report": version,
            "job": digest.hexdigest(),
            "shard": {"number": 1, "count": 1},
            "sources": len(names),
            "options": options,
        }

    def _defaults(self) -> dict[str, str]:
        config = (self.registry or {}).get("config") or {}
        read = json.loads(config) if isinstance(config, str) else config
        options = read.get("defaults", {}).get("options", {})
        return {name: _text(options[name]) for name in sorted(options)}


def _text(given: Any) -> str:
    if isinstance(given, str):
        return given
    return json.dumps(given, **_COMPACT) if given else ""
