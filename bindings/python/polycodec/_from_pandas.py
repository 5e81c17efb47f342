# SPDX-License-Identifier: MIT
"""Tables and columns of pandas for the encoder."""

from __future__ import annotations

from typing import Any


def adapt(thing: Any) -> tuple[str, Any]:
    """Returns the Arrow table of a frame, and the Arrow array of a column. It needs pyarrow."""
    import pyarrow

    from polycodec import _core

    if hasattr(thing, "columns"):
        table = pyarrow.Table.from_pandas(thing, preserve_index=False)
        return "arrow_stream", table.replace_schema_metadata(None).__arrow_c_stream__()
    column = pyarrow.Array.from_pandas(thing)
    if isinstance(column, pyarrow.ChunkedArray):
        return "arrow_stream", column.__arrow_c_stream__()
    return "value", _core.from_arrow_array(*column.__arrow_c_array__())
