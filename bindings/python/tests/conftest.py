# SPDX-License-Identifier: MIT
"""Where things are: the tests run on an installed package, and find files of the repository from here."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# What generated cases start from, and whether there are many.
SEED = int(os.environ.get("POLYCODEC_PYTHON_SEED", "1")) or random.randrange(1, 10**6)
os.environ["POLYCODEC_PYTHON_SEED"] = str(SEED)  # for the processes that run the tests
IS_FULL = bool(os.environ.get("POLYCODEC_PYTHON_FULL"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"POLYCODEC_PYTHON_SEED={SEED}")


@pytest.fixture
def vectors() -> Path:
    """Files that other implementations wrote."""
    return ROOT / "tests/vectors"


def _command(environment: str, program: str, arguments: tuple[object, ...]) -> list[str]:
    python = ROOT / environment / "bin/python"
    if not python.exists():
        pytest.skip(f"{environment} is missing: scripts/fetch_python.sh and scripts/fetch_peers.sh make it")
    return [str(python), "-W", "ignore", str(Path(__file__).parent / "real" / program), *map(str, arguments)]


def peer(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program of real/ where awkward 0.15 is installed."""
    command = _command("build/peers/venv", program, arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)


@pytest.fixture
def awkward0() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs real/awkward0_files.py where awkward 0.15 is installed."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return peer("awkward0_files.py", *arguments)

    return run


@pytest.fixture
def bare() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs real/bare.py where only the wheel, numpy and awkward are installed."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = _command("build/wheel/bare", "bare.py", arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True)

    return run


@pytest.fixture
def yggdrasil(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts real/yggdrasil_end.py where yggdrasil is installed."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object) -> subprocess.Popen[bytes]:
        command = _command("build/wheel/yggdrasil", "yggdrasil_end.py", arguments)
        environment = {**os.environ, "HOME": str(tmp_path)}  # it writes its configuration there
        with (tmp_path / "yggdrasil.log").open("wb") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=tmp_path))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()
    print((tmp_path / "yggdrasil.log").read_text()[-3000:])


@pytest.fixture
def serve() -> Iterator[Callable[[type[BaseHTTPRequestHandler]], str]]:
    """Starts a server on this machine that answers as a handler does; gives its URL."""
    started: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(handler: type[BaseHTTPRequestHandler]) -> str:
        handler.protocol_version = "HTTP/1.1"
        handler.log_message = lambda *_: None  # type: ignore[method-assign]
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        started.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server, thread in started:
        server.shutdown()
        thread.join()
        server.server_close()
