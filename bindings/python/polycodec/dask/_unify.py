# SPDX-License-Identifier: MIT
"""One type for the arrays of many files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import awkward
import numpy as np

from polycodec._errors import MismatchError
from polycodec.dask._describe import Description

_KEPT = ("__array__",)


def without_metadata(array: Any) -> Any:
    """Returns an awkward array without the metadata of its file, which would make each file a type of its own."""

    def keep(layout: Any, **_: Any) -> None:
        layout._parameters = {key: item for key, item in layout.parameters.items() if key in _KEPT} or None

    copied = awkward.Array(awkward.to_layout(array).copy())
    awkward.transform(keep, copied)
    return copied


def empty_of(descriptions: Sequence[Description]) -> Any:
    """Returns an array without items whose type all files can have: awkward's rules for concatenation say which.

    Raises MismatchError that shows both types if it would be a union that no file has.
    """
    joined = _empty(descriptions[0])
    first = {str(joined.type): descriptions[0]}
    for description in descriptions[1:]:
        other = _empty(description)
        if str(other.type) in first:
            continue
        both = awkward.concatenate([joined, other])
        if _unions(both.layout.form) > max(_unions(joined.layout.form), _unions(other.layout.form)):
            raise _mismatch(descriptions[0], description)
        joined = both
        first[str(other.type)] = description
    return joined


def like(array: Any, empty: Any) -> Any:
    """Returns an array with the type of an array without items."""
    wanted = awkward.type(empty).content
    plain = without_metadata(array)
    return plain if awkward.type(plain).content == wanted else awkward.enforce_type(plain, wanted)


def dtype_of(descriptions: Sequence[Description]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Returns the dtype that holds the numbers of all files, and the shape of a row. Raises MismatchError as empty_of()."""
    first = descriptions[0]
    assert first.dtype is not None and first.shape is not None
    dtype, shape = np.dtype(first.dtype), first.shape[1:]
    for other in descriptions[1:]:
        assert other.dtype is not None and other.shape is not None
        kinds = {np.dtype(x).kind in "iufcb" for x in (dtype, other.dtype)}
        if other.shape[1:] != shape or kinds == {True, False}:
            raise _mismatch(first, other)
        dtype = np.result_type(dtype, np.dtype(other.dtype))
    return dtype, shape


def _empty(description: Description) -> Any:
    return awkward.Array(awkward.forms.from_dict(description.form).length_zero_array())


def _unions(form: Any) -> int:
    return str(form.to_dict()).count("'UnionArray'")


def _mismatch(one: Description, other: Description) -> MismatchError:
    return MismatchError(
        f"the files have types that do not unify: '{one.file.source}' has {one.type}, and '{other.file.source}' has "
        f"{other.type}; read them apart, or choose columns= that they share",
        "type",
    )
