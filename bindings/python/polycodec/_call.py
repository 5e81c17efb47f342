# SPDX-License-Identifier: MIT
"""The keyword arguments of calls: their types for checkers and completion, and their words for help()."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar

from polycodec._progress import Progress

Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Json: TypeAlias = str | Mapping[str, Any] | list[Any] | None
OnLoss: TypeAlias = Literal["error", "warn"] | Callable[[str, str, str], object] | None

if TYPE_CHECKING:
    from typing_extensions import Buffer

    class _Array(Protocol):
        @property
        def __array_interface__(self) -> dict[str, Any]: ...

    Data: TypeAlias = Buffer | _Array  # numpy says only since Python 3.12 that its arrays are buffers

_Function = TypeVar("_Function", bound=Callable[..., Any])


class CallOptions(TypedDict, total=False):
    """Arguments that all calls of codecs have."""

    columns: str | Iterable[str] | None
    rows: slice | range | None
    select: str | None
    limits: dict[str, int] | None
    allowlist: Json
    allow_also: Json
    on_loss: OnLoss
    progress: Callable[[Progress], object] | bool | None
    member: str | None
    timeout: float | None
    threads: int | None
    trusted: bool
    tolerant: bool
    companions: bool
    of_others: bool


class StreamOptions(CallOptions, total=False):
    """Those of streams of values."""

    options: Json


class DecodeOptions(StreamOptions, total=False):
    """Those of calls that decode."""

    filters: Json
    name: str | None


class OpenOptions(DecodeOptions, total=False):
    """Those of calls that open a file."""

    copy: bool | None
    lazy: bool


class EncodeOptions(StreamOptions, total=False):
    """Those of calls that encode."""

    filters: Json
    metadata: dict[str, Any] | None


class _FileOptions(StreamOptions, total=False):
    filters: Json
    keep: bool
    sync: bool
    root: Path | None


class SaveOptions(_FileOptions, total=False):
    """Those of calls that write a file."""

    metadata: dict[str, Any] | None


class ConvertOptions(_FileOptions, total=False):
    """Those of calls that convert a file."""

    from_codec: str | None
    from_options: Json
    from_filters: Json


_DEFAULTS: dict[str, Any] = dict.fromkeys(("trusted", "tolerant", "of_others", "lazy", "keep", "sync"), False)
_DEFAULTS["companions"] = True

_WORDS = {
    "columns": 'the paths of the parts to decode, such as "$.vertex.x"',
    "rows": "a slice or range of the rows, with the step 1",
    "select": 'the path of the part to decode as a value of its own, such as "$.vertex"',
    "limits": 'bounds, such as {"max_memory_bytes": 1 << 30}',
    "allowlist": "functions that data may call",
    "allow_also": "further functions that data may call, beside all others",
    "on_loss": '"error", "warn", or a function of the class, the path and the description of a loss',
    "progress": "a function that takes a polycodec.Progress, or True for a bar of tqdm if the call takes long",
    "member": "the named value of a store",
    "timeout": "seconds, after which the call raises polycodec.TimeoutError",
    "threads": "the most threads that work at once",
    "trusted": "check only the structure",
    "tolerant": "mend what breaks a rule of the format where the codec can, and report each place as a loss",
    "companions": "whether the codec may look at files beside the file",
    "of_others": "options and filters are not the program's own, so that one that names a file is a DeniedError",
    "options": "those of the codec, as a dict or JSON",
    "filters": "the filters after the codec, as in docs/pipelines.md",
    "name": "a file name for messages and for the choice of the codec",
    "copy": "True reads the file, False maps it, None maps files of more than 64 MiB",
    "lazy": "decode the file when a part of the value is first used",
    "metadata": 'names, units and notes that the value gets, such as {"unit": "cm"}',
    "keep": "refuse to replace a file",
    "sync": "wait until the file is on the disk",
    "root": "a directory that the path is below, and that links must not leave",
    "from_codec": "the codec of the source, if its content does not say it",
    "from_options": "options of that codec",
    "from_filters": "its filters",
}


def explicit(options: type) -> Callable[[_Function], _Function]:
    """Makes help() and notebooks show the keyword arguments that a function takes as ``**call``."""

    def decorate(function: _Function) -> _Function:
        hints = options.__annotations__  # of all bases, too
        plain = inspect.signature(function)
        given = [x for x in plain.parameters.values() if x.kind is not inspect.Parameter.VAR_KEYWORD]
        known = {x.name for x in given}
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=_DEFAULTS.get(name),
                annotation=getattr(hint, "__forward_arg__", hint),
            )
            for name, hint in hints.items()
            if name not in known
        ]
        function.__signature__ = plain.replace(parameters=[*given, *added])  # type: ignore[attr-defined]
        if function.__doc__ is not None:
            lines = "".join(f"\n        {x.name}: {_WORDS[x.name]}" for x in added)
            function.__doc__ = f"{function.__doc__.rstrip()}\n\n    Keyword arguments:{lines}\n    "
        return function

    return decorate


def text_of(function: Callable[..., Any]) -> str:
    """Returns the signature and the words of a function as a function of an extension has them."""
    plain = inspect.signature(function)
    bare = [x.replace(annotation=x.empty) for x in plain.parameters.values()]
    signature = plain.replace(parameters=bare, return_annotation=plain.empty)
    return f"{function.__name__.lstrip('_')}{signature}\n--\n\n{inspect.getdoc(function)}"
