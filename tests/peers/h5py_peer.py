# SPDX-License-Identifier: MIT
"""h5py: files with all kinds of foreign datasets, into which polycodec adds, replaces and removes values. What is foreign
stays as it was, in value, type, layout and attributes. The values are read as Awkward 0.x reads them."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import awkward0
import h5py
import numpy as np

import typed
from compare import Run, same

FILTERS: list[dict[str, Any]] = [
    {},
    {"compression": "gzip"},
    {"compression": "gzip", "shuffle": True},
    {"compression": "lzf"},
    {"fletcher32": True},
    {"scaleoffset": 0},
]


class Foreign:
    """Writes a random file and describes one, without the datasets of polycodec."""

    def __init__(self, run: Run) -> None:
        self.v = run.values
        self.r = run.values.random

    def dtype(self) -> Any:
        kind = self.v.one_of(["number", "big", "text", "bytes", "compound", "enum", "vlen", "array", "bool", "opaque"])
        if kind == "compound":
            return np.dtype([("a", ">i4"), ("b", "f8", (2,)), ("c", "S5")])
        if kind == "enum":
            return h5py.enum_dtype({"RED": 1, "BLUE": 7}, basetype="u2")
        if kind == "opaque":
            return np.dtype("V6")
        simple: dict[str, Any] = {"number": "f4", "big": ">i8", "bytes": "S7", "array": ("<f4", (3,)), "bool": "?"}
        if kind in simple:
            return np.dtype(simple[kind])
        return h5py.string_dtype(self.v.one_of(["utf-8", "ascii"])) if kind == "text" else h5py.vlen_dtype("i4")

    def fill(self, dataset: Any) -> None:
        dtype = dataset.dtype
        if dataset.shape is None:
            return
        size = int(np.prod(dataset.shape))
        if h5py.check_string_dtype(dtype) is not None and dtype.kind == "O":
            data = np.array([self.v.name() for _ in range(size)], dtype=object)
        elif dtype.kind == "O":
            for place in np.ndindex(dataset.shape):
                dataset[place] = np.arange(self.r.randrange(4), dtype="i4")
            return
        elif h5py.check_enum_dtype(dtype) and dtype.kind == "u":
            data = np.array([self.v.one_of([1, 7]) for _ in range(size)], dtype=dtype)
        else:
            data = np.frombuffer(self.r.randbytes(size * dtype.itemsize), dtype="u1")
            data = data & 1 if dtype.kind == "b" else data
            if size:  # as the file has them, whatever the type
                dataset.id.write(h5py.h5s.ALL, h5py.h5s.ALL, data.copy(), mtype=dataset.id.get_type())
            return
        dataset[...] = data.reshape(dataset.shape) if dataset.shape else data[0]

    def attributes(self, at: Any) -> None:
        for name in self.v.names(self.r.randrange(3)):
            at.attrs[name] = self.v.one_of(
                [5, 1.5, "text é", np.arange(3, dtype=">i2"), b"bytes", np.array(["a", "b"], "S1")]
            )
        if self.r.random() < 0.1:
            at.attrs["none"] = h5py.Empty("f4")

    def dataset(self, group: Any, name: str) -> Any:
        shape = self.v.one_of([(), (0,), (1,), (5,), (3, 4)])
        dtype = self.dtype()
        if self.r.random() < 0.1:
            return group.create_dataset(name, data=h5py.Empty("f8"))
        more: dict[str, Any] = {}
        if shape and self.r.random() < 0.6 and np.prod(shape):
            more = {
                "chunks": tuple(max(1, n // 2) for n in shape),
                "maxshape": tuple(self.v.one_of([None, 50]) for _ in shape),
            }
            filters = dict(self.v.one_of(FILTERS))
            if "scaleoffset" not in filters or (isinstance(dtype, np.dtype) and dtype.kind in "iu" and not dtype.metadata):
                more |= {} if dtype.kind == "O" and "fletcher32" in filters else filters
        if dtype.kind == "f" and not dtype.shape and self.r.random() < 0.5:
            more["fillvalue"] = 9.5
        found = group.create_dataset(name, shape=shape, dtype=dtype, track_times=False, **more)
        if "fillvalue" not in more or self.r.random() < 0.5:
            self.fill(found)
        return found

    def write(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        with h5py.File(path, "w", libver=self.v.one_of([None, "latest", "earliest"])) as file:
            groups = [file, file.create_group("deep"), file.create_group("deep/er", track_order=True)]
            datasets = []
            for i in range(self.r.randrange(1, 8)):
                group = self.v.one_of(groups)
                datasets.append(self.dataset(group, f"foreign{i}"))
                self.attributes(datasets[-1])
            for group in groups:
                self.attributes(group)
            file["hard"] = datasets[0]
            file["soft"] = h5py.SoftLink("/deep/nowhere")
            file["outside"] = h5py.ExternalLink("other.h5", "/x")
            file["a_type"] = np.dtype(">f4")
            refs = file.create_dataset("references", (2,), dtype=h5py.ref_dtype)
            refs[0] = datasets[-1].ref
            region = file.create_dataset("region", (1,), dtype=h5py.regionref_dtype)
            region[0] = refs.regionref[0:1]
            if datasets[0].shape:
                datasets[0].dims[0].label = "first"

    def describe(self, path: Path, ours: set[str]) -> dict[str, Any]:
        """Everything in a file by its name, but for the top-level names in `ours`."""
        found: dict[str, Any] = {}
        with h5py.File(path, "r") as file:
            self.group(file, "", found, ours)
        return found

    def group(self, group: Any, prefix: str, found: dict[str, Any], ours: set[str]) -> None:
        found[prefix + "/"] = attributes_of(group)
        for name in group:
            if not prefix and name in ours:
                continue
            link = group.get(name, getlink=True)
            place = f"{prefix}/{name}"
            if not isinstance(link, h5py.HardLink):
                found[place] = {"link": str(vars(link))}
            elif isinstance(group[name], h5py.Group):
                self.group(group[name], place, found, ours)
            elif isinstance(group[name], h5py.Datatype):
                found[place] = {"type": group[name].id.encode()}
            else:
                found[place] = dataset_of(group[name])


def raw(value: Any) -> Any:
    """A value of h5py as something that can be compared."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return [raw(x) for x in value.flat]
        return (str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, h5py.Reference | h5py.RegionReference):
        return "a reference" if value else "null"
    return value.tobytes() if isinstance(value, np.generic) else value if isinstance(value, bytes | str) else str(value)


def attributes_of(at: Any) -> dict[str, Any]:
    return {name: (at.attrs.get_id(name).get_type().encode(), raw(at.attrs[name])) for name in at.attrs}


def dataset_of(dataset: Any) -> dict[str, Any]:
    creation = dataset.id.get_create_plist()
    found: dict[str, Any] = {
        "type": dataset.id.get_type().encode(),
        "space": dataset.id.get_space().encode(),
        "layout": (creation.get_layout(), dataset.chunks, dataset.maxshape),
        "filters": [creation.get_filter(i) for i in range(creation.get_nfilters())],
        "fill": (creation.fill_value_defined(), creation.get_fill_time(), creation.get_alloc_time()),
        "stored": dataset.id.get_storage_size(),
        "attributes": attributes_of(dataset),
        "value": None if dataset.shape is None else raw(dataset[()]),
    }
    if dataset.dtype.metadata and dataset.dtype.metadata.get("ref") is h5py.Reference and dataset.shape:
        found["points at"] = [dataset_of(dataset.file[x]) if x else None for x in dataset[()]]
    if dataset.shape is not None and dataset.chunks and dataset.size:
        infos = [dataset.id.get_chunk_info(i) for i in range(dataset.id.get_num_chunks())]
        found["chunks"] = sorted((x.chunk_offset, x.filter_mask, x.size) for x in infos)
    return found


def main() -> int:
    warnings.simplefilter("ignore")
    run = Run("h5py", ["command"])
    foreign = Foreign(run)

    def store(*words: object) -> None:
        command = [
            run.options.command,
            "store",
            *words,
            "--to",
            "awkward",
            "--plugin-path",
            run.options.plugins,
            "--quiet",
        ]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def change(i: int) -> None:
        path, value = run.work / "foreign.h5", run.work / "value.json"
        foreign.write(path)
        before = foreign.describe(path, set())
        first = run.values.array(["i4", "f8", "u2"], (run.values.random.randrange(1, 9),))
        second = run.values.array(["f4", "i8"], (4,))
        for name, array, do in (("evt", first, "add"), ("other", second, "add"), ("evt", second, "replace")):
            value.write_text(json.dumps(typed.written(array)["$value"]))
            store(do, path, name, value)
            unchanged(before, foreign.describe(path, {"evt", "other"}))
            same(read_back(path, name), array)
        store("delete", path, "other")
        unchanged(before, foreign.describe(path, {"evt"}))
        same(read_back(path, "evt"), second)
        store("delete", path, "evt")
        unchanged(before, foreign.describe(path, set()))

    run.each("files changed", change, max(1, run.options.count // 20))
    return run.finish()


def unchanged(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert list(before) == list(after), (list(before), list(after))
    for name, parts in before.items():
        for part, value in parts.items():
            assert after[name][part] == value, f"{name}, {part}: {value!r} became {after[name][part]!r}"[:600]


def read_back(path: Path, name: str) -> Any:
    with h5py.File(path, "r") as file:
        return np.asarray(awkward0.hdf5(file)[name])


if __name__ == "__main__":
    sys.exit(main())
