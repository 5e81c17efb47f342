#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the words of documents, of public headers and of messages against docs/style.md.

It counts the terms of scripts/prose_terms.tsv, sentences of documents with more than 25 words, and pages of docs/ and
READMEs of plugins whose third line does not say their kind and their reader. A term may be broken across lines. Messages
are all string literals with a space, also those of manifests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WORDS = 25
KINDS = ("Tutorial", "How-to", "Reference", "Explanation")
LINE_3 = re.compile(rf"(?:{'|'.join(KINDS)}) for \w")
TERMS = Path("scripts/prose_terms.tsv")
PUBLIC = ("sdk/include/",)
SOURCES = ("bindings/", "core/", "registry/", "plugins/", "sdk/", "tools/")
PAGES_WITH_READER = re.compile(r"docs/.*|plugins/[^/]+/README\.md")
CODE = "§"  # stands in for code, which has no words
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
LITERALS = re.compile(rf"{LITERAL.pattern}(?:\s*{LITERAL.pattern})*")  # those that the compiler joins
NO_LITERALS = re.compile(r"""//[^\n]*|/\*.*?\*/|^\s*#\s*include[^\n]*|'(?:[^'\\\n]|\\.)'""", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule."""

    file: str
    line: int
    rule: str  # term, sentence or line-3
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Term:
    """An expression that prose must not have, and the words to use."""

    pattern: re.Pattern[str]
    instead: str


def terms_of(path: Path) -> list[Term]:
    """Reads the table of terms. Its first line is a heading."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [Term(re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), instead) for pattern, instead in rows]


def blank(text: str, pattern: str, by: str = " ") -> str:
    """Replaces matches, and keeps their newlines, so that line numbers stay."""
    return re.sub(pattern, lambda found: by + "\n" * found[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)


def prose_of_page(text: str) -> str:
    """The prose of a Markdown page: no code, no targets of links, no HTML."""
    text = blank(text, r"^ *```.*?^ *```")
    text = blank(text, r"``.*?``|`[^`]*`", CODE)
    text = blank(text, r"\]\([^)]*\)", "]")
    return blank(text, r"<!--.*?-->|<[^>]*>")


def prose_of_header(text: str) -> str:
    """The comments of a header, each at its place. Marks of comments are left out, so that sentences go over lines."""
    lines = [""] * (text.count("\n") + 1)
    for comment in re.finditer(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL):
        first = text.count("\n", 0, comment.start())
        for i, line in enumerate(comment[0].split("\n")):
            lines[first + i] += " " + re.sub(r"^\s*(?://[/!]?<?|/\*+!?<?|\*(?!/))|\*/\s*$", "", line)
    return blank("\n".join(lines), r"`[^`\n]*`", CODE)


def messages_of(text: str) -> str:
    """The string literals with a space, each at its place. Literals side by side are one, as they are for a compiler."""
    text = without_comments(text)
    lines = [""] * (text.count("\n") + 1)
    for literals in LITERALS.finditer(text):
        parts = list(LITERAL.finditer(literals[0]))
        joined = "".join(part[1] for part in parts)
        if " " in joined.strip() or joined.startswith(" "):
            lines[text.count("\n", 0, literals.start())] += f" {joined} {CODE}"
    return "\n".join(lines)


def without_comments(text: str) -> str:
    """A source without comments, character literals and names of included files. Lines keep their places."""
    kept = re.compile(f"{LITERAL.pattern}|{NO_LITERALS.pattern}", NO_LITERALS.flags)
    return kept.sub(lambda found: found[0] if found[0][0] == '"' else " " + "\n" * found[0].count("\n"), text)


def paragraphs_of(prose: str) -> Iterator[tuple[int, str]]:
    """Yields the paragraphs and items of lists of a page with their first lines. Tables and headings are none."""
    first, gathered = 0, ""
    for number, line in enumerate([*prose.splitlines(), ""], 1):
        stripped = line.strip()
        begins = re.match(r"[-*] |\d+\. ", stripped)
        if gathered and (not stripped or begins or stripped[0] in "|#"):
            yield first, gathered
            gathered = ""
        if stripped and stripped[0] not in "|#":
            first = first if gathered else number
            gathered += " " + (stripped[begins.end() :] if begins else stripped)


def sentences_of(prose: str) -> Iterator[tuple[int, str]]:
    """Yields the sentences of a page, with the first line of their paragraph."""
    for line, paragraph in paragraphs_of(prose):
        for sentence in re.split(r"(?<=[.!?:])[*_)\]\"']*\s+(?=\[|[\"'(*_]*[A-Z0-9§])|:\s*$", paragraph):
            if sentence and sentence.strip():
                yield line, sentence.strip()


def check(file: str, text: str, terms: list[Term]) -> Iterator[Finding]:
    """Yields what is wrong with a file."""
    is_page = file.endswith(".md")
    is_public = file.startswith(PUBLIC)
    prose = prose_of_page(text) if is_page else messages_of(text)
    for place in (prose, prose_of_header(text)) if is_public else (prose,):
        for term in terms:
            for found in term.pattern.finditer(place):
                words = " ".join(found[0].split())
                yield Finding(
                    file, place.count("\n", 0, found.start()) + 1, "term", f"term '{words}': use {term.instead}"
                )
    if not is_page:
        return
    for number, sentence in sentences_of(prose):
        if (words := len(re.findall(r"[^\W_][\w'-]*", sentence))) > WORDS:
            yield Finding(file, number, "sentence", f"a sentence of {words} words: at most {WORDS} ('{sentence[:50]}...')")
    if PAGES_WITH_READER.fullmatch(file) and not LINE_3.match("".join(text.split("\n")[2:3])):
        yield Finding(
            file, 3, "line-3", f"line 3 says no kind and reader: begin with '{KINDS[2]} for ...' ({', '.join(KINDS)})"
        )


def files_of(root: Path) -> list[str]:
    """The files of the repository that are read, by name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout.split(
        "\0"
    )
    pages = [name for name in listed if name.endswith(".md")]
    read = (".cpp", ".hpp", ".h", ".polycodec.json")
    sources = [name for name in listed if name.startswith(SOURCES) and name.endswith(read) and "/tests/" not in name]
    return sorted(name for name in (*pages, *sources) if (root / name).is_file())


def main() -> int:
    """Checks the repository. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the repository")
    given = parser.parse_args()
    terms = terms_of(given.root / TERMS)
    findings: list[Finding] = []
    sentences = 0
    for file in files_of(given.root):
        text = (given.root / file).read_text(encoding="utf-8")
        findings += check(file, text, terms)
        sentences += sum(1 for _ in sentences_of(prose_of_page(text))) if file.endswith(".md") else 0
    for finding in findings:
        print(finding)
    counts = Counter(finding.rule for finding in findings)
    long = f"{counts['sentence']} of {sentences} sentences beyond {WORDS} words"
    print(f"{counts['term']} terms, {long}, {counts['line-3']} pages without a reader")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
