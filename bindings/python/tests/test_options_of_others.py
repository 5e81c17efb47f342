# SPDX-License-Identifier: MIT
"""Options that only the program may give, at every door by which others can bring options."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np
import pytest
import zarr

import polycodec as pc
from polycodec.zarr import PolycodecBytes

Option = tuple[str, str, str, Any]  # kind, codec, option, value


def _sample(schema: dict[str, Any], path: str) -> Any:
    return {"boolean": True, "integer": 1, "object": {}, "array": []}.get(schema.get("type", "string"), path)


def _options() -> Iterator[Option]:
    registry = pc.Registry()
    for kind in ("codecs", "filters", "stores"):
        for entry in registry.list(kind):
            for name, schema in entry.get("options", {}).get("properties", {}).items():
                if schema.get("host_only") or schema.get("role") == "file":
                    yield kind, entry["name"], name, _sample(schema, "/etc/hostname")


OPTIONS = list(_options())


def test_there_are_some() -> None:
    assert {("fastbin", "schema_file"), ("awkward", "check")} <= {(codec, name) for _, codec, name, _ in OPTIONS}


def _arguments(option: Option) -> dict[str, Any]:
    kind, codec, name, value = option
    if kind == "filters":
        return {"codec": "msgpack-ndarray", "options": {}, "filters": [{"id": codec, name: value}]}
    return {"codec": codec, "options": {name: value}, "filters": []}


def _numcodecs(option: Option, directory: Path) -> None:
    numcodecs.get_codec({"id": "polycodec", **_arguments(option)}).decode(b"x")


def _numcodecs_encode(option: Option, directory: Path) -> None:
    numcodecs.get_codec({"id": "polycodec", **_arguments(option)}).encode(np.arange(3.0))


def _zarr_3(option: Option, directory: Path) -> None:
    array = zarr.create_array(
        directory / "a.zarr", shape=(4,), chunks=(4,), dtype="f8", serializer=PolycodecBytes(), compressors=None
    )
    array[:] = 1
    meta = directory / "a.zarr/zarr.json"
    data = json.loads(meta.read_text())
    [codec] = [codec for codec in data["codecs"] if codec["name"] == "polycodec"]
    codec["configuration"] = _arguments(option)
    meta.write_text(json.dumps(data))
    zarr.open_array(directory / "a.zarr")[:]


def _zarr_2(option: Option, directory: Path) -> None:
    """Zarr 2 is what references of kerchunk have, too."""
    array: Any = zarr.create_array(
        directory / "b.zarr",
        shape=(4,),
        chunks=(4,),
        dtype="i4",
        zarr_format=2,
        filters=None,
        compressors=numcodecs.get_codec({"id": "polycodec"}),
    )
    array[:] = 1
    meta = directory / "b.zarr/.zarray"
    data = json.loads(meta.read_text())
    data["compressor"] = {"id": "polycodec", **_arguments(option)}
    meta.write_text(json.dumps(data))
    zarr.open_array(directory / "b.zarr", mode="r")[:]


def _message(option: Option) -> bytes:
    arguments = _arguments(option)
    header = {"size": 1, "codec": arguments["codec"], "options": arguments["options"]}
    if arguments["filters"]:
        header["filters"] = arguments["filters"]
    return b"YGG_MSG_HEAD" + json.dumps(header).encode() + b"YGG_MSG_HEAD\xc0"


def _decode_a_message(option: Option, directory: Path) -> None:
    pc.decode(_message(option))


def _unpack_a_message(option: Option, directory: Path) -> None:
    pc.Channel().unpack(_message(option))


def _open_lazily(option: Option, directory: Path) -> None:
    (directory / "x").write_bytes(b"x")
    arguments = _arguments(option)
    pc.open(directory / "x", lazy=True, of_others=True, **arguments).to_python()


DOORS: list[Callable[[Option, Path], None]] = [
    _numcodecs,
    _numcodecs_encode,
    _zarr_3,
    _zarr_2,
    _decode_a_message,
    _unpack_a_message,
    _open_lazily,
]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__.strip("_"))
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option[1]}.{option[2]}")
def test_every_door_denies_them(option: Option, door: Callable[[Option, Path], None], tmp_path: Path) -> None:
    with pytest.raises(pc.DeniedError, match="is for the host alone"):
        door(option, tmp_path)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option[1]}.{option[2]}")
def test_calls_that_say_whose_they_are(option: Option, tmp_path: Path) -> None:
    given = _arguments(option)
    formats = {"options": given["options"], "filters": given["filters"]}
    registry = pc.Registry()
    pc.save([1], tmp_path / "x.msgpack")
    for call in (
        lambda: registry.encode([1], given["codec"], of_others=True, **formats),
        lambda: registry.decode(b"x", given["codec"], of_others=True, **formats),
        lambda: registry.save([1], tmp_path / "y", given["codec"], of_others=True, **formats),
        lambda: registry.convert(tmp_path / "x.msgpack", tmp_path / "y", given["codec"], of_others=True, **formats),
    ):
        with pytest.raises(pc.DeniedError, match="is for the host alone"):
            call()


def test_entry_points_are_those_that_are_tried() -> None:
    """Whoever adds a door by which other libraries bring configurations adds it above."""
    points = {(point.group, point.name) for point in distribution("polycodec").entry_points}
    foreign = {group for group, _ in points if not re.fullmatch("console_scripts|dask.*|distributed.*", group)}
    assert foreign == {"numcodecs.codecs", "zarr.codecs", "xarray.backends"}  # xarray: options are the caller's


def test_a_pipe_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(pc.PolycodecError, match="pipe or a device"):
        pc.decode(b"x", "fastbin", options={"schema_file": os.fspath(tmp_path / "pipe")})
