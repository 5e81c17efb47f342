#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/sbom.cdx.json, a bill of materials in CycloneDX: sbom.py [--update].

It lists the libraries of scripts/install_deps.sh, which a build links or compiles in, and the packages of npm that the
script of pages holds, with their hashes. Without --update the file must be what the program makes.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
BILL = TOP / "docs/sbom.cdx.json"

# The licenses of the libraries, as the copyright files of their Debian packages give them.
LICENSES = {
    "libboost-dev": "BSL-1.0",
    "libbz2-dev": "bzip2-1.0.6",
    "libcli11-dev": "BSD-3-Clause",
    "libdeflate-dev": "MIT",
    "libdraco-dev": "Apache-2.0",
    "libdragonbox-dev": "Apache-2.0 WITH LLVM-exception OR BSL-1.0",
    "libhdf5-dev": "BSD-3-Clause",
    "libisal-dev": "BSD-3-Clause",
    "libjpeg62-turbo-dev": "IJG AND BSD-3-Clause AND Zlib",
    "liblz4-dev": "BSD-2-Clause",
    "liblzma-dev": "LicenseRef-public-domain",
    "libmeshoptimizer-dev": "MIT",
    "libminizip-dev": "Zlib",
    "libmsgpack-cxx-dev": "BSL-1.0",
    "libpng-dev": "libpng-2.0",
    "libre2-dev": "BSD-3-Clause",
    "libspdlog-dev": "MIT",
    "libudunits2-dev": "LicenseRef-UCAR",
    "libxxhash-dev": "BSD-2-Clause",
    "libzstd-dev": "BSD-3-Clause OR GPL-2.0-only",
    "nettle-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "nlohmann-json3-dev": "MIT",
    "zlib1g-dev": "Zlib",
}


def debian_libraries() -> list[dict]:
    """The libraries that a build takes from Debian 12. The packages that are made name their versions."""
    script = (TOP / "scripts/install_deps.sh").read_text(encoding="utf-8")
    names = re.search(r"^libraries=\((.*?)\)", script, re.DOTALL | re.MULTILINE)[1].split()
    for name in sorted(set(names) ^ set(LICENSES)):
        raise SystemExit(
            f"sbom.py: '{name}': a library of install_deps.sh and its license belong together; correct LICENSES"
        )
    return [
        {
            "type": "library",
            "bom-ref": name,
            "name": name,
            "purl": f"pkg:deb/debian/{name}?distro=debian-12",
            "licenses": [{"expression": LICENSES[name]}],
        }
        for name in sorted(names)
    ]


def bundled_scripts() -> list[dict]:
    """The packages of npm whose code is in each page of polycodec view."""
    lock = json.loads((TOP / "tools/view/page/web/package-lock.json").read_text(encoding="utf-8"))
    components = []
    for path, package in sorted(lock["packages"].items()):
        if not path or package.get("dev"):
            continue
        name, (kind, digest) = path.removeprefix("node_modules/"), package["integrity"].split("-", 1)
        components.append(
            {
                "type": "library",
                "bom-ref": name,
                "name": name,
                "version": package["version"],
                "purl": f"pkg:npm/{name}@{package['version']}",
                "hashes": [{"alg": kind.upper().replace("SHA", "SHA-"), "content": base64.b64decode(digest).hex()}],
                "licenses": [{"license": {"id": package["license"]}}],
            }
        )
    return components


def bill() -> str:
    """The text of the bill of materials."""
    project = (TOP / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(polycodec VERSION (\S+)", project)[1]
    components = debian_libraries() + bundled_scripts()
    content = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "polycodec",
                "name": "polycodec",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": "polycodec", "dependsOn": [component["bom-ref"] for component in components]}],
    }
    return json.dumps(content, indent=2) + "\n"


def main() -> int:
    """Writes or compares the file. Returns the exit status."""
    text = bill()
    if sys.argv[1:] == ["--update"]:
        BILL.write_text(text, encoding="utf-8")
    elif not BILL.is_file() or BILL.read_text(encoding="utf-8") != text:
        print("docs/sbom.cdx.json is not what the sources give; run scripts/sbom.py --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
