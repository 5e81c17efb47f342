# SPDX-License-Identifier: MIT
"""Collections in HDF5 files, such as those of Awkward 0.x, through h5py: the wheel has no HDF5 of its own."""

from __future__ import annotations

import math
import mmap
import os
import tempfile
import threading
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

import polycodec
from polycodec._errors import DeniedError, FormatError, LimitError, PolycodecError, UnsupportedError

if TYPE_CHECKING:
    import h5py


# deflate, shuffle, fletcher32, szip, nbit, scaleoffset, and the lzf of h5py. Others are libraries that HDF5 would load.
_BUILT_IN = {1, 2, 3, 4, 5, 6, 32000}


_MOST_READ = 1 << 26  # bytes of a file that is read and not mapped


def _linked(group: h5py.Group, name: str) -> Any:
    """The member of a group if it is in the group's file. Links may name other files, and any place in this one."""
    import h5py

    try:
        link = group.get(name, getlink=True)
        found = group[name] if isinstance(link, h5py.HardLink) else None
    except Exception as error:  # of broken files, h5py raises many
        raise _refused(name, f"cannot be opened ({error})", "malformed") from error
    if link is None:
        raise KeyError(f"'{name}' is not in the file")
    if found is None:
        raise _refused(name, "is a soft or external link")
    return found


def _refused(name: str, why: str, code: str = "denied") -> PolycodecError:
    kind = {"denied": DeniedError, "malformed": FormatError, "unsupported": UnsupportedError}[code]
    return kind(f"'{name}' {why}", code, detail="hdf5.broken" if code == "malformed" else "hdf5.refused")


def _check_storage(name: str, dataset: h5py.Dataset) -> None:
    """Refuses a dataset whose data is not in its file, or whose elements are not plain bytes."""
    import h5py

    if dataset.is_virtual:
        raise _refused(name, "takes its data from other datasets")
    if dataset.external:
        raise _refused(name, "keeps its data in another file")
    if dataset.shape is None or dataset.dtype.kind not in "iufbSV" or dataset.dtype.hasobject:
        raise _refused(name, "has elements of a type that is not plain bytes", "unsupported")
    stored = dataset.id.get_create_plist()
    if any(stored.get_filter(i)[0] not in _BUILT_IN for i in range(stored.get_nfilters())):
        raise _refused(name, "is packed by a filter that is not built into HDF5", "unsupported")
    # HDF5 reads as many bytes as the shape says from a compact dataset, also beyond its end.
    if stored.get_layout() == h5py.h5d.COMPACT and dataset.id.get_storage_size() < _size(dataset):
        raise _refused(name, "stores fewer bytes than its shape says", "malformed")


def _size(dataset: h5py.Dataset) -> int:
    return int(math.prod(dataset.shape) * dataset.dtype.itemsize)


class _Datasets:
    """The datasets below a group of a file as blobs: contiguous ones are mapped, others are read when asked for.

    As the store plugin for HDF5 does it: only the file itself is read, and what is read takes at most ``most`` bytes.
    """

    def __init__(self, group: h5py.Group, array: str, most: int) -> None:
        import h5py

        self._lock = threading.Lock()
        self._datasets: list[h5py.Dataset | PolycodecError] = []
        self._map: mmap.mmap | None = None
        self._most = self._left = most
        self.blobs: list[tuple[str, int]] = []
        for part in array.split("/"):
            group = _linked(group, part) if part else group
            if not isinstance(group, h5py.Group):
                raise _refused(part, "is a dataset and no group of Awkward 0.x: read it with h5py", "unsupported")
        self._list(group, f"{array}/")

    def close(self) -> None:
        """Lets go of the file, which is locked as long as a dataset of it is open."""
        self._datasets.clear()
        self._map = None

    def _list(self, group: h5py.Group, prefix: str) -> None:
        import h5py

        # Hard links may form cycles.
        open_groups, seen = [(group, prefix)], set()
        while open_groups:
            at, before = open_groups.pop()
            for name in at:
                found: Any
                try:
                    found = _linked(at, name)
                    if isinstance(found, h5py.Group):
                        place = h5py.h5o.get_info(found.id).addr
                        if place not in seen:
                            seen.add(place)
                            open_groups.append((found, f"{before}{name}/"))
                        continue
                    if not isinstance(found, h5py.Dataset):
                        continue
                    _check_storage(name, found)
                    size = _size(found)
                except PolycodecError as error:
                    found, size = error, 0
                self._datasets.append(found)
                self.blobs.append((f"{before}{name}", size))

    def read(self, i: int) -> memoryview:
        dataset = self._datasets[i]
        if isinstance(dataset, PolycodecError):
            raise dataset
        with self._lock:
            return self._mapped(dataset) or self._copied(dataset)

    def _copied(self, dataset: h5py.Dataset) -> memoryview:
        chunk = math.prod(dataset.chunks or ()) * int(dataset.dtype.itemsize)
        size = _size(dataset)
        if max(size, chunk) > self._left:
            raise LimitError(
                f"the datasets have more than {self._most} bytes: exceeds max_memory_bytes for this file; raise it", "limit"
            )
        self._left -= size
        return np.ascontiguousarray(dataset[()]).reshape(-1).view(np.uint8).data

    def _mapped(self, dataset: h5py.Dataset) -> memoryview | None:
        """The bytes of a dataset as they lie in the file, or None if they do not, or if the program may write to it."""
        offset, size = dataset.id.get_offset(), _size(dataset)
        file = dataset.file
        if offset is None or size == 0 or file.driver != "sec2" or file.mode != "r":
            return None
        if file.id.get_filesize() <= _MOST_READ:  # others may change or truncate it
            return None
        if self._map is None:
            # By the descriptor, because another file may have the name by now; but not with it, because a map keeps a
            # copy, which would keep the lock.
            descriptor = os.open(f"/proc/self/fd/{file.id.get_vfd_handle()}", os.O_RDONLY | os.O_CLOEXEC)
            try:
                self._map = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
            finally:
                os.close(descriptor)
        return memoryview(self._map)[offset : offset + size] if offset + size <= len(self._map) else None


def _decode(parent: h5py.Group, array: str, call: dict[str, Any]) -> polycodec.Value:
    options = {**(call.pop("options", None) or {}), "array": array}
    registry = polycodec.default_registry()
    bounds = registry.limits(call.get("limits"), input_bytes=parent.file.id.get_filesize())
    datasets = _Datasets(parent, array, bounds["max_memory_bytes"])
    try:
        return registry.decode_store(datasets, "awkward", options=options, **call)
    finally:
        datasets.close()


def open(file: str | os.PathLike[str] | h5py.Group, array: str, **call: Any) -> polycodec.Value:
    """Decodes an array that awkward0.hdf5() or save() wrote, from a file or a group of it.

    Datasets are read when the array needs them, without copies where they are contiguous in a file that is open for
    reading. The file may be closed afterwards. ``call`` as for polycodec.decode(). Only the file itself is read: soft and
    external links, external and virtual datasets are a DeniedError. What is read takes at most ``max_memory_bytes``. Raises
    KeyError if the file has none of this name.
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
