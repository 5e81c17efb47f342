# SPDX-License-Identifier: MIT
"""Hosts that are network namespaces of this machine, joined by a bridge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any


class Network:
    """A bridge with hosts ``10.213.0.N``, each with a network of its own. Needs the rights of root."""

    def __init__(self, hosts: int, directory: Path) -> None:
        self._name = f"pc{os.getpid()}"
        self._directory = directory
        self._spaces: list[str] = []
        self._processes: list[subprocess.Popen[str]] = []
        try:
            self._make_hub()
            for number in range(1, hosts + 1):
                self._make_host(number)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def missing() -> str | None:
        """Returns why there can be no such network here, or None."""
        if shutil.which("ip") is None:
            return "no command ip (Debian: iproute2)"
        probe = f"pc{os.getpid()}probe"
        made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
        if made.returncode != 0:
            return f"no right to make network namespaces ({made.stderr.strip()})"
        try:
            bridge = ["ip", "-n", probe, "link", "add", "br0", "type", "bridge"]
            failed = subprocess.run(bridge, capture_output=True, text=True)
            return f"no bridge ({failed.stderr.strip()})" if failed.returncode != 0 else None
        finally:
            subprocess.run(["ip", "netns", "del", probe], check=True)

    def address(self, host: int) -> str:
        """Returns the address of a host. Host 0 is the bridge itself."""
        return f"10.213.0.{host + 1}"

    def start(self, host: int, name: str, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        """Starts a program of Python on a host. Its errors go to the file ``name.log``."""
        command = ["ip", "netns", "exec", self._spaces[host], sys.executable, *map(str, arguments)]
        with (self._directory / f"{name}.log").open("a") as log:
            options = {"stdout": log, **options}
            process = subprocess.Popen(command, stderr=log, text=True, cwd=self._directory, **options)
        self._processes.append(process)
        return process

    def close(self) -> None:
        """Kills what was started, and removes the namespaces."""
        for process in self._processes:
            process.kill()
            process.wait()
        for space in self._spaces:
            subprocess.run(["ip", "netns", "del", space], check=True)

    def _make_hub(self) -> None:
        hub = f"{self._name}hub"
        self._ip("netns", "add", hub)
        self._spaces.append(hub)
        self._ip("-n", hub, "link", "set", "lo", "up")
        self._ip("-n", hub, "link", "add", "br0", "type", "bridge")
        self._ip("-n", hub, "addr", "add", f"{self.address(0)}/24", "dev", "br0")
        self._ip("-n", hub, "link", "set", "br0", "up")

    def _make_host(self, number: int) -> None:
        space, port = f"{self._name}h{number}", f"port{number}"
        self._ip("netns", "add", space)
        self._spaces.append(space)
        self._ip("-n", space, "link", "set", "lo", "up")
        self._ip("-n", self._spaces[0], "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
        self._ip("-n", self._spaces[0], "link", "set", port, "master", "br0", "up")
        self._ip("-n", space, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        self._ip("-n", space, "link", "set", "eth0", "up")

    @staticmethod
    def _ip(*arguments: str) -> None:
        subprocess.run(["ip", *arguments], check=True)
