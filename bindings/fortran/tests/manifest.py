# SPDX-License-Identifier: MIT
"""Checks an fpm manifest against the files beside it: manifest.py fpm.toml"""

import re
import sys
import tomllib
from pathlib import Path

manifest = Path(sys.argv[1])
package = tomllib.loads(manifest.read_text())
directory = manifest.resolve().parent
modules = {
    module
    for source in (directory / package["library"]["source-dir"]).glob("*.f90")
    for module in re.findall(r"^module (\w+)$", source.read_text(), flags=re.MULTILINE)
}
assert re.fullmatch(r"[a-z][a-z0-9_-]*", package["name"])
# Modules begin with the name of the package, as fpm asks.
assert modules and all(module.startswith(package["name"]) for module in modules), modules
for program in [*package["example"], *package["test"]]:
    source = directory / program["source-dir"] / program["main"]
    assert re.search(r"^program \w+$", source.read_text(), flags=re.MULTILINE), source
version = re.search(r"\bVERSION (\d+\.\d+\.\d+)", (directory.parent.parent / "CMakeLists.txt").read_text())
assert version and version[1] == package["version"], version
