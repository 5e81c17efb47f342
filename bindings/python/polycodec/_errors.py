# SPDX-License-Identifier: MIT
"""Exceptions and warnings."""

from __future__ import annotations

import builtins


class PolycodecError(Exception):
    """Base of all errors of the library.

    ``code`` is the word for the kind of failure, such as ``"malformed"``. ``offset`` is the byte in the input, or None.
    ``path`` is the place in the value, such as ``$.a[3]``. ``detail`` is the format's own keyword for the failure.
    ``codec`` is the name of the codec that reported it, or "".
    """

    code: str = "invalid"
    offset: int | None
    path: str
    detail: str
    codec: str

    def __init__(
        self,
        message: str,
        code: str = "",
        offset: int | None = None,
        path: str = "",
        detail: str = "",
        codec: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.offset = offset
        self.path = path
        self.detail = detail
        self.codec = codec

    def __str__(self) -> str:
        """The form of the command: ``CODEC: MESSAGE (DETAIL, at byte N, in PATH)``."""
        byte = f"at byte {self.offset}" if self.offset is not None else ""
        where = ", ".join(part for part in (self.detail, byte, f"in {self.path}" if self.path else "") if part)
        message = f"{self.codec}: {self.message}" if self.codec else self.message
        return f"{message} ({where})" if where else message

    def __reduce__(self) -> tuple[type[PolycodecError], tuple[object, ...]]:
        return type(self), (self.message, self.code, self.offset, self.path, self.detail, self.codec)


class FormatError(PolycodecError, ValueError):
    """The input ends too early, has bytes after the value, or breaks a rule of its format."""

    code = "malformed"


class UnsupportedError(PolycodecError, ValueError):
    """The codec cannot represent the value, or a loss was not allowed."""

    code = "unsupported"


class LimitError(PolycodecError, ValueError):
    """A limit would be exceeded. The message names it."""

    code = "limit"


class InvalidError(PolycodecError, ValueError):
    """A value, an option or an argument breaks a rule."""


class MismatchError(PolycodecError, TypeError):
    """A value does not have the type that is needed."""

    code = "type"


class NotFoundError(PolycodecError, KeyError, IndexError):
    """There is no such codec, type, member or item."""

    code = "not_found"


class DeniedError(PolycodecError, PermissionError):
    """A policy or an allowlist forbids it."""

    code = "denied"


class FileError(PolycodecError, OSError):
    """The operating system rejected the access."""

    code = "io"


class FileChangedError(FileError):
    """A file that a value views was written to after it was opened."""


class PluginError(PolycodecError, RuntimeError):
    """A plugin failed or broke its contract. ``__cause__`` is the exception of a codec in Python."""

    code = "plugin"


class OutOfMemoryError(PolycodecError, MemoryError):
    """The machine has no memory for the call."""

    code = "memory"


class CancelledError(PolycodecError):
    """The call was stopped."""

    code = "cancelled"


class TimeoutError(CancelledError, builtins.TimeoutError):
    """The timeout of the call has passed."""


class LossWarning(UserWarning):
    """A codec left out a part of the value (``on_loss="warn"``)."""


_CODES: tuple[tuple[str, type[PolycodecError]], ...] = (
    ("ok", PolycodecError),
    ("truncated", FormatError),
    ("trailing", FormatError),
    ("malformed", FormatError),
    ("unsupported", UnsupportedError),
    ("limit", LimitError),
    ("type", MismatchError),
    ("range", InvalidError),
    ("not_found", NotFoundError),
    ("denied", DeniedError),
    ("ambiguous", InvalidError),
    ("option", InvalidError),
    ("plugin", PluginError),
    ("invalid", InvalidError),
    ("io", FileError),
    ("memory", OutOfMemoryError),
    ("cancelled", CancelledError),
    ("internal", PluginError),
)


def number_of(error: PolycodecError) -> int:
    """Returns the status of the library for an exception."""
    return next((i for i, (name, _) in enumerate(_CODES) if i and name == error.code), len(_CODES) - 1)


def make(code: int, message: str, offset: int | None, path: str, detail: str, codec: str) -> PolycodecError:
    """Returns the exception for a status of the library."""
    name, kind = _CODES[code] if 0 < code < len(_CODES) else ("internal", PluginError)
    if detail == "file.changed":
        kind = FileChangedError
    elif detail == "call.deadline":
        kind = TimeoutError
    return kind(message, name, offset, path, detail, codec)
