# SPDX-License-Identifier: MIT
"""polycodec: scientific data formats as one value model, without copies where the bytes allow it."""

from __future__ import annotations

from polycodec._codec import Codec, codec
from polycodec._core import (
    Array,
    Schema,
    Value,
    canonical_unit,
    convert_units,
    from_frames,
    library_version,
    parse,
    trim,
    value,
)
from polycodec._errors import (
    CancelledError,
    DeniedError,
    FileChangedError,
    FileError,
    FormatError,
    InvalidError,
    LimitError,
    LossWarning,
    MismatchError,
    NotFoundError,
    OutOfMemoryError,
    PluginError,
    PolycodecError,
    TimeoutError,
    UnsupportedError,
)
from polycodec._kinds import Annotated, Extension, Time
from polycodec._messages import Channel, Message, agree, offer
from polycodec._progress import Progress
from polycodec._registry import (
    Registry,
    codecs,
    convert,
    decode,
    default_registry,
    diff,
    doctor,
    encode,
    formats,
    inspect,
    open,
    save,
    set_default_registry,
)
from polycodec._streams import Writer, read_values
from polycodec._types import Type

__version__ = library_version

__all__ = [
    "Annotated",
    "Array",
    "CancelledError",
    "Channel",
    "Codec",
    "DeniedError",
    "Extension",
    "FileChangedError",
    "FileError",
    "FormatError",
    "InvalidError",
    "LimitError",
    "LossWarning",
    "Message",
    "MismatchError",
    "NotFoundError",
    "OutOfMemoryError",
    "PluginError",
    "PolycodecError",
    "Progress",
    "Registry",
    "Schema",
    "Time",
    "TimeoutError",
    "Type",
    "UnsupportedError",
    "Value",
    "Writer",
    "agree",
    "canonical_unit",
    "codec",
    "codecs",
    "convert",
    "convert_units",
    "decode",
    "default_registry",
    "diff",
    "doctor",
    "encode",
    "formats",
    "from_frames",
    "inspect",
    "offer",
    "open",
    "parse",
    "read_values",
    "save",
    "set_default_registry",
    "trim",
    "value",
]
