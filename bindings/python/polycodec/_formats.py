# SPDX-License-Identifier: MIT
"""The formats of a registry as a table."""

from __future__ import annotations

from typing import Any

from polycodec import _core
from polycodec._show import _table

_COLUMNS = ("codec", "extensions", "reads", "writes", "format")


class Formats(list[dict[str, Any]]):
    """One dict a codec: its name, extensions, whether it reads and writes, and the format. It prints as a table."""

    def __init__(self, registry: _core.Registry) -> None:
        super().__init__(
            {
                "codec": entry["name"],
                "extensions": list(entry.get("extensions", ())),
                "reads": bool(entry.get("decode")),
                "writes": bool(entry.get("encode")),
                "format": entry.get("summary", ""),
            }
            for entry in registry.describe(0)
        )

    def _rows(self) -> list[list[str]]:
        words = {True: "yes", False: "no"}
        return [
            [one["codec"], " ".join(one["extensions"]), words[one["reads"]], words[one["writes"]], one["format"]]
            for one in self
        ]

    def __repr__(self) -> str:
        rows = [list(_COLUMNS), *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    def _repr_html_(self) -> str:
        return _table(list(_COLUMNS), self._rows(), 0, "formats", index=False)
