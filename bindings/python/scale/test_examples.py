# SPDX-License-Identifier: MIT
"""The examples for multiprocessing, Ray and mpi4py, and those of the page on scaling, run as they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster

import polycodec as pc
import polycodec.dask

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs/examples/python"
TIMEOUT = 300


def output_of(command: list[object], directory: Path) -> str:
    """Runs a program to its end and returns what it prints."""
    settings = {
        "HOME": str(directory),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "disabled",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    environment = {**os.environ, **settings}
    ran = subprocess.run(
        [str(x) for x in command], cwd=directory, env=environment, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_multiprocessing(tmp_path: Path) -> None:
    program = EXAMPLES / "shared_memory.py"
    assert output_of([sys.executable, program], tmp_path) == "{'x': 499999500000.0, 'y': 1000000.0}\n"
    pc.save({"a": np.arange(3.0), "b": np.ones(5000)}, tmp_path / "a.msgpack")
    assert output_of([sys.executable, program, "a.msgpack"], tmp_path) == "{'a': 3.0, 'b': 5000.0}\n"


def test_ray(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    shown = output_of([sys.executable, EXAMPLES / "ray_values.py"], tmp_path)
    assert shown.endswith("[499999500000.0, 1000000.0]\n500000 * float64\n")


def test_mpi4py(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    mpiexec = Path(sys.executable).parent / "mpiexec"
    shown = output_of([mpiexec, "-n", 2, "--oversubscribe", sys.executable, EXAMPLES / "mpi_values.py"], tmp_path)
    assert shown == "499999500000.0 500000 * float64\n"


def test_the_page_on_scaling(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/scaling.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    try:
        for block in blocks:
            exec(block, names)
        names["client"].close()
        for path in (tmp_path / "converted").iterdir():
            path.unlink()
        # The same on workers of other processes.
        names = {"given": client}
        for block in blocks:
            exec(block.replace("Client(processes=False)", "given"), names)
    finally:
        polycodec.dask.register(client)  # the page restricts what workers exchange


def test_the_command(cluster: LocalCluster, tmp_path: Path) -> None:
    pc.save({"x": np.arange(4.0), "y": 1}, tmp_path / "a.msgpack")
    (tmp_path / "b.msgpack").write_bytes(b"\x93\x01")
    command = [sys.executable, "-m", "polycodec.dask", "--scheduler", cluster.scheduler_address, "--to", "dynd"]
    command += ["--out", "out", "--columns", "x"]
    shown = output_of([*command, "--isolate", "in-process", "a.msgpack"], tmp_path)
    assert shown.startswith("1 files: 1 converted, 0 skipped, 0 ignored, 0 failed\n")
    assert pc.open(tmp_path / "out/a.dynd").to_python() == {"x": [0.0, 1.0, 2.0, 3.0]}
    failed = subprocess.run([*command, "b.msgpack"], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
    assert failed.returncode == 1
    assert "truncated: 1, such as b.msgpack" in failed.stdout
    missing = subprocess.run([*command, "c.msgpack"], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
    assert missing.returncode == 1
    assert "no file matches 'c.msgpack'" in missing.stderr
