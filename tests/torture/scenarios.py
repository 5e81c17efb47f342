# SPDX-License-Identifier: MIT
"""Commands that write, and what their targets hold before and after: the ground of faults, kills and full disks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bounds import environment, run
from session import Case, Session

FIRST = {"a": [1, 2, 3], "b": "text", "c": {"x": [1.5, 2.5]}}
SECOND = {"a": [[1, 2], [3, 4], [5, 6]]}
CODECS = {"out.json": "text", "out.dynd": "dynd", "out.cbor": "dynd-cbor", "out.msgpack": "msgpack-ndarray",
          "out.ygg": "yggdrasil", "out.awkd": "awkward", "out.h5": "awkward", "out_directory": "awkward"}  # fmt: skip
STORES = ("s.awkd", "s.h5", "s_directory")


@dataclass
class Scenario:
    """One command that writes, in a directory of its own."""

    name: str
    words: list[str]
    target: str  # empty: the command writes to standard output alone
    place: Path
    next_writer: list[str] = field(default_factory=list)
    before: str = ""  # what the target holds, as text notation
    after: str = ""
    out: bytes = b""
    allocations: int = 0
    changes: int = 0

    def copy(self, case: Case) -> None:
        """Makes the case's directory one in which the command can run."""
        shutil.copytree(self.place, case.directory, dirs_exist_ok=True)


def content(session: Session, directory: Path, target: str) -> str:
    """What a target holds; the error, if it can't be read."""
    if not target or not (directory / target).exists():
        return "absent"
    codec = "awkward" if target in STORES else CODECS.get(target)
    if target.endswith(".msg"):  # each message has an id of its own
        return run([session.command, "message", "unpack", target], directory, session.bounds).out.decode()
    if codec is None:
        return (directory / target).read_bytes().hex()
    done = run([session.command, "decode", target, "--from", codec], directory, session.bounds)
    return done.out.decode() if done.ok else "unreadable: " + done.err.decode(errors="replace")


def make(session: Session, root: Path, shim: Path) -> list[Scenario]:
    """Prepares all scenarios, and runs each once without a fault."""
    shutil.rmtree(root, ignore_errors=True)
    scenarios = [prepare(session, root, *plan) for plan in plans(session.source)]
    for scenario in scenarios:
        measure(session, scenario, shim)
    return scenarios


def plans(source: Path) -> list[tuple[str, list[str], str, list[list[str]], list[str]]]:
    """Name, command, target, the commands that make the target, and the writer that follows."""
    result: list[tuple[str, list[str], str, list[list[str]], list[str]]] = []
    quiet = ["-q"]
    for target, codec in CODECS.items():
        words = ["convert", "first.json", target, "--to", codec]
        result.append((f"convert {target}", words, target, [["convert", "second.json", target, "--to", codec]], words))
    for target in ("out.ply", "out.obj"):
        words = ["convert", "mesh.ply", target, "--lossy"]
        result.append((f"convert {target}", words, target, [], words))
    for store in STORES:
        add = [["store", "add", store, name, f"{name}.json", "--to", "awkward"] for name in ("first", "second")]
        after = ["store", "replace", store, "first", "second.json"]
        for words in (
            ["add", store, "third", "first.json"],
            ["replace", store, "second", "first.json"],
            ["delete", store, "second"],
        ):
            result.append((f"store {words[0]} {store}", ["store", *words], store, add, after))
        result.append(
            (f"store new {store}", add[0], store, [], ["store", "add", store, "third", "first.json", "--to", "awkward"])
        )
    words = ["render", "mesh.ply", "-o", "out.png", "--width", "64", "--height", "48"]
    result.append(("render", words, "out.png", [], words))
    words = ["message", "pack", "first.json", "--header", '{"id": "x"}', "-o", "out.msg"]
    result.append(("message pack", words, "out.msg", [], words))
    words = [
        "convert",
        "mesh.ply",
        "out.msgpack",
        "--to",
        "msgpack-ndarray",
        "--to-filters",
        '[{"id": "shuffle"}, {"id": "zstd"}]',
        "--lossy",
    ]
    result.append(("filters", words, "", [], words))
    for words in (["inspect", "mesh.ply"], ["hash", "first.json"], ["sniff", "mesh.ply"], ["doctor"], ["list"],
                  ["schema", "infer", "mesh.ply"], ["schema", "validate", "schema.json", "first.json"], ["store", "list", "kept.h5"],
                  ["decode", "kept.awkd"], ["mesh", "mesh.ply"], ["type", "3 * {x: int32}"], ["info", "awkward"],
                  ["fastbin", "infer", "first.json"], ["decode", "mesh.ply", "--pretty"]):  # fmt: skip
        kept = [["store", "add", name, "first", "first.json", "--to", "awkward"] for name in ("kept.h5", "kept.awkd")]
        result.append((" ".join(words), words, "", kept if "kept" in words[-1] else [], words))
    return [(name, words + (quiet if "--to" in words else []), *rest) for name, words, *rest in result]  # type: ignore[misc]


def prepare(
    session: Session, root: Path, name: str, words: list[str], target: str, first: Sequence[list[str]], then: list[str]
) -> Scenario:
    place = root / name.replace(" ", "-").replace("*", "")[:60]
    place.mkdir(parents=True)
    (place / "first.json").write_text(json.dumps(FIRST))
    (place / "second.json").write_text(json.dumps(SECOND))
    (place / "schema.json").write_text('{"type": "object", "properties": {"a": {"type": "array"}}}')
    shutil.copy(session.source / "tests/vectors/ply/own_body_blank_lines.ply", place / "mesh.ply")
    for each in first:
        done = run([session.command, *each], place, session.bounds)
        if not done.ok:
            raise SystemExit(f"torture: {name}: {each}: {done.err.decode(errors='replace')}")
    return Scenario(name, words, target, place, then, before=content(session, place, target))


def measure(session: Session, scenario: Scenario, shim: Path) -> None:
    """Runs the command without a fault, and counts what may fail."""
    place = scenario.place.with_name("measured")
    shutil.copytree(scenario.place, place)
    count = place.with_suffix(".count")
    env = {"LD_PRELOAD": str(shim), "TORTURE_COUNT": str(count)}
    done = run([session.command, *scenario.words], place, session.bounds, env=env)
    if not done.ok:
        raise SystemExit(f"torture: {scenario.name}: {done.err.decode(errors='replace')}")
    # An external command is a program of its own: the last one to end has written the file.
    scenario.allocations, scenario.changes = map(int, count.read_text().split())
    scenario.after, scenario.out = content(session, place, scenario.target), done.out
    shutil.rmtree(place)


def check(case: Case, scenario: Scenario, what: str, *, may_be_old: bool) -> None:
    """The old or the new content is there, and the next writer leaves nothing but its own."""
    session = case.session
    found = content(session, case.directory, scenario.target)
    if found != scenario.after and not (may_be_old and found == scenario.before):
        case.finding(f"lost: {scenario.name}, {what}: {found[:200]}")
        return
    if not scenario.target:
        return
    then = run([session.command, *scenario.next_writer], case.directory, session.bounds, env=environment())
    case.executions += 2
    taken = found == scenario.after and b"is there already" in then.err
    if not then.ok and not taken:
        case.finding(f"stuck: {scenario.name}, {what}: the next writer", then)
    left = [path.name for path in case.directory.rglob("*") if ".tmp" in path.name]
    if left:
        case.finding(f"left over: {scenario.name}, {what}: {left}", then)
