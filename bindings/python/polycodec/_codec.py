# SPDX-License-Identifier: MIT
"""Codecs in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from polycodec import _core
from polycodec._registry import default_registry, set_default_registry

_Class = TypeVar("_Class", bound=type)


class Codec:
    """A codec whose functions are in Python.

    name: of the codec, such as "my-format".
    decode: takes bytes and returns an object. None: the codec only writes.
    encode: takes an object and returns bytes. None: the codec only reads.
    sniff: takes the first bytes and returns a score of 0 to 100.
    typed: decode is given a memoryview of the input, whose parts the result may view without a copy, and encode a
        polycodec.Value with its types and metadata. False: bytes, and the object of Value.to_python().
    extensions, magic, media_types: what the codec is found by, such as [".points"] and b"PNTS".
    options: the JSON Schema of options, which the functions get as keyword arguments.
    summary: one line about the format.

    The functions raise FormatError for input that breaks a rule and UnsupportedError for a value that they cannot
    represent, with an offset or a path; errors of this package reach the caller as they are. Any other exception is the
    cause of a PluginError. codec.report_loss() reports what the result lacks.
    """

    def __init__(
        self,
        name: str,
        *,
        decode: Callable[..., Any] | None = None,
        encode: Callable[..., Any] | None = None,
        sniff: Callable[[bytes], int] | None = None,
        typed: bool = False,
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
        self.typed = typed
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


class _CodecFunction:
    """Makes a class with the static methods ``decode``, ``encode`` and ``sniff`` (each optional) a codec.

    The codec is used by the functions of the package from then on. With ``register=False`` it is only kept as
    ``class.codec``, for Registry.derive(), and for packages that name it as an entry point of the group
    ``polycodec.codecs``: then every registry and the command of this environment have it. The other arguments are those
    of polycodec.Codec.

    ``codec.check(Class, fixtures=...)`` tests a codec, and ``codec.report_loss(...)`` is for its functions.
    """

    def __call__(
        self,
        name: str,
        *,
        register: bool = True,
        typed: bool = False,
        extensions: Iterable[str] = (),
        magic: Iterable[bytes] | bytes = (),
        media_types: Iterable[str] = (),
        options: dict[str, Any] | None = None,
        summary: str = "",
    ) -> Callable[[_Class], _Class]:
        def decorate(kind: _Class) -> _Class:
            functions: dict[str, Any] = {key: getattr(kind, key, None) for key in ("decode", "encode", "sniff")}
            made = Codec(
                name,
                summary=summary or (kind.__doc__ or "").split("\n")[0],
                typed=typed,
                extensions=extensions,
                magic=magic,
                media_types=media_types,
                options=options,
                **functions,
            )
            kind.codec = made  # type: ignore[attr-defined]
            if register:
                set_default_registry(default_registry().derive([made]))
            return kind

        return decorate

    @staticmethod
    def report_loss(loss_class: Literal["note", "type", "data", "retyped", "mended"], path: str, what: str) -> None:
        """Reports what the result of a codec lacks: its class, its path such as ``$.a[3]``, and a few words (docs/loss.md).

        For decode() and encode() of a codec, before anything is returned. Raises UnsupportedError, which ends the call, if
        the caller does not allow a loss of this class.
        """
        _core.report_loss(loss_class, path, what)

    @staticmethod
    def check(codec: type | Codec, fixtures: Iterable[Any] = (), *, options: dict[str, Any] | None = None) -> list[str]:
        """Tests a codec, and returns what is wrong with it: [] for a codec that keeps all rules.

        fixtures: bytes or paths of files of the format, and any other objects as values to write.
        options: for all calls.

        A file must be found by its content, and come back equal after it was written and read again. A value must come
        back equal, or its loss be reported. Files that are cut short or changed in one byte must give a value or an error
        of this package, and no other exception.
        """
        from polycodec._check import check

        made: Any = codec
        return check(getattr(made, "codec", made), fixtures, options)


codec = _CodecFunction()
