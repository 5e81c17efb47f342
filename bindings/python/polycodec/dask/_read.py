# SPDX-License-Identifier: MIT
"""Many files as one collection of dask."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dask.base import compute, tokenize
from dask.delayed import delayed
from dask.utils import parse_bytes

from polycodec._core import Value
from polycodec._errors import InvalidError, PolycodecError
from polycodec.dask._batches import batches, files_per_batch
from polycodec.dask._describe import Description, describe_batch
from polycodec.dask._files import File, find
from polycodec.dask._opening import Failure, Opening, failure_of
from polycodec.dask._ranges import Ranges

_ON_ERROR = ("raise", "skip", "collect")
_DESCRIBING_TASKS = 64


@dataclass(frozen=True)
class Partition:
    """A file, or some rows of it, and where their bytes are if that is known."""

    file: File
    rows: tuple[int, int] | None = None
    ranges: Ranges | None = None
    columns: tuple[str, ...] | None = None


def read(
    files: Any,
    *,
    columns: Iterable[str] | str | None = None,
    rows: slice | range | None = None,
    chunks: int | str | None = None,
    at: str | None = None,
    on_error: str = "raise",
    **opening: Any,
) -> Files:
    """Returns files (see find()) as a collection: one partition a file, or a chunk of a file.

    ``columns`` and ``rows`` choose parts of each file. ``at`` is the path of the part that makes the partitions, such as
    ``$.vertex``. ``chunks`` is the number of rows of a partition, or its size in bytes such as "64 MiB".

    ``on_error`` says what is done with a file that cannot be read. "raise" raises its error. "skip" leaves it out.
    "collect" leaves it out and keeps a Failure: in ``errors``, and in its place in delayed values and bags.

    Further arguments: ``codec``, ``options``, ``filters``, ``limits``, ``allowlist``, ``timeout``, ``threads`` for each
    file (1, because a worker runs one task for each of its threads), and ``registry`` with the arguments of the registry of
    the workers. Nothing is read before a collection needs it. Files must have the same paths on all workers.
    """
    if on_error not in _ON_ERROR:
        raise InvalidError(f"unknown on_error '{on_error}': must be one of {', '.join(_ON_ERROR)}", "option")
    if isinstance(chunks, int) and chunks < 1:
        raise InvalidError(f"invalid chunks '{chunks}': must be at least 1 row", "option")
    how = Opening(
        at=at,
        columns=(columns,) if isinstance(columns, str) else tuple(columns) if columns is not None else None,
        rows=(rows.start or 0, rows.stop) if rows is not None else None,
        **opening,
    )
    return Files(find(files), how, chunks, on_error)


class Files:
    """Files that collections of dask are made of. Threads: any."""

    def __init__(self, files: list[File], opening: Opening, chunks: int | str | None, on_error: str) -> None:
        self.files = files
        self._opening = opening
        self._chunks = chunks
        self._on_error = on_error
        self._described: dict[str, list[Description | Failure]] = {}

    @property
    def errors(self) -> list[Failure]:
        """The files that could not be described so far (``on_error="collect"``)."""
        found = {item: None for items in self._described.values() for item in items if isinstance(item, Failure)}
        return list(found) if self._on_error == "collect" else []

    def to_delayed(self) -> list[Any]:
        """Returns a delayed value for each partition. Of a file that cannot be read it is None (skip) or a Failure."""
        load = delayed(functools.partial(_load, self._opening, self._on_error), pure=True)
        return [load(part, dask_key_name=f"polycodec-read-{_token(self, part)}") for part in self._partitions("rows")]

    def to_bag(self) -> Any:
        """Returns a bag of values, one for each partition. The values may have any types."""
        import dask.bag

        load = delayed(functools.partial(_load_list, self._opening, self._on_error), pure=True)
        names = ((part, f"polycodec-bag-{_token(self, part)}") for part in self._partitions("rows"))
        return dask.bag.from_delayed([load(part, dask_key_name=name) for part, name in names])

    def to_dask_array(self) -> Any:
        """Returns the rows of all files as one dask array, with the dtype that holds the numbers of all of them.

        Describes the files first. Raises MismatchError that shows two types if rows have unlike shapes.
        """
        import dask.array

        from polycodec.dask._unify import dtype_of

        described = self._describe("array")
        dtype, shape = dtype_of(described)
        load = delayed(functools.partial(_load_array, self._opening, dtype.str), pure=True)
        pieces = []
        for part, length in self._chunked(described):
            piece = load(part, dask_key_name=f"polycodec-array-{_token(self, part, dtype.str)}")
            pieces.append(dask.array.from_delayed(piece, (length, *shape), dtype))
        return dask.array.concatenate(pieces)

    def to_dask_awkward(self) -> Any:
        """Returns the rows of all files as one array of dask-awkward, with a type that all files can have.

        Describes the files first. Raises MismatchError that shows two types if there is no such type.
        """
        import dask_awkward

        from polycodec.dask._unify import empty_of

        described = self._describe("awkward")
        empty = empty_of(described)
        parts = [part for part, _ in self._chunked(described)]
        return dask_awkward.from_map(
            functools.partial(_load_awkward, self._opening, empty),
            parts,
            label="polycodec-awkward",
            token=_token(self, parts),
            meta=dask_awkward.lib.core.typetracer_array(empty),
        )

    def _describe(self, wanted: str) -> list[Description]:
        """Describes all files in tasks of the scheduler that dask uses now, and remembers it."""
        if wanted not in self._described:
            some = files_per_batch(len(self.files), _DESCRIBING_TASKS // 8)
            describe = delayed(functools.partial(describe_batch, self._opening), pure=False)
            found = compute(*[describe(batch, wanted) for batch in batches(self.files, some)])
            self._described[wanted] = [item for items in found for item in items]
        for item in self._described[wanted]:
            if isinstance(item, Failure) and self._on_error == "raise":
                raise _error_of(item)
        described = [item for item in self._described[wanted] if isinstance(item, Description)]
        if not described and wanted != "rows":
            raise InvalidError("no file could be read: see errors with on_error='collect'", "invalid")
        return described

    def _partitions(self, wanted: str) -> list[Partition]:
        """Returns the partitions of bags and delayed values. Files are described only if they are read in chunks."""
        if self._chunks is None:
            return [Partition(file) for file in self.files]
        parts = [part for part, _ in self._chunked(self._describe(wanted))]
        failed = {item.source for item in self._described[wanted] if isinstance(item, Failure)}
        return parts + [Partition(file) for file in self.files if file.source in failed]

    def _chunked(self, described: list[Description]) -> list[tuple[Partition, int]]:
        """Returns partitions with their rows."""
        found = []
        for item in described:
            rows = item.rows
            step = self._rows_a_chunk(item)
            if rows is None or step is None or rows <= step:
                found.append((Partition(item.file), rows or 0))
                continue
            for first in range(0, rows, step):
                end = min(first + step, rows)
                found.append((Partition(item.file, (first, end), item.ranges, item.columns), end - first))
        return found

    def _rows_a_chunk(self, item: Description) -> int | None:
        if not isinstance(self._chunks, str) or not item.rows:
            return self._chunks if isinstance(self._chunks, int) else None
        size = parse_bytes(self._chunks)
        return max(1, int(size * item.rows / max(item.file.size, 1)))


def _token(*parts: Any) -> str:
    files, *others = parts
    return str(tokenize(files._opening, files._on_error, *others))


def _open(opening: Opening, part: Partition) -> Value:
    if part.ranges is not None and part.rows is not None:
        return part.ranges.read(part.file, part.rows)
    return opening.open(part.file, part.rows, part.columns)


def _load(opening: Opening, on_error: str, part: Partition) -> Any:
    try:
        return _open(opening, part)
    except PolycodecError as error:
        if on_error == "raise":
            raise
        return failure_of(part.file, error) if on_error == "collect" else None


def _load_list(opening: Opening, on_error: str, part: Partition) -> list[Any]:
    loaded = _load(opening, on_error, part)
    return [] if loaded is None else [loaded]


def _load_array(opening: Opening, dtype: str, part: Partition) -> Any:
    import numpy

    return numpy.asarray(_open(opening, part)).astype(dtype, copy=False)


def _load_awkward(opening: Opening, empty: Any, part: Partition) -> Any:
    from polycodec.dask._unify import like

    return like(_open(opening, part).to_awkward(), empty)


def _error_of(failure: Failure) -> PolycodecError:
    from polycodec._errors import _CODES

    kind = dict(_CODES).get(failure.code, PolycodecError)
    return kind(failure.message, failure.code)
