#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links of the pages below a directory: links.py ROOT [PREFIX].

Each relative link leads to a file below ROOT, and each anchor to a heading. docs/README.md lists every page of docs once.
With PREFIX, each page that a file below PREFIX mentions as docs/NAME.md or plugins/NAME/README.md is below ROOT.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
MENTION = re.compile(r"\b(?:docs/[\w/-]+\.md|plugins/\w+/README\.md)")
HIDDEN = {"build", "node_modules", "target"}


def without_blocks(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def prose_of(page: Path) -> str:
    """The text of a page without code, whose brackets are not links."""
    return re.sub(r"(?<!\[)`[^`\n]*`", "", without_blocks(page))


def anchors_of(page: Path) -> set[str]:
    """The anchors that a browser of the repository gives to the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(without_blocks(page))}


def pages_below(root: Path) -> list[Path]:
    """The pages of the repository, or of an installed tree."""
    found = (page.relative_to(root) for page in root.rglob("*.md"))
    return sorted(page for page in found if not any(part in HIDDEN or part.startswith(".") for part in page.parts))


def broken_links(root: Path, page: Path) -> Iterator[str]:
    """Yields each link of a page that leads nowhere."""
    for link in LINK.findall(prose_of(root / page)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = ((root / page).parent / name).resolve() if name else (root / page).resolve()
        if not target.is_relative_to(root.resolve()) or not target.exists():
            yield f"{page}: '{link}': no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"{page}: '{link}': no such heading"


def index_errors(docs: Path) -> Iterator[str]:
    """Yields each page that the index does not list, or lists twice."""
    links = LINK.findall((docs / "README.md").read_text(encoding="utf-8"))
    for page in sorted(docs.rglob("*.md")):
        name = page.relative_to(docs).as_posix()
        if name != "README.md" and links.count(name) != 1:
            yield f"docs/README.md: {name} is listed {links.count(name)} times, not once"


def broken_mentions(root: Path, prefix: Path) -> Iterator[str]:
    """Yields each page that an installed header, template or schema mentions, and that is not installed."""
    for file in sorted(path for path in prefix.rglob("*") if path.is_file()):
        if file.is_relative_to(root) or file.suffix in (".so", ".a") or file.read_bytes().startswith(b"\x7fELF"):
            continue
        for name in MENTION.findall(file.read_text(encoding="utf-8", errors="replace")):
            if not (root / name).is_file():
                yield f"{file.relative_to(prefix)}: '{name}': no such file"


def main() -> int:
    """Checks the pages below a directory. Returns the exit status."""
    root = Path(sys.argv[1])
    pages = pages_below(root)
    errors = [error for page in pages for error in broken_links(root, page)] + list(index_errors(root / "docs"))
    if len(sys.argv) > 2:
        errors += broken_mentions(root, Path(sys.argv[2]))
    print("\n".join([*errors, f"{len(pages)} pages, {len(errors)} errors"]))
    return 1 if errors or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
