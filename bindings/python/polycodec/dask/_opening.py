# SPDX-License-Identifier: MIT
"""How the files of a collection are opened, on whichever worker."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from polycodec._core import Value
from polycodec._errors import DeniedError, FileError, PolycodecError
from polycodec.dask._files import File
from polycodec.dask._registries import registry_of


@dataclass(frozen=True)
class Failure:
    """A file that could not be read (``on_error="collect"``): its name, the code of the error, and its text."""

    source: str
    code: str
    message: str


@dataclass(frozen=True)
class Opening:
    """The arguments of read() that workers need."""

    at: str | None = None
    columns: tuple[str, ...] | None = None
    rows: tuple[int, int | None] | None = None
    codec: str | None = None
    options: Any = None
    filters: Any = None
    limits: dict[str, int] | None = None
    allowlist: Any = None
    timeout: float | None = None
    threads: int = 1
    registry: dict[str, Any] | None = None

    def open(self, file: File, rows: tuple[int, int] | None = None, columns: tuple[str, ...] | None = None) -> Value:
        """Opens a file, or rows of it, and returns the part ``at``.

        ``rows`` counts from the first row that the collection has of the file. ``columns`` are used if the collection has
        none. Raises the error of the library, with the name of the file.
        """
        return self.part_of(self.whole(file, rows, columns), file)

    def whole(self, file: File, rows: tuple[int, int] | None = None, columns: tuple[str, ...] | None = None) -> Value:
        """Opens a file as open() does, and returns the value that the part ``at`` is in."""
        with _named(file):
            if file.problem:
                raise DeniedError(file.problem, "denied")
            return registry_of(self.registry).open(
                file.location,
                self.codec,
                options=self.options,
                filters=self.filters,
                columns=self.columns or columns or ((self.at,) if self.at else None),
                rows=self._absolute(rows),
                limits=self.limits,
                allowlist=self.allowlist,
                timeout=self.timeout,
                threads=self.threads,
            )

    def part_of(self, whole: Value, file: File) -> Value:
        """Returns the part ``at`` of a file's value."""
        with _named(file):
            return whole if self.at is None else whole[self.at]

    def _absolute(self, rows: tuple[int, int] | None) -> slice | None:
        if rows is None:
            return slice(*self.rows) if self.rows else None
        first = self.rows[0] if self.rows else 0
        return slice(first + rows[0], first + rows[1])


@contextlib.contextmanager
def _named(file: File) -> Iterator[None]:
    """Puts the name of a file into errors."""
    try:
        yield
    except PolycodecError as error:
        error.message = f"{file.source}: {error.message}"
        raise
    except OSError as error:
        raise FileError(f"{file.source}: {error}", "io") from error


def failure_of(file: File, error: PolycodecError) -> Failure:
    """Returns the failure for an error of a file."""
    return Failure(file.source, error.code, str(error))
