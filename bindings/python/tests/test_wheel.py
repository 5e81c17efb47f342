# SPDX-License-Identifier: MIT
"""The installed package: its command, its libraries, its licenses, and plugins of the environment."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import polycodec as pc

PACKAGE = Path(pc.__file__).parent


@pytest.fixture
def bare() -> dict[str, str]:
    """An environment without variables of others."""
    return {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


@pytest.mark.parametrize("command", [[sys.executable, "-m", "polycodec"], [Path(sys.executable).parent / "polycodec"]])
def test_the_command(command: list[str], bare: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    subprocess.run([*command, "convert", "a.obj", "b.ply"], check=True, cwd=tmp_path, env=bare)
    shown = subprocess.run([*command, "mesh", "b.ply"], check=True, cwd=tmp_path, env=bare, capture_output=True, text=True)
    assert "3" in shown.stdout
    failed = subprocess.run([*command, "decode", "missing"], cwd=tmp_path, env=bare, capture_output=True, text=True)
    assert failed.returncode == 1
    assert "missing" in failed.stderr


def test_all_codecs_but_hdf5() -> None:
    names = {x["name"] for x in pc.codecs()}
    assert names >= {"awkward", "dynd", "fastbin", "gltf", "msgpack-ndarray", "obj", "ply", "stl", "yggdrasil"}
    filters = {x["name"] for x in pc.default_registry().list("filters")}
    assert filters >= {"crc32", "lz4", "shuffle", "xxhash", "zlib", "zstd"}


def test_units_come_with_their_database() -> None:
    program = "import polycodec as pc; print(pc.convert_units([1.0, 2.0], 'km', 'ft'))"
    env = {x: y for x, y in os.environ.items() if x != "UDUNITS2_XML_PATH"}
    shown = subprocess.run([sys.executable, "-c", program], check=True, env=env, capture_output=True, text=True)
    assert shown.stdout.startswith("[3280.83")
    assert (PACKAGE / "share/xml/udunits/udunits2.xml").exists()


def test_only_libraries_of_the_wheel_are_loaded() -> None:
    if not (PACKAGE.parent / "polycodec.libs").exists():
        pytest.skip("the package was not made by tools/wheel.py")
    program = """
import polycodec as pc
pc.convert_units([1.0], "km", "m")
pc.decode(pc.encode([1, 2], "msgpack-ndarray"), "msgpack-ndarray")
print(open("/proc/self/maps").read())
"""
    maps = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    for name in ("libre2", "libudunits2", "libzstd", "libisal"):
        paths = {x.split()[-1] for x in maps.splitlines() if f"/{name}" in x}
        assert paths, name
        assert all("polycodec.libs" in x for x in paths), paths
    assert "polycodec-wasm" not in maps and "wasmtime" not in maps


def test_licenses_of_all_that_is_inside() -> None:
    libraries = PACKAGE.parent / "polycodec.libs"
    if not libraries.exists():
        pytest.skip("the package was not made by tools/wheel.py")
    text = metadata.distribution("polycodec").read_text("licenses/LICENSES-bundled.txt")
    assert text is not None
    for library in libraries.iterdir():
        name = library.name.split("-")[0].removeprefix("lib").replace("expat", "Expat")
        assert name.lower().rstrip("0123456789") in text.lower(), library.name
    for name in ("nanobind", "Boost", "msgpack", "CLI11", "dragonbox"):
        assert name.lower() in text.lower(), name


PLUGIN = """
import pathlib, sys
import polycodec as pc
print([x["path"] for x in pc.default_registry().list("directories")])
"""


def test_plugins_of_the_environment(tmp_path: Path) -> None:
    directory = tmp_path / "lib/polycodec/plugins/abi2"
    directory.mkdir(parents=True)
    env = {**os.environ, "VIRTUAL_ENV": str(tmp_path)}
    found = subprocess.run([sys.executable, "-c", PLUGIN], check=True, env=env, capture_output=True, text=True)
    assert str(directory) in found.stdout


def test_plugins_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "further/plugins").mkdir(parents=True)
    (tmp_path / "further/__init__.py").write_text("raise RuntimeError('imported')\n")
    (tmp_path / "further-1.0.dist-info").mkdir()
    (tmp_path / "further-1.0.dist-info/METADATA").write_text("Name: further\nVersion: 1.0\n")
    (tmp_path / "further-1.0.dist-info/entry_points.txt").write_text("[polycodec.plugins]\nmine = further:plugins\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    found = subprocess.run([sys.executable, "-c", PLUGIN], check=True, env=env, capture_output=True, text=True)
    assert str(tmp_path / "further/plugins") in found.stdout


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the kept plugin is for x86-64")
def test_plugins_of_others_run_in_the_sandbox(tmp_path: Path) -> None:
    kept = Path(__file__).parents[3] / "tests/abi/kept"
    for name in ("test.kept.so", "test.kept.polycodec.json"):
        shutil.copy(kept / name, tmp_path)
    data = {}
    for mode in ("auto", "in-process"):
        registry = pc.Registry(add_paths=[str(tmp_path)], isolation=mode)
        data[mode] = registry.encode([b"hello", b"you"], "test.kept")
        assert registry.decode(data[mode], "test.kept").to_python() == [b"hello", b"you"]
        record = next(x for x in registry.list("records") if x["id"] == "test.kept")
        assert (record["isolation"] is not None) == (mode == "auto"), record
        why = "not a plugin of the package" if mode == "auto" else "policy.isolation says so"
        assert (record["runs"], record["why"]) == ("process" if mode == "auto" else "in-process", why)
        own = next(x for x in registry.list("records") if x["id"] == "ply")
        assert own["runs"] == "in-process" and own["path"] == ""
    assert data["auto"] == data["in-process"] == b"5:hello,3:you,"


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A directory with a plugin that is WebAssembly."""
    kept = Path(__file__).parents[3] / "tests/abi/kept"
    directory = tmp_path / "modules"
    directory.mkdir()
    shutil.copy(kept / "test.kept.wasm", directory)
    manifest = (kept / "test.kept.polycodec.json").read_text()
    (directory / "test.kept.polycodec.json").write_text(manifest.replace("test.kept.so", "test.kept.wasm"))
    (directory / "two.netstrings").write_bytes(b"5:hello,3:you,")
    return directory


def test_modules_run_with_the_wasmtime_of_pypi(modules: Path, bare: dict[str, str]) -> None:
    registry = pc.Registry(add_paths=[str(modules)])
    data = registry.encode([b"hello", b"you"], "test.kept")
    assert data == b"5:hello,3:you,"
    assert registry.decode(data, "test.kept").to_python() == [b"hello", b"you"]
    command = [sys.executable, "-m", "polycodec", "--plugin-path", modules, "decode", "--from", "test.kept"]
    shown = subprocess.run([*command, modules / "two.netstrings"], check=True, env=bare, capture_output=True, text=True)
    assert json.loads(shown.stdout)["value"] == [{"$bytes": "aGVsbG8="}, {"$bytes": "eW91"}]


def test_without_wasmtime_the_error_says_what_to_install(modules: Path, bare: dict[str, str], tmp_path: Path) -> None:
    for part in PACKAGE.parent.glob("polycodec*"):
        if part.suffix in ("", ".libs"):
            shutil.copytree(part, tmp_path / part.name)
    command = [tmp_path / "polycodec/bin/polycodec", "--plugin-path", modules, "decode", "--from", "test.kept"]
    failed = subprocess.run([*command, modules / "two.netstrings"], env=bare, capture_output=True, text=True)
    assert failed.returncode != 0
    assert f"{tmp_path}/wasmtime/linux-{platform.machine()}/_libwasmtime.so" in failed.stderr
    assert "pip install polycodec[wasm]" in failed.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="needs a file of another owner")
def test_plugins_of_another_owner_are_rejected(tmp_path: Path) -> None:
    directory = tmp_path / "lib/polycodec/plugins/abi2"
    directory.mkdir(parents=True)
    shutil.chown(directory, 65534)
    env = {**os.environ, "VIRTUAL_ENV": str(tmp_path)}
    program = "import polycodec as pc; print(pc.doctor()['directories'])"
    found = subprocess.run([sys.executable, "-c", program], check=True, env=env, capture_output=True, text=True)
    assert "denied" in found.stdout
