# SPDX-License-Identifier: MIT
"""Generated Julia, both ways (fastbin_peer.jl), on the schemas of the vectors. fastbin itself has no package."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from compare import Run, same
from values import Values

Json = Any
INTEGERS = {f"{sign}int{bits}": (sign == "", bits) for sign in ("", "u") for bits in (8, 16, 32, 64)}
INTEGERS |= {"char": (False, 8), "byte": (False, 8)}


class Schema:
    """A schema of fastbin, read from its document alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        document = json.loads(path.read_text())
        self.name = path.name.split(".")[0]
        self.module = document["namespace"].replace("::", "_")
        self.enums = document.get("enums", {})
        self.structs: dict[str, dict[str, str]] = {n: s["members"] for n, s in document["structs"].items()}

    def split(self, text: str) -> tuple[str, list[str]]:
        """A type as its word and what stands in its brackets: `vector<enum:E>` is vector and [enum:E]."""
        found = re.fullmatch(r"\s*(\w+)\s*<(.*)>\s*", text)
        if found is None:
            return text.strip(), []
        parts, depth, start = [], 0, 0
        inner = found[2] + ","
        for i, c in enumerate(inner):
            depth += (c == "<") - (c == ">")
            if c == "," and depth == 0:
                parts.append(inner[start:i].strip())
                start = i + 1
        return found[1].lower(), parts

    def random(self, kind: str, v: Values) -> Json:
        """A value in the form of `same_form`."""
        word, parts = self.split(kind)
        if word == "vector":
            return [self.random(parts[0], v) for _ in range(v.one_of([0, 1, 2, 7]))]
        if word == "variant":
            index = v.random.randrange(len(parts))
            return {"variant": [index, self.random(parts[index], v)]}
        if word.startswith("struct:"):
            return {name: self.random(part, v) for name, part in self.structs[word[7:]].items()}
        if word.startswith("enum:"):
            return self.random(self.enums[word[5:]]["type"], v)
        if word == "string":
            return v.text()
        if word == "bool":
            return v.random.random() < 0.5
        if word.startswith("float"):
            x = v.real()
            with np.errstate(over="ignore"):
                return bits(word, float(np.float32(x)) if word == "float32" else x)
        signed, size = INTEGERS[word]
        raw = v.one_of([0, 1, 2 ** (size - 1), 2**size - 1, v.random.getrandbits(size)])
        return raw - (1 << size) if signed and raw >> (size - 1) else raw

    def same_form(self, kind: str, j: Json) -> Json:
        """What polycodec or Julia printed, with enums as numbers and floats as bits."""
        word, parts = self.split(kind)
        if word == "vector":
            return [self.same_form(parts[0], x) for x in j]
        if word == "variant":
            index, value = j["$union"] if "$union" in j else j["variant"]
            return {"variant": [index, None if value is None else self.same_form(parts[index], value)]}
        if word.startswith("struct:"):
            return {name: self.same_form(part, j[name]) for name, part in self.structs[word[7:]].items()}
        if word.startswith("enum:"):
            members = self.enums[word[5:]]["members"]
            number = members[j]["value"] if isinstance(j, str) else j
            return bool(number) if self.enums[word[5:]]["type"] == "bool" else int(number)
        if not word.startswith("float"):
            return j
        if isinstance(j, str):  # Julia's bits
            size = len(j) // 2
            return bits(word, struct.unpack(">f" if size == 4 else ">d", bytes.fromhex(j[1:]))[0])
        return bits(word, float(j["$float"].split(":")[0]) if isinstance(j, dict) else float(j))

    def text(self, kind: str, value: Json) -> Json:
        """A value of `random` as polycodec reads it."""
        word, parts = self.split(kind)
        if word == "vector":
            return [self.text(parts[0], x) for x in value]
        if word == "variant":
            index, inner = value["variant"]
            shown = self.text(parts[index], inner)
            if isinstance(shown, float) and parts[index] == "float32":
                shown = {"$value": {"type": "float32", "value": shown}}
            return {"$union": [index, shown]}
        if word.startswith("struct:"):
            return {name: self.text(part, value[name]) for name, part in self.structs[word[7:]].items()}
        if not word.startswith("float"):
            return value
        x = struct.unpack(">f" if word == "float32" else ">d", bytes.fromhex(value[1:]))[0] if value != "nan" else None
        return {"$float": "nan"} if x is None else x if np.isfinite(x) else {"$float": "inf" if x > 0 else "-inf"}


def bits(word: str, x: float) -> str:
    if np.isnan(x):
        return "nan"
    return "f" + struct.pack(">f" if word == "float32" else ">d", x).hex()


def main() -> int:
    run = Run("fastbin", ["julia", "generated", "schemas"])
    schemas = [Schema(p) for p in sorted(run.options.schemas.glob("*.schema.json")) if ".readme." not in p.name]
    cases = [(s, name) for s in schemas for name in s.structs]
    each = -(-run.options.count // len(cases))

    def julia(*words: object) -> list[Json]:
        command = [run.options.julia, "--startup-file=no", Path(__file__).with_suffix(".jl"), *words]
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in done.stdout.decode().rstrip("\n").split("\n")]

    def decoded(schema: Schema, root: str, data: bytes) -> Json:
        options = {"schema_file": str(schema.path), "root": root, "trailing": "refuse"}
        plain = run.session.decode("fastbin", data, plain=True, options=options).split(b"\n", 1)[1]
        return schema.same_form(f"struct:{root}", json.loads(plain))

    # Ours to Julia: all files first, as one process of Julia reads them.
    values: list[tuple[Schema, str, Json]] = []
    lines = []
    for schema, root in cases:
        for _ in range(each):
            value = schema.random(f"struct:{root}", run.values)
            path = run.work / f"ours-{len(values)}.bin"
            text = {"type": "any", "value": schema.text(f"struct:{root}", value)}
            options = {"schema_file": str(schema.path), "root": root}
            path.write_bytes(run.session.encode("fastbin", json.dumps(text).encode(), options=options))
            lines.append(f"{schema.name}\t{schema.module}\t{root}\t{path}\n")
            values.append((schema, root, value))
    (run.work / "read.tsv").write_text("".join(lines))
    printed = julia("read", run.options.generated, run.work / "read.tsv")

    def write(i: int) -> None:
        schema, root, value = values[i]
        same(schema.same_form(f"struct:{root}", printed[i]), value)

    run.each("ours to Julia", write, len(values))

    lines = [f"{s.name}\t{s.module}\t{root}\t{run.work / f'{s.name}-{root}'}\n" for s, root in cases]
    (run.work / "write.tsv").write_text("".join(lines))
    shown = julia("write", run.options.generated, run.work / "write.tsv", each, run.options.seed)

    def read(i: int) -> None:
        schema, root = cases[i // each]
        data = (run.work / f"{schema.name}-{root}-{i % each + 1}.bin").read_bytes()
        same(decoded(schema, root, data), schema.same_form(f"struct:{root}", shown[i]))

    run.each("Julia to ours", read, len(shown))
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
