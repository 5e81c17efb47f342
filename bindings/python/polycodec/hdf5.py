# SPDX-License-Identifier: MIT
"""Collections in HDF5 files, such as those of Awkward 0.x, through h5py: the wheel has no HDF5 of its own."""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

import polycodec

if TYPE_CHECKING:
    import h5py


class _Datasets:
    """The datasets below a group of a file as blobs: contiguous ones are mapped, others are read when asked for."""

    def __init__(self, group: h5py.Group, array: str) -> None:
        import h5py

        self._lock = threading.Lock()
        self._datasets: list[h5py.Dataset] = []
        self._map: mmap.mmap | None = None
        self.blobs: list[tuple[str, int]] = []

        def add(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and item.dtype.kind in "iufbSV" and not item.dtype.hasobject:
                self.blobs.append((f"{array}/{name}", item.size * item.dtype.itemsize))
                self._datasets.append(item)

        group[array].visititems(add)

    def read(self, i: int) -> memoryview:
        dataset = self._datasets[i]
        with self._lock:
            return self._mapped(dataset) or np.ascontiguousarray(dataset[()]).reshape(-1).view(np.uint8).data

    def _mapped(self, dataset: h5py.Dataset) -> memoryview | None:
        """The bytes of a dataset as they lie in the file, or None if they do not, or if the program may write to it."""
        offset, size = dataset.id.get_offset(), dataset.size * dataset.dtype.itemsize
        file = dataset.file
        if offset is None or size == 0 or file.driver != "sec2" or file.mode != "r":
            return None
        if self._map is None:
            # The descriptor, because another file may have the name by now.
            self._map = mmap.mmap(file.id.get_vfd_handle(), 0, prot=mmap.PROT_READ)
        return memoryview(self._map)[offset : offset + size] if offset + size <= len(self._map) else None


def _decode(parent: h5py.Group, array: str, call: dict[str, Any]) -> polycodec.Value:
    options = {**(call.pop("options", None) or {}), "array": array}
    return polycodec.default_registry().decode_store(_Datasets(parent, array), "awkward", options=options, **call)


def open(file: str | os.PathLike[str] | h5py.Group, array: str, **call: Any) -> polycodec.Value:
    """Decodes an array that awkward0.hdf5() or save() wrote, from a file or a group of it.

    Datasets are read when the array needs them, without copies where they are contiguous in a file that is open for
    reading. The file may be closed afterwards. ``call`` as for polycodec.decode(). Raises KeyError if there is no such
    group.
    """
    import h5py

    if isinstance(file, h5py.Group):
        return _decode(file, array, call)
    with h5py.File(file, "r") as opened:
        return _decode(opened, array, call)


def save(value: Any, file: str | os.PathLike[str] | h5py.Group, array: str, **call: Any) -> None:
    """Writes anything that polycodec.encode() takes as an array that awkward0.hdf5() reads. Other groups stay as they are.

    ``call`` as for polycodec.save(). Raises ValueError if there is a group of this name.
    """
    import h5py

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "array.awkd")
        options = {**(call.pop("options", None) or {}), "array": array, "container": "hdf5"}
        polycodec.save(value, path, "awkward", options=options, **call)
        with zipfile.ZipFile(path) as store:

            def write(into: h5py.Group) -> None:
                into.create_group(array)
                for name in store.namelist():
                    into.create_dataset(name, data=np.frombuffer(store.read(name), np.uint8))

            if isinstance(file, h5py.Group):
                write(file)
                return
            with h5py.File(file, "a") as opened:
                write(opened)
