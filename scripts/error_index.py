#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/error-index.md from the sources and scripts/error_details.tsv: error_index.py [--update].

The sources say which codes and details there are. The table has the cause and the remedy of each, and the codes that a
helper function hides. Without --update the page must be what the program makes. It fails if the sources have a detail that
the table lacks, or the table has one that the sources lack.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path("scripts/error_details.tsv")
PAGE = Path("docs/error-index.md")
ROOMS = ("core", "registry", "sdk", "plugins", "tools")
LITERAL = re.compile(r'"([a-z][a-z0-9]*\.[a-z][a-z0-9_]*)"')
CODE = re.compile(r"\bStatus::(?!ok\b)([a-z_]+)")
# Literals of the same form that are not details.
NAMES = {
    # functions of data, and modules of Python
    *("awkward.persist", "awkward.util", "awkward0.persist", "awkward0.util", "backports.lzma", "lz4.block"),
    *("lzma.compress", "zlib.compress", "zlib.decompress"),
    # keys of configurations and descriptions
    *("defaults.options", "plugin.version", "plugins.add_paths", "policy.isolation"),
    # what messages advise
    *("call.losses", "from.codec", "to.codec"),
    # extensions
    *("awkward.dtype", "awkward.function", "awkward.type", "msgpack.ext", "yggdrasil.class", "yggdrasil.function"),
    *("yggdrasil.instance", "yggdrasil.integer", "yggdrasil.other", "yggdrasil.schema"),
    # attributes
    *("dynd.first", "dynd.total", "dynd.type", "gltf.format", "mesh.columns", "mesh.list", "obj.colors", "obj.rows"),
    *("obj.text", "polycodec.complex", "polycodec.metadata", "polycodec.owner", "polycodec.size", "polycodec.tuple"),
    *("polycodec.unchecked", "stl.format", "stl.header"),
}
FILES = (".cpp", ".hpp", ".h", ".mtl", ".so")
# Details that the sources put together: file or directory, expression for the last part, areas.
COMPOSED = (
    ("plugins/stl", r'\(\s*Status::\w+,\s*"([a-z_]+)"', ("stl",)),
    ("plugins/gltf", r'\(\s*Status::\w+,\s*"([a-z_]+)"', ("gltf",)),
    ("sdk/model/mesh/rows.hpp", r'"((?:bad|missing)_[a-z]+)"', ("mesh", "obj")),
)
STAGES = ("registry/load/probe.cpp", r"stage_name\(Stage.*?\{(.*?)\};")


@dataclass
class Detail:
    """A detail with the codes that it comes with."""

    name: str
    codes: set[str] = field(default_factory=set)


@dataclass
class Row:
    """What the table says of a detail."""

    section: str
    remedy: str
    cause: str
    codes: set[str]


def codes_of(root: Path) -> dict[str, str]:
    """The codes of the ABI with their meanings, in its order."""
    page = (root / "docs/errors.md").read_text(encoding="utf-8")
    meanings = dict(re.findall(r"^\| `(\w+)` \| `POLYCODEC_ERROR_\w+` \| (.*?) \|$", page, re.MULTILINE))
    header = (root / "sdk/include/polycodec/abi/values.h").read_text(encoding="utf-8")
    names = [name.lower() for name in re.findall(r"^ *POLYCODEC_ERROR_([A-Z_]+) *= *\d+", header, re.MULTILINE)]
    if sorted(names) != sorted(meanings):
        raise SystemExit(f"docs/errors.md has other codes than abi/values.h: {sorted(set(names) ^ set(meanings))}")
    return {name: meanings[name] for name in names}


def statement_at(text: str, start: int, end: int) -> str:
    """The statement around a literal."""
    return text[max(text.rfind(sign, 0, start) for sign in ";{}") + 1 : text.find(";", end)]


def add_file(found: dict[str, Detail], name: str, text: str) -> None:
    """Adds the details of one file."""
    matches = [(m, m[1]) for m in LITERAL.finditer(text) if m[1] not in NAMES and not m[1].endswith(FILES)]
    for place, expression, areas in COMPOSED:
        if name == place or name.startswith(place + "/"):
            matches += [(m, f"{area}.{m[1]}") for m in re.finditer(expression, text) for area in areas]
    for match, detail in matches:
        entry = found.setdefault(detail, Detail(detail))
        statement = statement_at(text, match.start(), match.end())
        codes = set(CODE.findall(statement))
        # Two details or two codes in one statement: the table says which belong together.
        if len(codes) == 1 and len(LITERAL.findall(statement)) <= 1:
            entry.codes |= codes


def details_of(root: Path) -> dict[str, Detail]:
    """All details of the sources."""
    found: dict[str, Detail] = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in (".cpp", ".hpp", ".h") and not name.startswith(("tools/kit/", "sdk/template/")):
                add_file(found, name, path.read_text(encoding="utf-8"))
    stages = re.search(STAGES[1], (root / STAGES[0]).read_text(encoding="utf-8"), re.DOTALL)
    for word in re.findall(r'"(\w+)"', stages[1] if stages else ""):
        if word != "ready":
            found[f"plugin.{word}"] = Detail(f"plugin.{word}")
    return found


def table_of(root: Path) -> dict[str, Row]:
    """The rows of the table by detail. A line with # begins a section with its remedy."""
    rows: dict[str, Row] = {}
    section = remedy = ""
    for line in (root / TABLE).read_text(encoding="utf-8").splitlines()[1:]:
        cells = line.split("\t")
        if cells[0] == "#":
            section, remedy = cells[1:]
            continue
        if cells[0] in rows:
            raise SystemExit(f"{TABLE}: {cells[0]} is there twice")
        codes = set() if cells[1] == "-" else set(cells[1].split())
        rows[cells[0]] = Row(section, cells[3] if len(cells) > 3 else remedy, cells[2], codes)
    return rows


def page_of(codes: dict[str, str], found: dict[str, Detail], rows: dict[str, Row]) -> str:
    """The page."""
    lines = [
        "# Error index",
        "",
        "Reference for everyone who has an error and wants its cause and remedy.",
        "[Errors](errors.md) explains codes, details and paths.",
        "",
        "`scripts/error_index.py` makes this page from the sources. A test fails if a detail is missing here.",
        "",
        "## Codes",
        "",
        "| code | when |",
        "|---|---|",
        *(f"| `{code}` | {meaning} |" for code, meaning in codes.items()),
        "",
        "Many errors have a code and no detail. The message then says the cause.",
    ]
    section = ""
    for name, row in rows.items():
        if row.section != section:
            section = row.section
            lines += ["", f"## {section}", "", "| detail | code | cause | remedy |", "|---|---|---|---|"]
        said = sorted(row.codes | found[name].codes, key=list(codes).index)
        lines.append(f"| `{name}` | {', '.join(f'`{code}`' for code in said)} | {row.cause} | {row.remedy} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Checks or writes the page. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the page")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the repository")
    given = parser.parse_args()
    codes, found, rows = codes_of(given.root), details_of(given.root), table_of(given.root)
    errors = [f"{name}: the sources have this detail, {TABLE} lacks it" for name in sorted(found.keys() - rows.keys())]
    errors += [f"{name}: {TABLE} has this detail, the sources lack it" for name in sorted(rows.keys() - found.keys())]
    both = found.keys() & rows.keys()
    for name in sorted(both):
        all_codes = found[name].codes | rows[name].codes
        if not all_codes or not all_codes <= codes.keys():
            errors.append(f"{name}: its codes are {sorted(all_codes)}: name them in {TABLE}")
    if not errors:
        page = page_of(codes, found, rows)
        if given.update:
            (given.root / PAGE).write_text(page, encoding="utf-8")
        elif not (given.root / PAGE).exists() or (given.root / PAGE).read_text(encoding="utf-8") != page:
            errors.append(f"{PAGE} is not what the sources give: run scripts/error_index.py --update")
    print("\n".join([*errors, f"{len(found)} details, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
