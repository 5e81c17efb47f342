# SPDX-License-Identifier: MIT
"""Generated files beside the libraries of Python that read and write the same formats, both ways."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import meshio
import msgpack
import msgpack_numpy
import numpy as np
import ormsgpack
import plyfile
import pytest
import trimesh
from conftest import IS_FULL, SEED
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import polycodec as pc
from polycodec import hdf5, mesh

many = settings(
    max_examples=400 if IS_FULL else 20, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | TEXT
DOCUMENTS = st.recursive(
    LEAVES | st.binary(max_size=5),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(TEXT, x, max_size=4),
    max_leaves=20,
)


@seed(SEED)
@many
@given(DOCUMENTS)
def test_ormsgpack(thing: Any) -> None:
    packed = ormsgpack.packb(thing)
    assert pc.decode(packed, "msgpack-ndarray").to_python() == thing
    assert pc.encode(thing, "msgpack-ndarray") == packed
    assert ormsgpack.unpackb(pc.encode(pc.decode(packed, "msgpack-ndarray"), "msgpack-ndarray")) == thing


NUMBERS = st.sampled_from(["?", *(order + kind for order in "<>" for kind in "bhiqBHIQefdFD")])
TIMES = st.sampled_from(["<M8[s]", ">M8[ns]", "<M8[D]", "<m8[us]", ">m8[h]"])


def _arrays(dtypes: Any, least: int = 0) -> Any:
    return dtypes.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=least, min_side=0, max_side=3)))


def _nested(leaf: Any) -> Any:
    return st.recursive(leaf, lambda x: st.lists(x, max_size=3) | st.dictionaries(TEXT, x, max_size=3), max_leaves=6)


def _same(found: Any, wanted: Any) -> bool:
    """Whether two trees with arrays are equal, bit by bit."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_same(found[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    if isinstance(wanted, np.ndarray):
        given = np.asarray(found)
        return given.dtype == wanted.dtype and given.shape == wanted.shape and given.tobytes() == wanted.tobytes()
    return bool(found == wanted)


@seed(SEED)
@many
@given(_nested(_arrays(NUMBERS, least=1) | LEAVES))  # it cannot write times
def test_msgpack_numpy(thing: Any) -> None:
    packed = msgpack.packb(thing, default=msgpack_numpy.encode)
    assert _same(pc.decode(packed, "msgpack-ndarray", options={"numpy_maps": True}).to_python(arrays="numpy"), thing)


def _array_of_ext(code: int, data: bytes) -> Any:
    body = msgpack.unpackb(data)
    return np.frombuffer(body["data"], body["typestr"]).reshape(body["shape"])


@seed(SEED)
@many
@given(_nested(_arrays(NUMBERS | TIMES, least=1) | LEAVES))
def test_arrays_of_msgpack(thing: Any) -> None:
    packed = pc.encode(thing, "msgpack-ndarray")
    assert _same(msgpack.unpackb(packed, ext_hook=_array_of_ext, strict_map_key=False), thing)
    assert _same(pc.decode(packed, "msgpack-ndarray").to_python(arrays="numpy"), thing)


NAMES = st.lists(st.sampled_from(["x", "y", "z", "red", "vertex_index", "confidence", "w_1"]), unique=True, min_size=1)
KINDS = st.sampled_from(["i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"])


def _exact(dtype: str) -> Any:
    return hnp.from_dtype(np.dtype(dtype), allow_nan=False, allow_infinity=False)


@st.composite
def ply_files(draw: Any) -> plyfile.PlyData:
    """A file of elements with numbers and lists of numbers."""
    elements = []
    for name in draw(st.lists(st.sampled_from(["vertex", "face", "edge", "other"]), unique=True, min_size=1)):
        count, kinds, lists = draw(st.integers(0, 4)), {}, {}
        for column in draw(NAMES):
            kinds[column] = draw(KINDS)
            if draw(st.booleans()):
                lists[column] = draw(st.sampled_from(["u1", "i4", "u2"]))
        rows = np.empty(count, [(x, "O" if x in lists else kind) for x, kind in kinds.items()])
        for row in rows:
            for x, kind in kinds.items():
                items = draw(st.lists(_exact(kind), max_size=4)) if x in lists else draw(_exact(kind))
                row[x] = np.array(items, kind) if x in lists else items
        elements.append(plyfile.PlyElement.describe(rows, name, val_types=kinds, len_types=lists))
    text, order = draw(st.sampled_from([(True, "="), (False, "<"), (False, ">")]))
    return plyfile.PlyData(elements, text=text, byte_order=order)


def _columns(data: plyfile.PlyData) -> dict[str, dict[str, list[Any]]]:
    return {
        element.name: {
            prop.name: [item.tolist() if hasattr(item, "tolist") else item for item in element[prop.name]]
            for prop in element.properties
        }
        for element in data.elements
    }


def _read_ply(data: bytes) -> dict[str, dict[str, list[Any]]]:
    return _columns(plyfile.PlyData.read(io.BytesIO(data)))


@seed(SEED)
@many
@given(ply_files(), st.sampled_from(["ascii", "binary_little_endian", "binary_big_endian"]))
def test_plyfile(data: plyfile.PlyData, other: str) -> None:
    file = io.BytesIO()
    data.write(file)
    wanted = _columns(data)
    value = pc.decode(file.getvalue(), "ply")
    assert {e: {p: value[e][p].to_python() for p in columns} for e, columns in wanted.items()} == wanted
    for element in data.elements:
        for prop in element.properties:
            column = value[element.name][prop.name]
            if not isinstance(prop, plyfile.PlyListProperty):
                assert column.to_numpy().dtype.newbyteorder("=") == np.dtype(prop.val_dtype)
    assert _read_ply(pc.encode(value, "ply")) == wanted
    assert _read_ply(pc.encode(value, "ply", options={"format": other})) == wanted


# Numbers that each format has exactly, also in text.
COORDINATES = st.integers(-(2**10), 2**10).map(lambda n: n / 8)


@st.composite
def triangles(draw: Any) -> trimesh.Trimesh:
    points = draw(st.lists(st.tuples(COORDINATES, COORDINATES, COORDINATES), min_size=3, max_size=8, unique=True))
    three = st.lists(st.integers(0, len(points) - 1), min_size=3, max_size=3, unique=True)
    return trimesh.Trimesh(np.array(points), draw(st.lists(three, min_size=1, max_size=6)), process=False)


def _corners(points: Any, faces: Any) -> list[Any]:
    found: list[Any] = np.asarray(points, "float64")[np.asarray(faces, "int64")].tolist()
    return found


def _ours(path: Path) -> list[Any]:
    if path.suffix == ".glb":  # trimesh writes extras
        pc.convert(path, path.with_suffix(".glb.ply"), on_loss=lambda *_: None)
        path = path.with_suffix(".glb.ply")
    found = mesh.read(path)
    return _corners(found.points, found.triangles())


def _of_trimesh(path: Path) -> list[Any]:
    found = trimesh.load(path, process=False, force="mesh", merge_norm=False, merge_tex=False)
    return _corners(found.vertices, found.faces)


def _of_meshio(path: Path) -> list[Any]:
    found = meshio.read(path)
    return _corners(found.points, np.concatenate([x.data for x in found.cells if x.type == "triangle"]))


def _by_trimesh(kind: str, **options: Any) -> Callable[[trimesh.Trimesh, Path], None]:
    def write(thing: trimesh.Trimesh, path: Path) -> None:
        data = thing.export(file_type=kind, **options)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    return write


def _by_meshio(kind: str, **options: Any) -> Callable[[trimesh.Trimesh, Path], None]:
    def write(thing: trimesh.Trimesh, path: Path) -> None:
        meshio.write(path, meshio.Mesh(thing.vertices, [("triangle", thing.faces)]), file_format=kind, **options)

    return write


WRITERS: dict[str, tuple[str, Callable[[trimesh.Trimesh, Path], None]]] = {
    "trimesh-ply": (".ply", _by_trimesh("ply")),
    "trimesh-ply-ascii": (".ply", _by_trimesh("ply", encoding="ascii")),
    "trimesh-obj": (".obj", _by_trimesh("obj")),
    "trimesh-stl": (".stl", _by_trimesh("stl")),
    "trimesh-stl-ascii": (".stl", _by_trimesh("stl_ascii")),
    "trimesh-glb": (".glb", _by_trimesh("glb")),
    "meshio-ply": (".ply", _by_meshio("ply", binary=True)),
    "meshio-ply-ascii": (".ply", _by_meshio("ply", binary=False)),
    "meshio-obj": (".obj", _by_meshio("obj")),
    "meshio-stl": (".stl", _by_meshio("stl", binary=True)),
}
READERS = {
    ".ply": (_of_trimesh, _of_meshio),
    ".obj": (_of_trimesh, _of_meshio),
    ".stl": (_of_trimesh,),
    ".glb": (_of_trimesh,),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_meshes(writer: str, tmp_path: Path) -> None:
    suffix, write = WRITERS[writer]
    path = tmp_path / f"a{suffix}"

    @seed(SEED)
    @settings(many, max_examples=many.max_examples // 3)
    @given(triangles())
    def run(thing: trimesh.Trimesh) -> None:
        wanted = _corners(thing.vertices, thing.faces)
        write(thing, path)
        assert _ours(path) == wanted
        for to, readers in READERS.items():
            other = tmp_path / f"b{to}"
            pc.convert(path, other, on_loss=lambda *_: None)
            assert _ours(other) == wanted, to
            for read in readers:
                assert read(other) == wanted, (to, read.__name__)

    run()


@seed(SEED)
@many
@given(st.lists(_arrays(NUMBERS, least=1).filter(lambda x: x.size), min_size=1, max_size=3), st.booleans())
def test_h5py(arrays: list[Any], is_packed: bool) -> None:
    """What is in a file of HDF5 is what h5py reads there, and may be stored by h5py in any way."""
    file = io.BytesIO()
    thing = {str(i): array for i, array in enumerate(arrays)}
    with h5py.File(file, "w") as first:
        hdf5.save(thing, first, "a")
        blobs = {name: first["a"][name][()] for name in first["a"]}
        value = hdf5.open(first, "a")
    assert _same(value.to_python(arrays="numpy"), thing)
    stored = b"".join(np.asarray(blob).tobytes() for blob in blobs.values())
    assert all(array.tobytes() in stored for array in arrays)
    with h5py.File(io.BytesIO(), "w") as second:
        for name, blob in blobs.items():
            how = {"chunks": True, "compression": "gzip"} if is_packed and np.asarray(blob).size else {}
            second.create_dataset(f"a/{name}", data=blob, **how)
        assert hdf5.open(second, "a") == value
