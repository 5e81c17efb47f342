# SPDX-License-Identifier: MIT
"""Registries, and the functions of the package that use the default one."""

from __future__ import annotations

import atexit
import builtins
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from polycodec import _core
from polycodec._call import (
    CallOptions,
    ConvertOptions,
    DecodeOptions,
    EncodeOptions,
    Json,
    OpenOptions,
    SaveOptions,
    explicit,
    text_of,
)
from polycodec._core import Value
from polycodec._errors import InvalidError, PolycodecError, UnsupportedError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from polycodec._call import Data
    from polycodec._formats import Formats

# Numbers of POLYCODEC_DESCRIBE_* of <polycodec/host.h>.
_LISTINGS = ("codecs", "filters", "stores", "types", "plugins", "records", "directories", "functions", "settings")


class Registry(_core.Registry):
    """The codecs that a program may use. Values keep what they need of it.

    config: a configuration as a dict, JSON or the content of its file (docs/configuration.md).
    plugin_paths: directories of plugins, which take the place of all others.
    add_paths: further directories of plugins.
    environment: whether plugins and Python's codecs of this environment are used, too (docs/python.md).
    builtins: whether the codecs of the package are there.
    policy: takes the place of the one of ``config``.
    limits: bounds of all calls, such as {"max_memory_bytes": 1 << 30}.
    allowlist: functions that data may call, instead of those that a codec allows by itself.
    allow_also: further functions that data may call, beside these.
    isolation: where plugins run: a mode or a dict, as in docs/isolation.md.
    log: a function of the level, the origin and a text. None: the logger "polycodec" of the module logging.
    codecs: codecs in Python; see polycodec.Codec.
    """

    def __init__(
        self,
        config: Json = None,
        *,
        plugin_paths: Iterable[str] = (),
        add_paths: Iterable[str] = (),
        environment: bool = True,
        builtins: bool = True,
        policy: dict[str, Any] | None = None,
        limits: dict[str, int] | None = None,
        allowlist: Json = None,
        allow_also: Json = None,
        isolation: Json = None,
        log: Callable[[int, str, str], object] | None = None,
        codecs: Iterable[Any] = (),
    ) -> None:
        if policy is not None:
            given = json.loads(config) if isinstance(config, str) else config
            if given is not None and not isinstance(given, dict):
                raise InvalidError("config must be an object where policy is given", "invalid")
            config = {**(given or {}), "policy": policy}
        if environment:
            from polycodec import _plugins

            points = _plugins.entry_points()
            add_paths = (*add_paths, *_plugins.directories(points))
            codecs = (*codecs, *_plugins.codecs(points))
        super().__init__(
            config,
            plugin_paths=plugin_paths,
            add_paths=add_paths,
            environment=environment,
            builtins=builtins,
            limits=limits,
            allowlist=allowlist,
            allow_also=allow_also,
            isolation=isolation,
            log=log,
            codecs=codecs,
        )

    @explicit(OpenOptions)
    def open(self, file: Any, codec: str | None = None, **call: Unpack[OpenOptions]) -> Value:
        """Decodes a path, a URL, a file object, or an object with the buffer protocol.

        A path may begin with ``~``. Without a codec the content chooses it. An error of the content of a file that is
        opened with ``lazy=True`` is raised where the value is first used, and each time again. Raises FileError for a
        file that cannot be read, FormatError for one that breaks a rule of its format, and NotFoundError if there is no
        codec for it.
        """
        given: Any = call
        if isinstance(file, (str, os.PathLike)):
            if isinstance(file, str) and "://" in file:
                return self._open_url(file, codec, given)
            try:
                return self.open_path(_expanded(file), codec, **given)
            except PolycodecError as error:
                if codec is None and error.code in ("ambiguous", "unsupported", "not_found"):
                    _check_hdf5(file)
                raise
        if hasattr(file, "read"):
            name = getattr(file, "name", None)
            call.setdefault("name", name if isinstance(name, str) else None)
            from polycodec._remote import read_all

            return self.decode(read_all(file, self, call.get("limits")), codec, **given)
        return self.decode(file, codec, **given)

    def _open_url(self, url: str, codec: str | None, call: Any) -> Value:
        from polycodec._remote import name_of, read

        call.setdefault("name", name_of(url))
        return self.decode(read(url, self, call.get("limits")), codec, **call)

    if not TYPE_CHECKING:

        @explicit(SaveOptions)
        def save(self, value, path, codec=None, **call):
            """Encodes any object to a path, a URL or a file object that is open for writing bytes.

            A path may begin with ``~``; its extension chooses the codec if none is named. A file is complete, or as it was
            before, at any time. Raises UnsupportedError for what the codec cannot represent, and FileError.
            """
            if _is_elsewhere(path, "write"):
                from polycodec._remote import save

                return save(self, value, path, codec, call)
            return super().save(value, _expanded(path), codec, **call)

        @explicit(ConvertOptions)
        def convert(self, source, path, codec=None, **call):
            """Converts a path, a URL, a file object or bytes to a path, a URL or a file object.

            The content chooses the codec of the source, and the extension that of the result, if none is named.
            """
            if _is_elsewhere(source, "read") or _is_elsewhere(path, "write"):
                from polycodec._remote import convert

                return convert(self, source, path, codec, call)
            return super().convert(_expanded(source), _expanded(path), codec, **call)

    def list(self, what: str = "codecs") -> list[dict[str, Any]]:
        """Lists codecs, filters, stores, types, plugins, records, directories, functions or settings.

        Records have the reasons of rejection. A function is allowed if the allowlist of the registry has it. A setting has
        its origin.
        """
        if what not in _LISTINGS:
            raise InvalidError(f"unknown listing '{what}': must be one of {', '.join(_LISTINGS)}", "invalid")
        found: list[dict[str, Any]] = self.describe(_LISTINGS.index(what))
        return found

    @explicit(CallOptions)
    def call(
        self, function: str | Sequence[str], *args: Any, keywords: dict[str, Any] | None = None, **call: Unpack[CallOptions]
    ) -> Value:
        """Calls a function of a plugin, which the allowlist must allow, as data does that names it.

        The name is ``"a.b"`` or its parts. ``keywords`` are the arguments by name. Raises DeniedError, and NotFoundError if
        there is no such function.
        """
        name = function if isinstance(function, str) else json.dumps(builtins.list(function))
        return self.call_function(name, builtins.list(args), keywords, **call)

    def derive(self, codecs: Iterable[Any]) -> Registry:
        """Returns a registry with further codecs of Python, which come before the others."""
        derived = Registry.__new__(Registry)
        _core.Registry.__init__(derived, self, tuple(codecs))
        return derived

    @explicit(OpenOptions)
    def inspect(self, file: Any, codec: str | None = None, **call: Unpack[OpenOptions]) -> dict[str, Any]:
        """Describes a file: its codec, its type, and each column with its place in the file.

        ``offset`` of a column is the byte of the file where its first element is, or None for a column that the codec
        had to make.
        """
        from polycodec._inspect import describe

        return describe(self.open(file, codec, **call))


def _expanded(path: Any) -> Any:
    """Returns a path with the home directory in place of ~, and anything else as it is."""
    if isinstance(path, str):
        return os.path.expanduser(path) if path.startswith("~") else path
    if isinstance(path, os.PathLike) and isinstance(name := os.fspath(path), str) and name.startswith("~"):
        return os.path.expanduser(name)
    return path


def _is_elsewhere(place: Any, method: str) -> bool:
    """Returns whether something is a URL or a file object."""
    return ("://" in place) if isinstance(place, str) else hasattr(place, method)


def _check_hdf5(path: Any) -> None:
    """Raises for a file of HDF5, for which the package needs h5py."""
    try:
        with builtins.open(path, "rb") as file:
            is_hdf5 = file.read(8) == b"\x89HDF\r\n\x1a\n"
    except OSError:
        return
    if is_hdf5:
        raise UnsupportedError("a file of HDF5: use polycodec.hdf5.open(file, name)", "unsupported") from None


_default: Registry | None = None


def default_registry() -> Registry:
    """Returns the registry that the functions of the package use. It is opened when it is first needed."""
    if _default is None:
        set_default_registry(Registry())
    assert _default is not None
    return _default


def set_default_registry(registry: Registry) -> None:
    """Makes the functions of the package use another registry."""
    global _default
    _default = registry
    _core.set_default(registry if type(registry) is Registry else None)


# Codecs in Python refer to modules, and these to the registries that own the codecs.
atexit.register(_core.forget_held)


@explicit(OpenOptions)
def open(file: Any, codec: str | None = None, **call: Unpack[OpenOptions]) -> Value:
    """Opens a path, a URL, a file object, or an object with the buffer protocol; see Registry.open.

    Without a codec the content chooses it.
    """
    return (_default or default_registry()).open(file, codec, **call)


@explicit(DecodeOptions)
def _decode(data: Data, codec: str | None = None, **call: Unpack[DecodeOptions]) -> Value:
    """Decodes an object with the buffer protocol. Without a codec the content chooses it."""
    return (_default or default_registry()).decode(data, codec, **call)


@explicit(EncodeOptions)
def _encode(thing: Any, codec: str, **call: Unpack[EncodeOptions]) -> bytes:
    """Encodes any object as bytes."""
    return (_default or default_registry()).encode(thing, codec, **call)


if TYPE_CHECKING:
    decode, encode = _decode, _encode
else:
    decode, encode = _core.functions_of_default(sys.modules[__name__], text_of(_decode), text_of(_encode))


@explicit(SaveOptions)
def save(thing: Any, path: Any, codec: str | None = None, **call: Unpack[SaveOptions]) -> None:
    """Encodes any object to a path, a URL or a file object; see Registry.save.

    A file is complete, or as it was before, at any time. Its extension chooses the codec if none is named.
    """
    (_default or default_registry()).save(thing, path, codec, **call)


@explicit(ConvertOptions)
def convert(source: Any, path: Any, codec: str | None = None, **call: Unpack[ConvertOptions]) -> None:
    """Converts a file, a URL, a file object or bytes to another one. Without a codec the extension chooses it."""
    (_default or default_registry()).convert(source, path, codec, **call)


def content_address(value: Value) -> str:
    """Returns the SHA-256 of the value, whatever its format; see docs/content-address.md."""
    return default_registry().address(value)


@explicit(OpenOptions)
def inspect(file: Any, codec: str | None = None, **call: Unpack[OpenOptions]) -> dict[str, Any]:
    """Describes a file; see Registry.inspect."""
    return default_registry().inspect(file, codec, **call)


def diff(
    a: Any,
    b: Any,
    *,
    numbers: bool = False,
    floats: bool = False,
    lists: bool = False,
    unordered: bool = False,
    metadata: bool = True,
) -> dict[str, str] | None:
    """Returns where two files or values differ first, as a dict of path and reason. None if they are equal.

    The keyword arguments are those of Value.difference().
    """
    left, right = (side if isinstance(side, Value) else open(side) for side in (a, b))
    return left.difference(right, numbers=numbers, floats=floats, lists=lists, unordered=unordered, metadata=metadata)


def formats() -> Formats:
    """Returns the formats that this program reads and writes, as a table: a list of dicts that prints as one."""
    from polycodec._formats import Formats

    return Formats(default_registry())


def codecs() -> list[dict[str, Any]]:
    """Lists the codecs with their formats, extensions and options."""
    return default_registry().list("codecs")


def doctor() -> dict[str, Any]:
    """Returns the directories that were searched, and each plugin with the reason for its rejection."""
    registry = default_registry()
    return {
        "library": _core.library_version,
        "directories": registry.list("directories"),
        "plugins": registry.list("records"),
    }
