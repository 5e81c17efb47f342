# SPDX-License-Identifier: MIT
"""Codecs of the package in processes of their own, and what stays in this one."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from test_doors import DIRECTORIES, ROOT, cases, outcome

import polycodec as pc


@pytest.fixture(scope="module")
def isolated() -> pc.Registry:
    return pc.Registry(isolation="process", environment=False)


def _records(registry: pc.Registry) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in registry.list("records")}


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_every_vector_reads_and_writes_alike(directory: str, isolated: pc.Registry) -> None:
    plain = pc.Registry(environment=False)
    for case in cases(directory):
        path = ROOT / "tests/vectors" / directory / case["file"]
        assert outcome(isolated, path, case) == outcome(plain, path, case), case["file"]


def test_all_codecs_of_the_package_have_a_process(isolated: pc.Registry) -> None:
    table = {"x": [1.5, 2.5], "n": [1, 2]}
    for codec in ("msgpack-ndarray", "yggdrasil"):
        assert isolated.decode(isolated.encode(table, codec), codec).to_python() == table
    for name in ("msgpack-ndarray", "yggdrasil"):
        report = _records(isolated)[name]["isolation"]
        assert report["rule"]["mode"] == "process"
        assert report["starts"] >= 1


def test_content_chooses_an_isolated_codec(isolated: pc.Registry, tmp_path: Path) -> None:
    isolated.save([1, 2, 3], tmp_path / "a.msgpack")
    assert isolated.open(tmp_path / "a.msgpack").to_python() == [1, 2, 3]
    isolated.convert(tmp_path / "a.msgpack", tmp_path / "b.awkd")
    assert isolated.open(tmp_path / "b.awkd").codec == "awkward"


def _workers(root: int) -> list[int]:
    """The processes below this one that have no children."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    below, found = {root}, set()
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
        found |= more
    return [process for process in found if process not in parents.values()]


def test_a_crash_of_a_worker_is_an_error() -> None:
    registry = pc.Registry(isolation="process", environment=False)
    data = registry.encode([1, 2], "msgpack-ndarray")
    for process in _workers(os.getpid()):
        if "polycodec-sand" in Path(f"/proc/{process}/comm").read_text():
            os.kill(process, signal.SIGKILL)
    with pytest.raises(pc.PluginError, match="signal 9, SIGKILL"):
        registry.decode(data, "msgpack-ndarray")
    assert registry.decode(data, "msgpack-ndarray").to_python() == [1, 2]
    report = _records(registry)["msgpack-ndarray"]["isolation"]
    assert (report["deaths"], report["starts"]) == (1, 2)


@pc.codec("isolation-pairs", extensions=[".isolation-pairs"], register=False)
class Pairs:
    """A codec of this program."""

    @staticmethod
    def decode(data: bytes) -> list[int]:
        return [len(data), os.getpid()]


def test_codecs_in_python_stay_in_this_process() -> None:
    said: list[tuple[int, str, str]] = []
    registry = pc.Registry(isolation="process", environment=False, log=lambda *line: said.append(line))
    assert not said
    derived = registry.derive([Pairs.codec])  # type: ignore[attr-defined]
    assert derived.decode(b"abc", "isolation-pairs").to_python() == [3, os.getpid()]
    [line] = [text for _, _, text in said if "isolation-pairs" in text]
    assert "runs in-process" in line
    assert "policy.isolation" in line
    assert any("runs in-process" in record["reason"] for record in derived.list("records"))
    # The codecs of the package are isolated beside it.
    assert derived.decode(b"\x01", "msgpack-ndarray").to_python() == 1
    assert _records(derived)["msgpack-ndarray"]["isolation"] is not None


def test_the_program_can_say_that_this_is_meant() -> None:
    said: list[str] = []
    rule = {"mode": "process", "plugins": {"program": "in-process"}}
    registry = pc.Registry(isolation=rule, environment=False, log=lambda *line: said.append(line[2]))
    derived = registry.derive([Pairs.codec])  # type: ignore[attr-defined]
    assert derived.decode(b"abc", "isolation-pairs").to_python()[0] == 3
    assert not said
