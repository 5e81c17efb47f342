# SPDX-License-Identifier: MIT
"""The conversion of one file on a worker, and its record."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from typing import Any

from polycodec._errors import DeniedError, FileError, NotFoundError, PolycodecError, UnsupportedError
from polycodec._remote import read
from polycodec.dask._files import File, is_url
from polycodec.dask._fingerprint import Stamp, sha256_of, stamp_of
from polycodec.dask._job import Job
from polycodec.dask._registries import registry_of, versioned

Record = dict[str, Any]

_ALLOWED_LOSSES = ("note", "retyped")
_LASTING = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
_FIRST_PAUSE = 0.1
_UNKNOWN = ("not_found", "ambiguous")  # codes of a file for which no codec could be chosen


def convert_batch(job: Job, files: Sequence[File], known: Sequence[Record | None]) -> list[Record]:
    """Converts files one after another and returns a record of each. ``known`` has their records of earlier runs."""
    return [convert_file(job, file, record) for file, record in zip(files, known, strict=True)]


def convert_file(job: Job, file: File, known: Record | None) -> Record:
    """Converts one file unless its record shows that nothing has changed, and returns its record.

    An output appears under its name when it is complete. An error is a record with the status ``failed`` (or ``ignored``
    if the job says so), not an exception. Errors of input and output are tried again ``job.retries`` times.
    """
    start = time.monotonic()
    record = empty_record(job, file)
    for attempt in range(1 + job.retries):
        record["attempts"] = attempt + 1
        try:
            _convert(job, file, known, record)
            record["error"] = None
            break
        except Exception as error:  # a codec of Python raises anything; no file may stop the others
            fail(record, error, job)
            if file.is_found and record["codecs"]["from"] is None and record["error"]["code"] in _UNKNOWN:
                record["status"] = "ignored"
            if not isinstance(error, OSError) or isinstance(error, _LASTING) or getattr(error, "code", "io") != "io":
                break
            time.sleep(_FIRST_PAUSE * 2**attempt)
    record["seconds"] = round(time.monotonic() - start, 6)
    return record


def empty_record(job: Job, file: File) -> Record:
    """Returns the record of a file of which nothing is known yet."""
    return {
        "source": file.source,
        "output": job.output_of(file),
        "status": "failed",
        "source_bytes": file.size,
        "source_mtime_ns": None,
        "source_sha256": None,
        "output_sha256": None,
        "output_bytes": None,
        "codecs": {"from": None, "to": None},
        "options": job.recorded(),
        "losses": [],
        "error": None,
        "attempts": 0,
        "seconds": 0.0,
    }


def fail(record: Record, error: BaseException, job: Job) -> None:
    """Puts an error into a record."""
    is_missing = isinstance(error, FileNotFoundError)
    code = getattr(error, "code", None) or ("io" if isinstance(error, OSError) else "internal")
    record["status"] = "ignored" if job.skip else "failed"
    message = getattr(error, "message", "") or str(error) or type(error).__name__
    record["error"] = {"code": "not_found" if is_missing else code, "message": message}
    if isinstance(error, PolycodecError):
        more = {"detail": error.detail, "offset": error.offset, "path": error.path}
        record["error"] |= {key: item for key, item in more.items() if item not in ("", None)}


def _convert(job: Job, file: File, known: Record | None, record: Record) -> None:
    if file.problem:
        raise DeniedError(file.problem, "denied")
    registry = registry_of(job.registry)
    stamp = stamp_of(file.location)
    data = read(file.location, registry, job.decoding().get("limits")) if is_url(file.location) else None
    record["source_bytes"], record["source_mtime_ns"] = stamp.size, stamp.mtime_ns
    record["source_sha256"] = sha256_of(file.location) if data is None else hashlib.sha256(data).hexdigest()
    record["losses"].clear()
    if known is not None and _is_unchanged(job, known, record):
        record.update({key: known[key] for key in ("codecs", "output_sha256", "output_bytes", "losses")}, status="skipped")
        return

    def hear(loss_class: str, path: str, what: str) -> None:
        record["losses"].append({"class": loss_class, "path": path, "what": what})
        if not job.lossy and loss_class not in _ALLOWED_LOSSES:
            raise UnsupportedError(
                f"loses {what}: no loss is allowed; pass lossy=True to omit it", "unsupported", path=path
            )

    formats = {"options": job.from_options, "filters": job.from_filters}
    call = {**formats, **job.decoding(), "on_loss": hear}
    if data is None:
        value = registry.open(file.location, job.from_codec, **call)
    else:
        value = registry.decode(data, job.from_codec, name=file.source.rsplit("/", 1)[-1], **call)
    record["codecs"] = {
        "from": versioned(registry, value.codec) if value.codec else None,
        "to": versioned(registry, job.to),
    }
    _write(job, registry, value, record, hear)
    del value
    _check_source(file, stamp)
    record["status"] = "converted"


def _write(job: Job, registry: Any, value: Any, record: Record, hear: Any) -> None:
    """Writes the output, which appears under its name when it is complete, and records its bytes."""
    path = f"{job.out}/{record['output']}"
    call = {**job.encoding(), "on_loss": hear}
    if is_url(job.out):
        import fsspec

        data = registry.encode(value, job.to, **call)
        system, place = fsspec.core.url_to_fs(path)
        system.makedirs(place.rsplit("/", 1)[0], exist_ok=True)
        system.pipe_file(place, data)
        record["output_sha256"], record["output_bytes"] = hashlib.sha256(data).hexdigest(), len(data)
        return
    os.makedirs(job.out, exist_ok=True)
    registry.save(value, path, job.to, sync=job.sync, root=job.out, **call)
    record["output_sha256"], record["output_bytes"] = sha256_of(path), os.path.getsize(path)


def _check_source(file: File, before: Stamp) -> None:
    if stamp_of(file.location) != before:
        raise FileError(f"'{file.source}' changed while it was read: its output may be of neither state; run again", "io")


def _is_unchanged(job: Job, known: Record, now: Record) -> bool:
    """Returns whether a record of an earlier run still holds: source, codecs, options, and an output of its size."""
    same = ("source", "output", "source_bytes", "source_mtime_ns", "source_sha256", "options")
    if known["status"] not in ("converted", "skipped") or any(known[key] != now[key] for key in same):
        return False
    registry = registry_of(job.registry)
    codecs = known["codecs"]
    try:
        if codecs["from"] is not None and versioned(registry, codecs["from"].partition("@")[0]) != codecs["from"]:
            return False
        if codecs["to"] != versioned(registry, job.to):
            return False
        output = f"{job.out}/{now['output']}"
        return not os.path.islink(output) and bool(stamp_of(output).size == known["output_bytes"])
    except (OSError, NotFoundError):
        return False
