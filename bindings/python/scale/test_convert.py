# SPDX-License-Identifier: MIT
"""Conversion of many files on a cluster: records, resumption, errors, losses, deaths of workers."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster, WorkerPlugin
from five_formats import write

import polycodec as pc
from polycodec.dask import Report, convert


@pytest.fixture
def run(client: Client, tmp_path: Path) -> Callable[..., Report]:
    """Converts the files of the directory ``in``."""

    def call(pattern: str = "in", to: str = "dynd", **arguments: Any) -> Report:
        return convert(str(tmp_path / pattern), to=to, out=tmp_path / "out", client=client, **arguments)

    return call


def lines(report: Report) -> list[dict[str, Any]]:
    """The records in the file of a report, between its head and its summary."""
    head, *records, end = [json.loads(line) for line in Path(report.path).read_text().splitlines()]
    assert (head["report"], head["shard"], head["sources"]) == (1, {"number": 1, "count": 1}, len(records))
    assert end["summary"]["files"] == len(records)
    return records


def test_the_record_of_a_file(run: Callable[..., Report], tmp_path: Path) -> None:
    source = write(tmp_path / "in/below", 2)
    report = run(columns=["$.vertex.x"], rows=slice(1, 3))
    (record,) = report.records
    output = tmp_path / "out" / record["output"]
    version = f"@{pc.library_version}"
    assert lines(report) == [record]
    seconds = record.pop("seconds")
    assert 0 < seconds < 300
    assert record == {
        "source": "below/00002.ply",
        "output": "below/00002.dynd",
        "status": "converted",
        "source_bytes": source.stat().st_size,
        "source_mtime_ns": source.stat().st_mtime_ns,
        "source_sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
        "output_sha256": hashlib.sha256(output.read_bytes()).hexdigest(),
        "output_bytes": output.stat().st_size,
        "codecs": {"from": "ply" + version, "to": "dynd" + version},
        "options": {"columns": "vertex.x", "rows": "1:3"},
        "losses": [],
        "error": None,
        "attempts": 1,
    }
    assert pc.open(output).to_python() == {"vertex": [{"x": 2.0}, {"x": 2.0}]}
    assert (report.source_bytes, report.output_bytes) == (record["source_bytes"], record["output_bytes"])


def statuses(report: Report) -> dict[str, str]:
    """The statuses by source."""
    return {record["source"]: record["status"] for record in report.records}


def test_a_change_of_anything_redoes_a_file(run: Callable[..., Report], tmp_path: Path) -> None:
    paths = [write(tmp_path / "in", index) for index in range(5)]
    names = [path.name for path in paths]
    assert statuses(run()) == dict.fromkeys(names, "converted")
    assert statuses(run()) == dict.fromkeys(names, "skipped")

    before = paths[0].stat()
    data = bytearray(paths[0].read_bytes())
    data[-1] ^= 1
    paths[0].write_bytes(data)  # the hash, but neither size nor time
    os.utime(paths[0], ns=(before.st_atime_ns, before.st_mtime_ns))
    os.utime(paths[1], ns=(0, 0))  # the time
    (tmp_path / "out/00002.dynd").unlink()  # the output
    report = tmp_path / "out/polycodec-report.jsonl"
    records = [json.loads(line) for line in report.read_text().splitlines()]
    records[1 + 3]["codecs"]["to"] = "dynd@0.0.1"  # the version of a codec
    report.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert statuses(run()) == {**dict.fromkeys(names[:4], "converted"), names[4]: "skipped"}
    assert statuses(run(columns="$.vertex.y")) == dict.fromkeys(names, "converted")  # the options


def test_an_interrupted_report_goes_on(run: Callable[..., Report], tmp_path: Path) -> None:
    for index in range(4):
        write(tmp_path / "in", index)
    path = Path(run().path)
    kept = path.read_text().splitlines(keepends=True)
    path.unlink()
    journal = Path(f"{path}.journal")
    journal.write_text("".join(kept[1:3]) + kept[3][:20])  # as a killed run leaves it
    report = run()
    assert sorted(statuses(report).values()) == ["converted", "converted", "skipped", "skipped"]
    assert len(lines(report)) == 4
    assert not journal.exists()


def test_the_command_and_the_cluster_continue_each_other(run: Callable[..., Report], tmp_path: Path) -> None:
    for index in range(5):
        write(tmp_path / f"in/{index % 2}", index)
    (tmp_path / "in/damaged.ply").write_bytes(b"ply\nformat ascii 1.0\nelement vertex 1\n")
    (tmp_path / "in/unknown.bin").write_bytes(b"\0" * 64)
    path = tmp_path / "out/polycodec-report.jsonl"
    command = [Path(sys.executable).with_name("polycodec"), "convert", "--recursive", tmp_path / "in", "--to", "dynd"]
    command += ["--out-dir", tmp_path / "out", "--report", path, "--resume"]

    def by_command(*more: str) -> dict[str, str]:
        subprocess.run([*command, *more], capture_output=True, timeout=60, check=False)
        return {record["source"]: record["status"] for record in map(json.loads, _middle(path))}

    def keys() -> dict[str, set[str]]:
        compared = {"kept", "difference", "not_compared"}
        return {record["source"]: set(record) - compared for record in map(json.loads, _middle(path))}

    part = {"columns": ["$.vertex.x", "$.vertex.y"], "rows": slice(1, 3), "options": {"form": "any"}, "lossy": True}
    words = ("--columns", "vertex.x,vertex.y", "--rows", "1:3", "--to-options", '{"form":"any"}', "--lossy")
    one, path_words = {"select": "vertex", "lossy": True}, ("--select", "vertex", "--lossy")
    for arguments, more in (({}, ()), (part, words), (one, path_words)):
        first = statuses(run(**arguments))
        assert Counter(first.values()) == {"converted": 5, "failed": 1, "ignored": 1}
        written, head = keys(), path.read_text().splitlines()[0]
        again = {name: "skipped" if status == "converted" else status for name, status in first.items()}
        assert by_command(*more) == again
        assert (keys(), path.read_text().splitlines()[0]) == (written, head)
        assert statuses(run(**arguments)) == again


def _middle(path: Path) -> list[str]:
    return path.read_text().splitlines()[1:-1]


def test_a_name_that_is_not_utf8_is_one_failure(run: Callable[..., Report], tmp_path: Path) -> None:
    good = write(tmp_path / "in", 0)
    (tmp_path / "in" / os.fsdecode(b"\xff.ply")).touch()
    report = run()
    assert statuses(report) == {good.name: "converted", r"\xff.ply": "failed"}
    assert "not UTF-8" in next(record["error"]["message"] for record in report.records if record["error"])


def test_links_lead_nowhere_else(run: Callable[..., Report], tmp_path: Path) -> None:
    first, second, third = (write(tmp_path / "in", index) for index in range(3))
    outside = write(tmp_path / "outside", 3)
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/file").write_text("mine")
    (tmp_path / "in/leaves.ply").symlink_to(outside)
    (tmp_path / "in" / f"stays{first.suffix}").symlink_to(first.name)
    (tmp_path / "in/dangling.ply").symlink_to("none.ply")
    (tmp_path / "in/sub").mkdir()
    third.rename(tmp_path / "in/sub" / third.name)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/00001.dynd").symlink_to("../victim/file")
    (tmp_path / "out/sub").symlink_to("../victim")
    for _ in range(2):  # also when the records of the first run are there
        report = run()
        failed = {record["source"]: record["error"]["code"] for record in report.records if record["error"]}
        assert failed == dict.fromkeys(("leaves.ply", "dangling.ply", second.name, f"sub/{third.name}"), "denied")
        assert report.count("failed") == 4
    assert (tmp_path / "victim/file").read_text() == "mine"
    assert [path.name for path in (tmp_path / "victim").iterdir()] == ["file"]


def test_a_report_is_not_written_through_links(run: Callable[..., Report], tmp_path: Path) -> None:
    write(tmp_path / "in", 0)
    victim = tmp_path / "victim"
    victim.write_text("mine")
    journal = tmp_path / "report.journal"
    for put in (journal.symlink_to, journal.hardlink_to):
        put(victim)
        with pytest.raises(pc.DeniedError, match="is a link"):
            run(report=tmp_path / "report")
        assert victim.read_text() == "mine"
        journal.unlink()
    os.mkfifo(journal)
    with pytest.raises(pc.DeniedError, match="no regular file"):
        run(report=tmp_path / "report")
    journal.unlink()
    assert run(report=tmp_path / "report").count("converted") == 1


def test_a_report_in_the_way_is_found_before_anything_is_written(run: Callable[..., Report], tmp_path: Path) -> None:
    source = write(tmp_path / "in", 0)
    before = source.read_bytes()
    (tmp_path / "link").symlink_to(source)
    (tmp_path / "in/x.journal").write_text("data")
    for report in (source, tmp_path / "link", tmp_path / "out/00000.dynd", tmp_path / "in/x"):
        with pytest.raises(pc.InvalidError, match="would be written over"):
            run(report=report)
        assert source.read_bytes() == before
        assert not (tmp_path / "out").exists()


def test_a_report_brings_no_options(run: Callable[..., Report], tmp_path: Path) -> None:
    write(tmp_path / "in", 0)
    os.mkfifo(tmp_path / "pipe")  # who opens it waits for ever
    path = Path(run().path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[1]["options"] = {"from": "fastbin", "from_options": json.dumps({"schema_file": str(tmp_path / "pipe")})}
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert list(statuses(run()).values()) == ["converted"]


def test_a_status_that_there_is_not_is_an_error(run: Callable[..., Report], tmp_path: Path) -> None:
    write(tmp_path / "in", 0)
    path = Path(run().path)
    path.write_text(path.read_text().replace('"converted"', '"exploded"', 1))
    with pytest.raises(pc.FormatError, match="line 2 of report"):
        run()


def test_outputs_are_no_sources(client: Client, tmp_path: Path) -> None:
    write(tmp_path / "in", 2)
    for status in ("converted", "skipped"):
        report = convert(tmp_path / "in", to="dynd", out=tmp_path / "in/out", report=tmp_path / "in/report", client=client)
        assert statuses(report) == {"00002.ply": status}


def test_the_command_reads_the_report(run: Callable[..., Report], tmp_path: Path) -> None:
    good = write(tmp_path / "in", 0)
    (tmp_path / "in/damaged.ply").write_bytes(b"ply\nformat ascii 1.0\nelement vertex 1\n")
    report = run()
    command = [Path(sys.executable).with_name("polycodec"), "report"]
    shown = subprocess.run([*command, "show", "--json", report.path], capture_output=True, text=True, timeout=60)
    assert shown.returncode == 1  # a file failed
    told = json.loads(shown.stdout)
    assert told["complete"] and told["files"] == 2
    assert told["states"]["converted"] == {
        "files": 1,
        "source_bytes": good.stat().st_size,
        "output_bytes": report.output_bytes,
    }
    assert told["reasons"][0]["files"] == ["damaged.ply"]
    merged = subprocess.run([*command, "merge", tmp_path / "all", report.path], capture_output=True, text=True, timeout=60)
    assert "1 converted" in merged.stdout
    assert (tmp_path / "all").read_text() == Path(report.path).read_text()


def test_a_foreign_report_is_an_error(run: Callable[..., Report], tmp_path: Path) -> None:
    write(tmp_path / "in", 0)
    (tmp_path / "report").write_text('{"a": 1}\n')
    with pytest.raises(pc.FormatError, match="line 1 of report"):
        run(report=tmp_path / "report")
    assert (tmp_path / "report").read_text() == '{"a": 1}\n'


def test_one_run_at_a_time_writes_a_report(run: Callable[..., Report], tmp_path: Path) -> None:
    from polycodec.dask._journal import Journal

    write(tmp_path / "in", 0)
    with Journal(str(tmp_path / "report")):
        with pytest.raises(pc.FileError, match="another run"):
            run(report=tmp_path / "report")


def test_files_that_fail_do_not_stop_the_others(run: Callable[..., Report], tmp_path: Path) -> None:
    good = write(tmp_path / "in", 0)
    (tmp_path / "in/damaged.ply").write_bytes(b"ply\nformat ascii 1.0\nelement vertex 1\n")
    (tmp_path / "in/unknown.bin").write_bytes(b"\0" * 64)
    report = run()
    assert statuses(report) == {good.name: "converted", "damaged.ply": "failed", "unknown.bin": "ignored"}
    assert {code: len(records) for code, records in report.refusals.items()} == {"truncated": 1, "ambiguous": 1}
    assert statuses(run("in/*", report=tmp_path / "named"))["unknown.bin"] == "failed"
    assert "damaged.ply" in str(report)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"00000.dynd", "polycodec-report.jsonl"}
    assert statuses(run(on_error="skip"))["damaged.ply"] == "ignored"
    with pytest.raises(pc.PolycodecError, match=r"damaged\.ply|unknown\.bin"):
        run(on_error="raise")


def test_losses_are_rejected_or_recorded(run: Callable[..., Report], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n")
    report = run(to="stl")
    assert [record["code"] for record in (x["error"] for x in report.records)] == ["unsupported"]
    report = run(to="stl", lossy=True)
    assert report.count("converted") == 1
    assert report.losses["data"] >= 1
    assert all(set(loss) == {"class", "path", "what"} for loss in report.records[0]["losses"])


def test_limits_and_isolation_are_those_of_the_workers(run: Callable[..., Report], tmp_path: Path) -> None:
    write(tmp_path / "in", 0)
    limited = run(limits={"max_input_bytes": 8})
    assert set(limited.refusals) == {"limit"}
    assert run(registry={"isolation": "process"}, timeout=60.0, threads=2).count("converted") == 1
    denied = run("in/*", registry={"policy": {"deny_codecs": ["msgpack-ndarray"]}}, report=tmp_path / "other")
    assert denied.count("failed") == 1


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"on_error": "ignore"}, pc.InvalidError, "on_error"),
        ({"to": "nothing"}, pc.NotFoundError, "nothing"),
        ({"pattern": "*.none"}, pc.NotFoundError, "pattern"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
)
def test_wrong_arguments(
    run: Callable[..., Report], tmp_path: Path, arguments: dict[str, Any], error: type[Exception], match: str
) -> None:
    write(tmp_path / "in", 0)
    with pytest.raises(error, match=match):
        run(**arguments)


def test_two_sources_of_one_output(run: Callable[..., Report], tmp_path: Path) -> None:
    for name in ("a.msgpack", "a.ygg"):
        (tmp_path / "in").mkdir(exist_ok=True)
        pc.save([1], tmp_path / "in" / name)
    with pytest.raises(pc.InvalidError, match=r"a\.msgpack' and 'a\.ygg' have one output 'a\.dynd'"):
        run()
    assert not (tmp_path / "out").exists()


class Armed(WorkerPlugin):  # type: ignore[misc]
    """Calls a function on each worker, also on those that take the place of dead ones."""

    name = "armed"

    def __init__(self, function: Callable[[str], None], argument: str) -> None:
        self._function, self._argument = function, argument

    def setup(self, worker: Any) -> None:
        self._function(self._argument)


def deadly(victim: str) -> None:
    """Makes this process end when it converts a file."""
    import polycodec.dask._convert_file as target

    convert_file = target.convert_file

    def convert_or_die(job: Any, file: Any, known: Any) -> Any:
        if file.source == victim:
            os._exit(1)
        return convert_file(job, file, known)

    target.convert_file = convert_or_die


def test_a_file_that_ends_its_workers_does_not_stop_the_others(tmp_path: Path) -> None:
    paths = [write(tmp_path / "in", index) for index in range(6)]
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster, timeout=300, set_as_default=False) as client,
    ):
        client.register_plugin(Armed(deadly, paths[3].name))
        report = convert(paths, to="dynd", out=tmp_path / "out", client=client, batch=6, retries=0)
    found = statuses(report)
    assert found.pop(paths[3].name) == "failed"
    assert set(found.values()) == {"converted"}
    assert list(report.refusals) == ["worker_died"]
    assert report.refusals["worker_died"][0]["attempts"] == 2


def test_progress_is_an_event_of_the_scheduler(run: Callable[..., Report], client: Client, tmp_path: Path) -> None:
    for index in range(3):
        write(tmp_path / "in", index)
    run()
    _, last = client.get_events("polycodec-convert")[-1]
    assert {key: last[key] for key in ("files", "done", "converted")} == {"files": 3, "done": 3, "converted": 3}


def test_large_files_are_batches_of_their_own() -> None:
    from polycodec.dask._batches import batches, files_per_batch
    from polycodec.dask._files import File

    files = [File(str(size), str(size), size) for size in (1, 1, 1, 100, 1, 60, 60)]
    assert [[file.size for file in batch] for batch in batches(files, 2, 100)] == [[1, 1], [1], [100], [1, 60], [60]]
    assert files_per_batch(100_000_000, 4) == 256
    assert files_per_batch(2_000, 3) == 83
    assert files_per_batch(3, 8) == files_per_batch(3, 0) == 1


def test_the_same_bytes_whatever_the_number_of_workers(run: Callable[..., Report], tmp_path: Path) -> None:
    for index in range(10):
        write(tmp_path / "in", index)
    first = {record["source"]: record["output_sha256"] for record in run(batch=1).records}
    again = run(batch=10, report=tmp_path / "again")
    assert {record["source"]: record["output_sha256"] for record in again.records} == first
    assert np.unique(list(first.values())).size == 10
