# SPDX-License-Identifier: MIT
"""Registries, and the functions of the package that use the default one."""

from __future__ import annotations

import atexit
import builtins
import json
import os
from collections.abc import Iterable
from typing import Any

from polycodec import _core
from polycodec._core import Value
from polycodec._errors import PolycodecError, UnsupportedError

# Numbers of POLYCODEC_DESCRIBE_* of <polycodec/host.h>.
_LISTINGS = ("codecs", "filters", "stores", "types", "plugins", "records", "directories", "functions", "settings")


class Registry(_core.Registry):
    """The codecs that a program may use. Values keep what they need of it.

    Plugins are searched in ``add_paths``, and if ``environment`` is true also where this environment has them
    (docs/python.md). ``policy`` takes the place of the one of ``config``. ``isolation`` says where plugins run: a mode or
    a dict, as in docs/isolation.md.
    """

    def __init__(
        self,
        config: Any = None,
        *,
        add_paths: Iterable[str] = (),
        environment: bool = True,
        policy: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        if policy is not None:
            given = json.loads(config) if isinstance(config, str) else config
            config = {**(given or {}), "policy": policy}
        if environment:
            from polycodec import _plugins

            add_paths = (*add_paths, *_plugins.directories())
        super().__init__(config, add_paths=add_paths, environment=environment, **options)

    def open(self, file: Any, codec: str | None = None, **call: Any) -> Value:
        """Decodes a path, a URL, a file object, or an object with the buffer protocol.

        ``lazy``: of a path; the file is mapped now and decoded when a part of the value is first used. An error of its
        content is raised there, and each time again.
        """
        if isinstance(file, str) and "://" in file:
            return self._open_url(file, codec, call)
        if isinstance(file, (str, os.PathLike)):
            try:
                return self.open_path(file, codec, **call)
            except PolycodecError as error:
                if codec is None and error.code in ("ambiguous", "unsupported", "not_found"):
                    _check_hdf5(file)
                raise
        if hasattr(file, "read"):
            name = getattr(file, "name", None)
            call.setdefault("name", name if isinstance(name, str) else None)
            from polycodec._remote import read_all

            return self.decode(read_all(file, self, call.get("limits")), codec, **call)
        return self.decode(file, codec, **call)

    def _open_url(self, url: str, codec: str | None, call: dict[str, Any]) -> Value:
        from polycodec._remote import read

        call.setdefault("name", url.split("?")[0].rsplit("/", 1)[-1])
        return self.decode(read(url, self, call.get("limits")), codec, **call)

    def list(self, what: str = "codecs") -> list[dict[str, Any]]:
        """Lists codecs, filters, stores, types, plugins, records, directories, functions or settings.

        Records have the reasons of rejection. A function is allowed if the allowlist of the registry has it. A setting has
        its origin.
        """
        if what not in _LISTINGS:
            raise ValueError(f"unknown listing '{what}': must be one of {', '.join(_LISTINGS)}")
        found: list[dict[str, Any]] = self.describe(_LISTINGS.index(what))
        return found

    def derive(self, codecs: Iterable[Any]) -> Registry:
        """Returns a registry with further codecs of Python, which come before the others."""
        derived = Registry.__new__(Registry)
        _core.Registry.__init__(derived, self, tuple(codecs))
        return derived

    def inspect(self, file: Any, codec: str | None = None, **call: Any) -> dict[str, Any]:
        """Describes a file: its codec, its type, and each column with its place in the file.

        ``offset`` of a column is the byte of the file where its first element is, or None for a column that the codec
        had to make.
        """
        from polycodec._inspect import describe

        return describe(self.open(file, codec, **call))


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
    global _default
    if _default is None:
        _default = Registry()
    return _default


def set_default_registry(registry: Registry) -> None:
    """Makes the functions of the package use another registry."""
    global _default
    _default = registry


# Codecs in Python refer to modules, and these to the registries that own the codecs.
atexit.register(_core.forget_held)


def open(file: Any, codec: str | None = None, **call: Any) -> Value:
    """Opens a path, a URL, a file object, or an object with the buffer protocol; see Registry.open."""
    return (_default or default_registry()).open(file, codec, **call)


def decode(data: Any, codec: str | None = None, **call: Any) -> Value:
    """Decodes an object with the buffer protocol. Without a codec the content chooses it."""
    registry = _default or default_registry()
    # An empty dict of arguments takes a tenth of a small call.
    return registry.decode(data, codec, **call) if call else registry.decode(data, codec)


def encode(thing: Any, codec: str, **call: Any) -> bytes:
    """Encodes any object as bytes."""
    return (_default or default_registry()).encode(thing, codec, **call)


def save(thing: Any, path: Any, codec: str | None = None, **call: Any) -> None:
    """Encodes any object to a file, which is complete or as it was at any time."""
    (_default or default_registry()).save(thing, path, codec, **call)


def convert(source: Any, path: Any, codec: str | None = None, **call: Any) -> None:
    """Converts a file, or bytes, to the file ``path``. Without a codec the extension chooses it."""
    (_default or default_registry()).convert(source, path, codec, **call)


def content_address(value: Value) -> str:
    """Returns the SHA-256 of the value, whatever its format; see docs/content-address.md."""
    return default_registry().address(value)


def inspect(file: Any, codec: str | None = None, **call: Any) -> dict[str, Any]:
    """Describes a file; see Registry.inspect."""
    return default_registry().inspect(file, codec, **call)


def diff(a: Any, b: Any, **compare: bool) -> dict[str, str] | None:
    """Returns where two files or values differ first, as a dict of path and reason. None if they are equal."""
    left, right = (side if isinstance(side, Value) else open(side) for side in (a, b))
    return left.difference(right, **compare)


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
