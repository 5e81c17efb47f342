# SPDX-License-Identifier: MIT
"""Files in batches: a task costs the scheduler about as much as a small file costs a worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polycodec.dask._files import File

MOST_FILES = 256
MOST_BYTES = 64 << 20
_BATCHES_PER_THREAD = 8


def files_per_batch(files: int, threads: int) -> int:
    """Returns how many small files a batch has: many, but enough batches that all threads end at about one time."""
    return max(1, min(MOST_FILES, files // (max(threads, 1) * _BATCHES_PER_THREAD)))


def batches(files: Iterable[File], most_files: int, most_bytes: int = MOST_BYTES) -> Iterator[list[File]]:
    """Yields files in batches of at most so many files and bytes. A larger file is a batch of its own."""
    batch: list[File] = []
    size = 0
    for file in files:
        if batch and (len(batch) >= most_files or size + file.size > most_bytes):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch
