# SPDX-License-Identifier: MIT
"""The functions of awkward0 that read and write files, for programs that import the archived library:
``import polycodec.awkward0 as awkward0``.

What they return are the arrays of today: numpy arrays for numbers, awkward 2 arrays for everything else, and lists and
dicts for those. They write what polycodec.save() takes."""

from __future__ import annotations

import io
import json
import lzma
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy

import polycodec
from polycodec._errors import FormatError, InvalidError, MismatchError, NotFoundError, UnsupportedError

if TYPE_CHECKING:
    import h5py

compression: Any = [{"minsize": 8192, "types": [bool, numpy.bool_, numpy.integer], "contexts": "*", "pair": zlib.compress}]
"""The rules by which arrays are compressed, of which the first that fits decides."""

partner: dict[Callable[..., bytes], tuple[str, str]] = {
    zlib.compress: ("zlib", "decompress"),
    lzma.compress: ("lzma", "decompress"),
}
"""Functions that compress, and the names of those that decompress."""

whitelist: Any = [
    ["numpy", "frombuffer"],
    ["zlib", "decompress"],
    ["lzma", "decompress"],
    ["backports.lzma", "decompress"],
    ["lz4.block", "decompress"],
    ["awkward0", "*"],
    ["awkward", "*"],
    ["awkward0.*"],
    ["awkward.*"],
    ["uproot3_methods.*"],
    ["uproot_methods.*"],
]
"""The functions that data may call. polycodec calls none of Python: it knows those of awkward0 itself."""

_SCHEMA = ".json"


class NameConflictError(InvalidError, KeyError):
    """There is an array of this name. Nothing was written."""


def serialize(
    obj: Any,
    storage: MutableMapping[str, Any],
    name: str | None = "",
    delimiter: str | None = "-",
    suffix: str | None = None,
    schemasuffix: str | None = None,
    compression: Any = compression,
    **kwargs: Any,
) -> None:
    """Puts the blobs of an array, and its schema, into a dict or any other mutable mapping.

    The names of the blobs begin with ``name`` and ``delimiter``, and end with ``suffix``; the schema is at ``name`` and
    ``schemasuffix``. ``compression``: rules as in this module, one rule, a pair of a function and the name of its partner,
    a function that has a partner, True for zlib or False. Raises NameConflictError if a blob is there already.
    """
    label, schema = name or "", schemasuffix or ""
    # A store has no blob without a name.
    blobs = _blobs(obj, label, delimiter or "", suffix or "", schema or _SCHEMA, compression, "plain", kwargs)
    blobs[label + schema] = blobs.pop(label + (schema or _SCHEMA))
    _check_free(blobs, storage)
    for key, data in blobs.items():
        storage[key] = data


def _check_free(names: Iterable[str], taken: Any) -> None:
    there = [name for name in names if name in taken]
    if there:
        raise NameConflictError(f"cannot write: {', '.join(map(repr, there))} exist already", "invalid")


def _blobs(
    obj: Any, name: str, delimiter: str, suffix: str, schemasuffix: str, rules: Any, container: str, call: Mapping[str, Any]
) -> dict[str, bytes]:
    """Returns the blobs of an array, its schema last."""
    options = {
        "container": container,
        "delimiter": delimiter,
        "suffix": suffix,
        "schema_suffix": schemasuffix,
        "compression": _rules(rules),
        **({"array": name} if name else {}),
    }
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "array.awkd"
        polycodec.save(obj, path, "awkward", options=options, **call)
        with zipfile.ZipFile(path) as file:
            return {one: file.read(one) for one in file.namelist()}


def _rules(given: Any) -> Any:
    """Returns rules of awkward0 as those of the codec."""
    if given is None or isinstance(given, bool):
        return bool(given)
    if isinstance(given, dict) or callable(given) or (isinstance(given, tuple) and len(given) == 2 and callable(given[0])):
        given = [given]
    return [_rule(one) for one in given]


def _rule(given: Any) -> dict[str, Any]:
    rule = dict(given) if isinstance(given, dict) else {"pair": given}
    pair = rule.pop("pair", None)
    if pair is None:
        pair = (rule.pop("enc"), rule.pop("dec", None))
    encode, decode = pair if isinstance(pair, tuple | list) else (pair, None)
    decode = tuple(decode) if decode is not None else partner.get(encode)
    methods = {("zlib", "decompress"): "zlib", ("lzma", "decompress"): "lzma", ("backports.lzma", "decompress"): "lzma"}
    if decode not in methods:
        raise UnsupportedError(f"the partner of {encode!r} must be one of {', '.join('.'.join(x) for x in methods)}")
    contexts = rule.get("contexts", "*")
    return {
        "method": methods[decode],
        "min_size": int(rule.get("minsize", 0)),
        "types": sorted({name for kind in _listed(rule.get("types", object)) for name in _type_names(kind)}),
        "contexts": [contexts] if isinstance(contexts, str) else list(contexts),
    }


def _listed(kinds: Any) -> list[Any]:
    return list(kinds) if isinstance(kinds, list | tuple | set) else [kinds]


def _type_names(kind: Any) -> list[str]:
    """Returns patterns of types (docs/type-notation.md) for a type of numpy and those below it."""
    if kind in (object, numpy.generic):
        return ["object"]
    classes = {
        numpy.bool_: ["Bool"],
        bool: ["Bool"],
        numpy.signedinteger: ["Int"],
        numpy.unsignedinteger: ["UInt"],
        numpy.integer: ["Int", "UInt"],
        int: ["Int", "UInt"],
        numpy.floating: ["Float"],
        float: ["Float"],
        numpy.complexfloating: ["Complex"],
        numpy.number: ["Int", "UInt", "Float", "Complex"],
        numpy.inexact: ["Float", "Complex"],
    }
    return classes[kind] if kind in classes else [numpy.dtype(kind).name]


def deserialize(storage: Mapping[str, Any], name: str = "", whitelist: Any = whitelist, cache: Any = None) -> Any:
    """Returns the array whose schema is at ``name`` of a mapping. Its blobs are bytes, or arrays of numpy of bytes.

    ``whitelist``: the functions that data may call: patterns, one pattern or a string. ``cache`` is not needed: columns are
    views of the blobs. Raises KeyError if there is no such name, and FormatError for what is not a schema.
    """
    schema = _bytes(storage[name])
    blobs = {key: _bytes(storage[key]) for key in keys(storage, name) if key != name}
    label = "array"
    while any(key.startswith(label) for key in blobs):
        label += "_"
    options = {"array": label, "schema_suffix": _SCHEMA}
    value = polycodec.default_registry().decode_store(
        _Store({label + _SCHEMA: schema, **blobs}), "awkward", options=options, allowlist=_allowlist(whitelist)
    )
    return _array(value)


def keys(storage: Mapping[str, Any], name: str = "", subschemas: bool = True) -> Iterator[str]:
    """Gives the names of the schema at ``name`` and of the blobs that it reads."""
    try:
        schema = json.loads(_bytes(storage[name]))
    except ValueError as error:
        raise FormatError(f"'{name}' is not a schema of an array ({error})") from error
    if not isinstance(schema, dict) or not ("awkward0" in schema or "awkward" in schema):
        raise FormatError(f"'{name}' is not a schema of an array: it has neither 'awkward0' nor 'awkward'")
    yield name
    prefix = str(schema.get("prefix", ""))
    seen, waiting = set(), [schema.get("schema")]
    while waiting:
        at = waiting.pop()
        if isinstance(at, dict):
            if isinstance(at.get("read"), str):
                key = at["read"] if at.get("absolute") else prefix + at["read"]
                if key not in seen:
                    seen.add(key)
                    yield key
            waiting.extend(part for word, part in at.items() if word != "json")
        elif isinstance(at, list):
            waiting.extend(at)


def _bytes(blob: Any) -> bytes:
    if isinstance(blob, str):
        return blob.encode()
    try:
        return bytes(memoryview(blob).cast("B")) if not isinstance(blob, bytes) else blob
    except TypeError as error:
        raise MismatchError(f"a blob must be bytes, not {type(blob).__qualname__}") from error


def _allowlist(given: Any) -> Any:
    """Returns a whitelist of awkward0 as an allowlist; None for the default, which is that of the codec."""
    if given is None or given is whitelist:
        return None
    if isinstance(given, str):
        return [[given]]
    patterns = [given] if given and isinstance(given[0], str) else given
    # A pattern of the library also allows what is in what it names: ["awkward0", "*"] is numpy.frombuffer of awkward0, too.
    return [[*pattern, *["*"] * more] for pattern in patterns for more in range(3)]


class _Store:
    """Blobs that are in memory."""

    def __init__(self, blobs: dict[str, bytes]) -> None:
        self._contents = list(blobs.values())
        self.blobs = [(name, len(data)) for name, data in blobs.items()]

    def read(self, i: int) -> bytes:
        return self._contents[i]


def _array(value: polycodec.Value) -> Any:
    """Returns what awkward0 would: arrays, and lists and dicts of them."""
    if value.kind == "object":
        return {name: _array(part) for name, part in value.items()}
    if value.kind in ("list", "tuple"):
        items = [_array(part) for part in value]
        return items if value.kind == "list" else tuple(items)
    if value.dtype is not None and value.ndim and value.dtype.names is None:
        return value.to_numpy()
    return value.to_awkward() if value.kind == "array" and value.shape else value.to_python()


def save(file: Any, array: Any, name: str | None = None, mode: str = "a", **options: Any) -> None:
    """Saves an array, or each array of a dict, to an .awkd file.

    ``file``: a name, which gets the extension .awkd if it has another one, a path or a file object. ``mode``: "a" adds to
    the file, "w" replaces it, "x" makes a new one. ``options``: delimiter, suffix, schemasuffix and compression as for
    serialize(). Raises NameConflictError before anything is written if one name begins with another; a file is complete, or
    as it was before, at any time.
    """
    if mode not in ("a", "w", "x"):
        raise InvalidError(f"unknown mode '{mode}': must be 'a', 'w' or 'x'")
    arrays = array if isinstance(array, dict) else {"": array}
    arrays = {(name or "") + key: one for key, one in arrays.items()}
    names = list(arrays)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            if one.startswith(other) or other.startswith(one):
                raise NameConflictError(f"cannot write both {one!r} and {other!r}: one begins with the other", "invalid")
    words = {"delimiter": "-", "suffix": ".raw", "schemasuffix": _SCHEMA, "compression": compression, **options}
    delimiter, suffix, schemasuffix = (words.pop(x) or "" for x in ("delimiter", "suffix", "schemasuffix"))
    rules = words.pop("compression")
    blobs: dict[str, bytes] = {}
    for one, content in arrays.items():
        blobs.update(_blobs(content, one, delimiter, suffix, schemasuffix, rules, "zip", words))
    if hasattr(file, "write"):
        with zipfile.ZipFile(file, mode) as opened:  # type: ignore[call-overload]
            _add(opened, names, blobs)
        return
    path = Path(os.path.expanduser(os.fspath(file)))
    if isinstance(file, str) and path.suffix != ".awkd":
        path = path.with_name(path.name + ".awkd")
    if mode == "x" and path.exists():
        raise polycodec.FileError(f"'{path}' exists", "io")
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as made:
        temporary = Path(made.name)
    try:
        if mode == "a" and path.exists():
            shutil.copyfile(path, temporary)
        with zipfile.ZipFile(temporary, "a") as opened:
            _add(opened, names, blobs)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise


def _add(file: zipfile.ZipFile, names: list[str], blobs: dict[str, bytes]) -> None:
    there = file.namelist()
    taken = [old for old in there if any(old.startswith(name) for name in names)]
    if taken:
        raise NameConflictError(
            f"cannot add {', '.join(map(repr, names))}: the file has {', '.join(map(repr, taken))}", "invalid"
        )
    for name, data in blobs.items():
        file.writestr(name, data, compress_type=zipfile.ZIP_STORED)


def load(file: Any, **options: Any) -> Any:
    """Opens an .awkd file: a read-only dict of its arrays, which are read when they are asked for, or the array itself if
    the file has one without a name. ``options``: whitelist and schemasuffix as for deserialize() and serialize()."""
    opened = Load(file, **options)
    if list(opened) != [""]:
        return opened
    with opened:
        return opened[""]


class Load(Mapping[str, Any]):
    """The arrays of an .awkd file by name. Close it, or use it in ``with``."""

    def __init__(
        self, file: Any, *, schemasuffix: str = _SCHEMA, whitelist: Any = whitelist, cache: Any = None, **options: Any
    ) -> None:
        if options:
            raise MismatchError(f"unknown argument '{next(iter(options))}'")
        self._path = os.path.expanduser(os.fspath(file)) if isinstance(file, str | os.PathLike) else None
        self._data = None if self._path is not None else file.read()
        self._suffix = schemasuffix
        self._allowlist = _allowlist(whitelist)
        try:
            source: Any = self._path if self._data is None else io.BytesIO(self._data)
            with zipfile.ZipFile(source) as archive:
                self._names = [x[: -len(schemasuffix)] for x in archive.namelist() if x.endswith(schemasuffix)]
        except zipfile.BadZipFile as error:
            raise FormatError(f"the file is not an .awkd file ({error})") from error
        except OSError as error:
            raise polycodec.FileError(f"cannot read '{self._path}' ({error})", "io") from error

    def __getitem__(self, where: str) -> Any:
        if where not in self._names:
            raise NotFoundError(f"the file has no array {where!r}: it has {', '.join(map(repr, self._names))}", "not_found")
        options = {"schema_suffix": self._suffix, **({"array": where} if where else {})}
        source = self._path if self._data is None else self._data
        return _array(polycodec.open(source, "awkward", options=options, allowlist=self._allowlist))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<polycodec.awkward0.load ({len(self)} members)>"

    def close(self) -> None:
        """Does nothing: the file is open only while an array is read."""

    def __enter__(self) -> Load:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class hdf5(MutableMapping[str, Any]):  # noqa: N801 (the name of awkward0)
    """A file or group of h5py as a dict of arrays, which can be read, written and deleted.

    ``options``: whitelist and compression as for deserialize() and serialize(). Raises NameConflictError before anything is
    written where a group has the name.
    """

    def __init__(
        self, group: h5py.Group, *, whitelist: Any = whitelist, compression: Any = compression, cache: Any = None
    ) -> None:
        self._group = group
        self._allowlist = _allowlist(whitelist)
        self._compression = compression

    def __getitem__(self, where: str) -> Any:
        import polycodec.hdf5

        return _array(polycodec.hdf5.open(self._group, where, allowlist=self._allowlist))

    def __setitem__(self, where: str, what: Any) -> None:
        import polycodec.hdf5

        if where in self._group:
            raise NameConflictError(f"cannot write {where!r}: the group has it; delete it first", "invalid")
        polycodec.hdf5.save(what, self._group, where, options={"compression": _rules(self._compression)})

    def __delitem__(self, where: str) -> None:
        if not self._has(where):
            raise NotFoundError(f"the group has no array {where!r}", "not_found")
        del self._group[where]

    def _has(self, name: str) -> bool:
        member = self._group.get(name)
        return hasattr(member, "keys") and "schema.json" in member

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._group if self._has(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<polycodec.awkward0.hdf5 {self._group.name!r} ({len(self)} members)>"
