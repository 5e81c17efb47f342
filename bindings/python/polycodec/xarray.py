# SPDX-License-Identifier: MIT
"""Files with array records as datasets: xarray.open_dataset(path, engine="polycodec"). xarray finds it by its entry point.

The columns of one array of records share a dimension. A column of lists becomes two variables, in the way of contiguous
ragged arrays of the CF conventions: its numbers, and the number of them in each row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import xarray
from xarray.backends import BackendEntrypoint

import polycodec
from polycodec._columns import columns, flat, is_list
from polycodec._core import spend, walk

_UNITS_OF_VARIABLE = 5000  # of work
_BYTES_OF_VARIABLE = 4000


def _attributes(metadata: Any) -> dict[str, Any]:
    if not isinstance(metadata, Mapping):
        return {}
    # The CF conventions, which xarray follows, have the unit of a variable in "units".
    names = {name: "units" if name == "unit" and "units" not in metadata else str(name) for name in metadata}
    return {names[k]: v for k, v in metadata.items() if isinstance(v, str | int | float)}


_DATASET = {"coords", "attrs", "dims", "data_vars"}  # of Dataset.to_dict()


def dataset_of(value: polycodec.Value) -> xarray.Dataset:
    """Makes the dataset of a value. Numbers are views of the value; text is copied. A dataset that was saved comes back."""
    if set(value.names) == _DATASET:
        return xarray.Dataset.from_dict(value.to_python(arrays="numpy"))
    return walk(value, lambda: _dataset_of(value))


def _dataset_of(value: polycodec.Value) -> xarray.Dataset:
    variables: dict[str, xarray.Variable] = {}
    for path, array, metadata in columns(value):
        spend(_UNITS_OF_VARIABLE, _BYTES_OF_VARIABLE)
        name = ".".join(path) or "values"
        dimension = ".".join(path[:-1]) or "row"
        attributes = _attributes(metadata)
        if is_list(array) and array.children[0].layout == "ndarray":
            numbers, offsets = flat(array)
            inner = f"{name}.item"
            rest = [f"{name}.{i}" for i in range(1, numbers.ndim)]
            variables[name] = xarray.Variable([inner, *rest], numbers, attributes)
            counts = {"sample_dimension": inner}
            variables[f"{name}.count"] = xarray.Variable([dimension], np.diff(offsets), counts)
        elif array.layout == "ndarray" and array.typestr:
            numbers = array.to_numpy()
            rest = [f"{name}.{i}" for i in range(1, numbers.ndim)]
            variables[name] = xarray.Variable([dimension, *rest], numbers, attributes)
        else:
            spend(array.length // 4, 8 * array.length)
            items = np.empty(array.length, object)
            items[:] = array.value.to_python()
            variables[name] = xarray.Variable([dimension], items, attributes)
    return xarray.Dataset(variables, attrs=_attributes(value.metadata))


class PolycodecBackend(BackendEntrypoint):
    """The engine "polycodec" of xarray."""

    description: ClassVar[str] = "Open files of Awkward 0.x, PLY, OBJ, DyND, fastbin, msgpack and yggdrasil"
    open_dataset_parameters: ClassVar[tuple[str, ...]] = ("filename_or_obj", "drop_variables", "codec", "at", "options")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        codec: str | None = None,
        at: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> xarray.Dataset:
        """Opens a file. ``at`` is the path of the part to open, such as ``$.vertex``. The rest as for polycodec.open()."""
        value = polycodec.open(filename_or_obj, codec=codec, options=options)
        dataset = dataset_of(value if at is None else value[at])
        dropped = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        return dataset.drop_vars(dropped, errors="ignore")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        if not isinstance(filename_or_obj, str | os.PathLike):
            return False
        extension = os.path.splitext(filename_or_obj)[1]
        return bool(extension) and any(extension in codec["extensions"] for codec in polycodec.codecs())
