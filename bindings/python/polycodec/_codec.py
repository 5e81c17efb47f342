# SPDX-License-Identifier: MIT
"""Codecs in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from polycodec._registry import default_registry, set_default_registry


class Codec:
    """A codec whose functions are in Python.

    ``decode`` takes bytes and returns an object, ``encode`` takes an object and returns bytes. Both take the options as
    keyword arguments. ``sniff`` takes the first bytes and returns a score of 0 to 100.
    """

    def __init__(
        self,
        name: str,
        *,
        decode: Callable[..., Any] | None = None,
        encode: Callable[..., Any] | None = None,
        sniff: Callable[[bytes], int] | None = None,
        extensions: Iterable[str] = (),
        magic: Iterable[bytes] | bytes = (),
        media_types: Iterable[str] = (),
        options: dict[str, Any] | None = None,
        summary: str = "",
    ) -> None:
        self.name = name
        self.decode = decode
        self.encode = encode
        self.sniff = sniff
        signatures = [magic] if isinstance(magic, bytes) else list(magic)
        self.manifest: dict[str, Any] = {
            "name": name,
            "summary": summary or name,
            "format_version": "1",
            "aliases": [],
            "media_types": list(media_types),
            "extensions": list(extensions),
            "magic": [{"offset": 0, "bytes": item.hex(), "score": 95} for item in signatures],
            "decode": decode is not None,
            "encode": encode is not None,
            "options": options or {"type": "object", "additionalProperties": False},
        }


def codec(name: str, *, register: bool = True, **entry: Any) -> Callable[[type], type]:
    """Makes a class with the static methods ``decode``, ``encode`` and ``sniff`` (each optional) a codec.

    The codec is used by the functions of the package from then on. With ``register=False`` it is only kept as
    ``class.codec``, for Registry.derive().
    """

    def decorate(kind: type) -> type:
        functions: dict[str, Any] = {key: getattr(kind, key, None) for key in ("decode", "encode", "sniff")}
        made = Codec(name, summary=(kind.__doc__ or "").split("\n")[0], **functions, **entry)
        kind.codec = made  # type: ignore[attr-defined]
        if register:
            set_default_registry(default_registry().derive([made]))
        return kind

    return decorate
