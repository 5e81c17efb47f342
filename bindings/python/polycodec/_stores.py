# SPDX-License-Identifier: MIT
"""Codecs of named blobs, whose bytes are an archive."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from polycodec import _core


def writes_store(registry: _core.Registry, codec: str) -> bool:
    """Returns whether a codec, by name or alias, writes named blobs and not bytes."""
    for entry in registry.describe(0):
        if codec == entry["name"] or codec in entry["aliases"]:
            return "store" in entry.get("outputs", ())
    return False


def encode(registry: _core.Registry, value: Any, codec: str, options: Any, filters: Any, call: dict[str, Any]) -> bytes:
    """Returns the bytes of the ZIP archive that the codec writes."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "value.zip"
        registry.save(value, path, codec, options=options, filters=filters, **call)
        return path.read_bytes()
