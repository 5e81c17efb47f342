# SPDX-License-Identifier: MIT
"""A scheduler and three workers with networks of their own convert 2,000 files, while workers and the scheduler die."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from five_formats import ENDINGS, write
from network import Network

import polycodec as pc

PROGRAM = Path(__file__).parent / "programs/stepped_convert.py"
TIMEOUT = 300
FILES = 2000
DAMAGED = range(7, FILES, 200)
WORKERS = 3
SCHEDULER = 1  # the number of its host; the workers have the next ones
DEATHS = (200, 500, 900)
END_OF_THE_SCHEDULER = 1300


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    reason = Network.missing()
    if reason is not None:
        if os.environ.get("CI") == "true" and os.getuid() == 0:
            pytest.fail(reason)
        pytest.skip(reason)
    made = Network(SCHEDULER + WORKERS, tmp_path)
    yield made
    made.close()
    for log in tmp_path.glob("*.log"):
        print(f"--- {log.name}\n{log.read_text()[-1500:]}")


class Hosts:
    """A scheduler and workers, each on a host."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.address = f"tcp://{network.address(SCHEDULER)}:8786"
        arguments = ("-m", "distributed.cli.dask_scheduler", "--host", network.address(SCHEDULER), "--no-dashboard")
        self.scheduler = network.start(SCHEDULER, "scheduler", *arguments)
        self.workers = [self._start(number) for number in range(WORKERS)]

    def _start(self, number: int) -> subprocess.Popen[str]:
        arguments = ("-m", "distributed.cli.dask_worker", self.address, "--nthreads", 1, "--no-nanny", "--no-dashboard")
        host = SCHEDULER + 1 + number
        return self._network.start(host, f"worker{number}", *arguments, "--host", self._network.address(host))

    def replace(self, number: int) -> None:
        """Kills a worker and starts another on its host."""
        self.workers[number].kill()
        self.workers[number].wait()
        self.workers[number] = self._start(number)

    def convert(self, steps: tuple[int, ...], arguments: list[object]) -> subprocess.Popen[str]:
        """Starts the conversion, which stops at each step."""
        joined = ",".join(map(str, steps))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return self._network.start(0, "command", PROGRAM, self.address, WORKERS, joined, *arguments, **pipes)

    def kill(self) -> None:
        """Kills all."""
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()


def test_2000_files_of_five_formats(network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, seconds in (("CONNECT", 10), ("TCP", 30)):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{key}", f"{seconds}s")
    sources = [write(tmp_path / f"in/{index % 7}", index) for index in range(FILES)]
    for index in DAMAGED:
        sources[index].write_bytes(sources[index].read_bytes()[:-3])
    out = tmp_path / "out"
    arguments: list[object] = ["--to", "dynd", "--out", out, "--batch", 10, "--retries", 9, tmp_path / "in"]

    hosts = Hosts(network)
    first = hosts.convert((*DEATHS, END_OF_THE_SCHEDULER), arguments)
    assert first.stdin is not None and first.stdout is not None
    for number, death in enumerate(DEATHS):
        assert first.stdout.readline() == f"{death}\n"
        hosts.replace(number % WORKERS)
        first.stdin.write("\n")
        first.stdin.flush()
    assert first.stdout.readline() == f"{END_OF_THE_SCHEDULER}\n"
    hosts.scheduler.kill()
    first.stdin.write("\n")
    first.stdin.flush()
    assert first.wait(TIMEOUT) == 1
    assert "the scheduler is gone" in (tmp_path / "command.log").read_text()
    hosts.kill()
    journal = (out / "polycodec-report.jsonl.journal").read_text().split("\n\n")
    assert END_OF_THE_SCHEDULER <= len(journal) < FILES

    second = Hosts(network).convert((), arguments)
    shown, _ = second.communicate(timeout=TIMEOUT)
    assert second.returncode == 1  # some files are damaged
    _, *records, _ = [json.loads(line) for line in (out / "polycodec-report.jsonl").read_text().splitlines()]
    counts = Counter(record["status"] for record in records)
    assert counts["failed"] == len(DAMAGED)
    assert counts["skipped"] >= END_OF_THE_SCHEDULER - len(DAMAGED)
    assert counts["converted"] + counts["skipped"] == FILES - len(DAMAGED)
    assert f"{FILES:,} files: {counts['converted']:,} converted, {counts['skipped']:,} skipped" in shown

    by_source = {record["source"]: record for record in records}
    assert len(by_source) == len(records) == FILES
    damaged = {sources[index] for index in DAMAGED}
    outputs = {path for path in out.rglob("*") if path.is_file()}
    registry = pc.default_registry()
    for source in sources:
        record = by_source[str(source.relative_to(tmp_path / "in"))]
        output = out / record["output"]
        assert (record["status"] == "failed") == (source in damaged) == (output not in outputs), record
        if source not in damaged:
            outputs.remove(output)
            assert registry.address(pc.open(output), logical=True) == registry.address(pc.open(source), logical=True)
    assert outputs == {out / "polycodec-report.jsonl"}
    assert {source.suffix for source in sources} == set(ENDINGS)
