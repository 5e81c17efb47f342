# SPDX-License-Identifier: MIT
"""Conversion of many files on a cluster."""

from __future__ import annotations

import itertools
import os
import sys
import uuid
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from distributed import KilledWorker, as_completed, get_client

from polycodec._errors import FileError, InvalidError, PluginError
from polycodec.dask._batches import batches, files_per_batch
from polycodec.dask._convert_file import Record, convert_batch, empty_record, fail
from polycodec.dask._files import File, find, is_url
from polycodec.dask._job import Job
from polycodec.dask._journal import Journal, keep_report_apart
from polycodec.dask._progress import Progress
from polycodec.dask._registries import entry, registry_of
from polycodec.dask._report import Report, one_each, raise_error_of

REPORT_NAME = "polycodec-report.jsonl"
_BATCHES_AHEAD = 4  # for each thread of the cluster: enough that no worker waits, few for the scheduler's memory
_ON_ERROR = ("collect", "skip", "raise")


def convert(
    files: Any,
    *,
    to: str,
    out: Any,
    columns: Iterable[str] | str | None = None,
    rows: slice | range | None = None,
    select: str | None = None,
    client: Any = None,
    report: Any = None,
    on_error: str = "collect",
    progress: bool | None = None,
    batch: int | None = None,
    registry: dict[str, Any] | None = None,
    **job: Any,
) -> Report:
    """Converts files (see find()) to the codec ``to``, below the directory or URL ``out``, on the workers of a client.

    Each output exists once: it appears under its name when it is complete, also if a worker dies or two workers convert one
    file. The report has a record of each file. While the run lasts they are in a file beside it, with ``.journal`` after
    its name. After an interrupted run the same call continues: it leaves out files whose source (size, time and hash),
    codecs, options and output are those of their record. ``polycodec convert --resume`` continues it as well.

    Files and ``out`` must have the same paths on all workers. ``columns`` and ``rows`` choose parts, and ``select`` is
    the path of the part that is written. ``report`` is the path of the report, by default ``polycodec-report.jsonl`` in
    ``out``. ``on_error``: "collect" records files that fail, "skip" records them as ignored, "raise" ends the run at the
    first one. Files of unknown formats in a directory are ignored. ``progress`` shows a line in the terminal, by default if
    there is one. ``batch`` is the number of files a task, by default by their number and size.
    ``registry`` has the arguments of the registry of the workers: ``config``, ``policy``, ``isolation``, ``add_paths``.

    Further arguments: ``options``, ``filters``, ``from_codec``, ``from_options``, ``from_filters``, ``lossy`` (omit what
    the codec cannot store, and record it), ``limits``, ``allowlist``, ``timeout`` in seconds for each call, ``threads`` for
    each file (1, because a worker runs one file for each of its threads), ``retries`` after errors of input and output and
    after the death of a worker (2), and ``sync`` (wait for the disk).

    Raises FileError if the scheduler goes away; what was done is in the report. Threads: one run a report.
    """
    if on_error not in _ON_ERROR:
        raise InvalidError(f"unknown on_error '{on_error}': must be one of {', '.join(_ON_ERROR)}", "option")
    where = os.fspath(out)
    where = where.rstrip("/") if is_url(where) else os.path.abspath(where)
    path = os.path.abspath(report) if report is not None else f"{where}/{REPORT_NAME}"
    found = [_recordable(file) for file in find(files) if not (file.is_found and file.location.startswith(f"{where}/"))]
    described = entry(registry_of(registry), to)
    todo = Job(
        to=described["name"],
        out=where,
        extension=described["extensions"][0] if described["extensions"] else f".{described['name']}",
        columns=(columns,) if isinstance(columns, str) else tuple(columns) if columns is not None else None,
        rows=(rows.start or 0, rows.stop) if rows is not None else None,
        select=select,
        registry=registry,
        skip=on_error == "skip",
        **job,
    )
    found = keep_report_apart(path, found, [f"{where}/{todo.output_of(file)}" for file in found])
    _check_outputs(todo, found)
    if not is_url(where):
        os.makedirs(where, exist_ok=True)
    elif report is None:
        raise InvalidError("no report: an output of URLs needs a local path for it; pass report=", "option")
    with Journal(os.fspath(report) if report is not None else path) as journal:
        run = _Run(client or get_client(), todo, journal, Progress(client or get_client(), len(found), progress))
        records = one_each(run.records(found, batch, stop_at_error=on_error == "raise"))
        journal.finish(records, todo)
        return Report(journal.path, records)


def _recordable(file: File) -> File:
    """Returns the file, or one with a problem if reports, which are UTF-8, cannot have its name."""
    if _is_text(file.source):
        return file
    name = os.fsencode(file.source).replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")
    return replace(file, source=name, problem="its name is not UTF-8, as reports are; rename it, or leave it out")


def _check_outputs(job: Job, found: list[File]) -> None:
    outputs: dict[str, str] = {}
    for file in found:
        other = outputs.setdefault(job.output_of(file), file.source)
        if other != file.source:
            raise InvalidError(
                f"'{other}' and '{file.source}' have one output '{job.output_of(file)}': convert them to two directories",
                "option",
            )
        if f"{job.out}/{job.output_of(file)}" == file.location:
            raise InvalidError(f"'{file.source}' is its own output: convert to another directory", "option")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Run:
    """The tasks of one call of convert(). A bounded number of them is with the scheduler at a time."""

    def __init__(self, client: Any, job: Job, journal: Journal, progress: Progress) -> None:
        self._client = client
        self._job = job
        self._journal = journal
        self._progress = progress
        self._id = uuid.uuid4().hex
        self._tasks = 0
        self._running: dict[Any, list[File]] = {}
        self._deaths: Counter[str] = Counter()  # of workers, by the file that they had
        self._suspects: deque[list[File]] = deque()  # files of batches that ended workers; one runs at a time
        self._tried: Any = None  # the task of a suspect

    def records(self, found: list[File], most_files: int | None, *, stop_at_error: bool) -> Iterator[Record]:
        """Yields the records of all files as they are made, after they are in the journal."""
        threads = sum(self._client.nthreads().values())
        if most_files is None:
            waiting = batches(found, files_per_batch(len(found), threads))
        else:
            waiting = batches(found, most_files, sys.maxsize)
        first = [self._submit(files) for files in itertools.islice(waiting, max(threads, 1) * _BATCHES_AHEAD)]
        queue = as_completed(first, loop=self._client.loop)
        try:
            for future in queue:
                files = self._running.pop(future)
                records = self._result(future, files)
                self._journal.add(records)
                self._progress.add(records)
                for record in records:
                    if stop_at_error:
                        raise_error_of(record)
                    yield record
                for files in itertools.islice(waiting, 1):
                    queue.add(self._submit(files))
                if self._tried is future:
                    self._tried = None
                if self._suspects and self._tried is None:
                    self._tried = self._submit(self._suspects.popleft())
                    queue.add(self._tried)
        finally:
            self._progress.show(end="\n")
            if self._running and self._client.status == "running":
                self._client.cancel(list(self._running))

    def _submit(self, files: list[File]) -> Any:
        self._tasks += 1
        known = [self._journal.known.get(file.source) for file in files]
        key = f"polycodec-convert-{self._id}-{self._tasks}"
        try:
            future = self._client.submit(convert_batch, self._job, files, known, key=key, pure=False)
        except Exception as error:  # distributed has several for a closed client
            raise self._lost(error) from error
        self._running[future] = files
        return future

    def _result(self, future: Any, files: list[File]) -> list[Record]:
        """Returns the records of a batch. If it ended its workers, its files become suspects and there are none yet."""
        try:
            records: list[Record] = future.result()
        except KilledWorker as error:
            return self._killed(error, files)
        except Exception as error:
            if future.status == "error":
                raise PluginError(
                    f"a batch with '{files[0].source}' failed ({type(error).__name__}: {error})", "internal"
                ) from error
            raise self._lost(error) from error
        for record in records:
            record["attempts"] += self._deaths[record["source"]]
        return records

    def _killed(self, error: KilledWorker, files: list[File]) -> list[Record]:
        """Makes the files of a batch suspects, each alone, so that the guilty one is found and the others are converted."""
        self._deaths.update(file.source for file in files)
        if len(files) > 1 or self._deaths[files[0].source] <= self._job.retries:
            self._suspects.extend([file] for file in files)
            return []
        record = empty_record(self._job, files[0])
        fail(
            record,
            PluginError(f"workers died while they converted it ({error}): look at their logs", "worker_died"),
            self._job,
        )
        record["attempts"] = self._deaths[files[0].source]
        return [record]

    def _lost(self, error: BaseException) -> FileError:
        return FileError(
            f"the scheduler is gone ({type(error).__name__}): finished files are in '{self._journal.beside}'; run again",
            "io",
        )
