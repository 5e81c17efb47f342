# SPDX-License-Identifier: MIT
"""The vectors of each format, which of them are wrong, and which may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from descriptions import CHECKS, Line, beside, json_values, load
from notation import MismatchError, Text, expect

# -- which files there are --


def files(codec: str, *endings: str) -> Callable[[Path], Iterator[Line]]:
    """All files with these endings, without options."""

    def inputs(directory: Path) -> Iterator[Line]:
        for ending in endings:
            for path in sorted(directory.rglob("*" + ending)):
                yield {"file": path.relative_to(directory).as_posix(), "codec": codec}

    return inputs


def msgpack_inputs(directory: Path) -> Iterator[Line]:
    for line in files("msgpack-ndarray", ".msgpack")(directory):
        yield line
        if "lebedov" in line["file"]:
            yield {**line, "options": {"numpy_maps": True}}


def dynd_inputs(directory: Path) -> Iterator[Line]:
    for line in files("dynd", ".bin")(directory):
        kind = beside(directory, line)
        any_form = kind.get("any") or kind.get("type") is None
        yield line if any_form else {**line, "options": {"type": kind["type"]}}
    yield from files("dynd-cbor", ".cbor")(directory)


def fastbin_inputs(directory: Path) -> Iterator[Line]:
    for line in files("fastbin", ".bin")(directory):
        said = beside(directory, line)
        schema = load(directory / f"{said['schema']}.schema.json")
        yield {**line, "options": {"schema": schema, "root": said["struct"]}}


def awkward_inputs(directory: Path) -> Iterator[Line]:
    yield from files("awkward", ".awkd", ".h5")(directory)
    for path in sorted((directory / "dir").iterdir()):
        yield {"file": f"dir/{path.name}", "codec": "awkward"}


def yggdrasil_inputs(directory: Path) -> Iterator[Line]:
    yield from files("yggdrasil", ".body")(directory)


def json_inputs(directory: Path) -> Iterator[Line]:
    for path in sorted(directory.glob("*.json")):
        yield {"file": path.name, "codec": "json"}
    for path in sorted(directory.glob("*_*.jsonl")):
        yield {"file": path.name, "codec": "json", "options": {"form": "jsonl"}}
    yield from files("text", ".typed.json")(directory)


INPUTS: dict[str, Callable[[Path], Iterator[Line]]] = {
    "awkward": awkward_inputs,
    "dynd": dynd_inputs,
    "fastbin": fastbin_inputs,
    "gltf": files("gltf", ".glb", ".gltf"),
    "json": json_inputs,
    "msgpack_ndarray": msgpack_inputs,
    "obj": files("obj", ".obj"),
    "ply": files("ply", ".ply"),
    "stl": files("stl", ".stl"),
    "yggdrasil": yggdrasil_inputs,
}

# -- what is refused, and what need not be --


def ideal_of(directory: Path, line: Line) -> str:
    """What should become of a hostile file."""
    results = load(directory / "hostile/RESULTS.json")
    return str(next(x["ideal"] for x in results if x["name"] == Path(line["file"]).stem))


def read(directory: Path, line: Line, text: Text) -> None:
    """Raises MismatchError unless the value is what the description says, or the vector may be read."""
    if line["file"].startswith("hostile/"):
        ideal = ideal_of(directory, line)
        if not any(word in ideal for word in ("accept", "cap")):
            raise MismatchError(f"it should be refused: {ideal}")
    elif "bad/" in line["file"]:
        said = beside(directory, line)["error"]
        if "accept" not in said:
            raise MismatchError(f"it should be refused: {said}")
    else:
        CHECKS[directory.name](directory, line, text)


def refused(directory: Path, line: Line) -> None:
    """Raises MismatchError unless the description says that the vector is wrong, and why."""
    error = line["error"]
    if directory.name == "json":
        if not Path(line["file"]).name.startswith("n_"):
            raise MismatchError(f"it is refused with {error}")
        try:
            said = line["codec"] == "json" and json_values(directory, line)
        except ValueError:
            return
        if said is not False:
            raise MismatchError(f"it is refused with {error}, and says {said}")
        return
    if line["file"].startswith("hostile/"):
        ideal = ideal_of(directory, line)
        if not ideal.startswith(("reject", "cap")):
            raise MismatchError(f"it should be read: {ideal}")
        return
    if directory.name == "awkward" and not (directory / line["file"]).with_suffix(".json").exists():
        return  # the Python library cannot read it either
    said = beside(directory, line)
    if directory.name == "yggdrasil" and said["precision_bits"] >= 128 and said["subtype"] in ("float", "complex"):
        return expect(error["detail"], "yggdrasil.long_double", "detail")
    if not isinstance(said, dict) or not ("expect" in said or "error" in said):
        raise MismatchError(f"it is refused with {error}")
    wanted = said.get("expect", said)
    word = wanted.get("code") or wanted["error"]
    words = {one.split(" ")[0].replace("-", "_").replace(".", "_") for one in word.split(" or ")}
    found = error["detail"].replace(".", "_")
    if not {found, found.removeprefix(line["codec"].split("-")[0] + "_"), found.removeprefix("type_")} & words:
        raise MismatchError(f"the error is {error['detail']}, not {word}")
    exact = directory.name in ("fastbin", "msgpack_ndarray")
    if exact and wanted.get("offset") is not None:
        expect(error.get("offset"), wanted["offset"], "offset")
    if "path" in wanted:
        expect(error.get("path"), "$." + wanted["path"] if wanted["path"] else "$", "path")
