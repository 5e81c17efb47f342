# SPDX-License-Identifier: MIT
"""One value goes as a yggdrasil message through a program of each language, and arrives equal.

Usage: ring.py NAME=PROGRAM...  in the order of the ring. A program sends each message of its standard input on to its
standard output, decoded to the types of its language and encoded again. What a language cannot hold is in leaves_out.tsv.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import polycodec as pc

# Each member: its type and its value as typed JSON (docs/text-notation.md).
MEMBERS: dict[str, tuple[str, object]] = {
    "boolean": ("bool", True),
    "int8": ("int8", -128),
    "int16": ("int16", -32768),
    "int32": ("int32", -2147483648),
    "int64": ("int64", -9223372036854775807),
    "uint8": ("uint8", 255),
    "uint16": ("uint16", 65535),
    "uint32": ("uint32", 4294967295),
    "uint64": ("uint64", 9223372036854775807),
    "uint64_max": ("uint64", 18446744073709551615),
    "float16": ("float16", 1.5),
    "float32": ("float32", 0.5),
    "float64": ("float64", 0.1),
    "complex64": ("complex[float32]", {"$complex": [1.5, -0.5]}),
    "complex128": ("complex[float64]", {"$complex": [0.1, 0.2]}),
    "bytes": ("bytes", {"$bytes": "AAEC/w=="}),
    "string": ("string", "häl\u4e16 \U0001f600"),
    "empty": ("string", ""),
    "nothing": ("null", None),
    "list": ("(int64, string, null, {a: float64})", [1, "a", None, {"a": 2.5}]),
    "object": ("{inner: {x: float64, y: string}, n: int64}", {"inner": {"x": 1.5, "y": "z"}, "n": 7}),
    "length": ("annotated[float64, units='cm']", 2.5),
    "masses": ("annotated[3 * float32, units='kg']", [1.5, 2.5, 3.5]),
    "array": ("2 * 3 * 4 * float64", [[[12 * i + 4 * j + k + 0.25 for k in range(4)] for j in range(3)] for i in range(2)]),
    "integers": ("2 * 3 * int32", [[1, 2, 3], [4, 5, -6]]),
    "bytes_array": ("3 * fixed_bytes[3]", [{"$bytes": "YWJj"}, {"$bytes": "ZGVm"}, {"$bytes": "Z2hp"}]),
    "strings": ("2 * fixed_string[3]", ["abc", "é"]),
    "table": (
        "2 * {name: string, mass: float64, n: int64}",
        [{"name": "a", "mass": 1.5, "n": 1}, {"name": "b", "mass": 2.5, "n": 2}],
    ),
    "datetime": ("datetime[unit='us']", {"$datetime": "1969-12-31T23:59:59.000001Z"}),
    "dates": ("2 * datetime[unit='D']", [{"$datetime": "2024-02-29"}, {"$datetime": "1969-12-31"}]),
    "timedelta": ("timedelta[unit='ms']", {"$timedelta": [-5, "ms"]}),
    "class": ("extension['yggdrasil.class', string]", {"$ext": ["yggdrasil.class", "example:ExampleClass"]}),
    "instance": (
        "extension['yggdrasil.instance', {class: string, args: (string, float64), kwargs: {a: int64}}]",
        {"$ext": ["yggdrasil.instance", {"class": "example:ExampleClass", "args": ["a", 0.5], "kwargs": {"a": 1}}]},
    ),
    "schema": ("extension['yggdrasil.schema', {type: string}]", {"$ext": ["yggdrasil.schema", {"type": "string"}]}),
    "function": ("extension['yggdrasil.function', string]", {"$ext": ["yggdrasil.function", "example:example_function"]}),
}
MESHES = {
    "obj": """v 0 0 0
v 0 0.5 1
v 1 0 0
f 1 2 3
""",
    "ply": """ply
format ascii 1.0
element vertex 4
property double x
property double y
property double z
element face 2
property list uchar int vertex_index
end_header
0 0 0
0 0.5 1
1 0 0
1 1 1
3 0 1 2
3 1 3 2
""",
}


def value_without(left_out: set[str]) -> dict[str, pc.Value]:
    """Returns the value of the message, without these members."""
    kept = {name: member for name, member in MEMBERS.items() if name not in left_out}
    made = {
        name: pc.decode(json.dumps({"type": kind, "value": value}).encode(), "text") for name, (kind, value) in kept.items()
    }
    return made | {codec: pc.decode(text.encode(), codec) for codec, text in MESHES.items() if codec not in left_out}


def check_table() -> None:
    """Checks that each row of the table in docs/languages.md names members of the ring, and all are named."""
    page = pathlib.Path(__file__).parents[2] / "docs" / "languages.md"
    rows = [line.split("|") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {word for row in rows for word in re.findall(r"`ring: ([^`]*)`", row[-2])}
    named = {member for words in named for member in words.split()}
    assert named == MEMBERS.keys() | MESHES.keys(), f"docs/languages.md: {named ^ (MEMBERS.keys() | MESHES.keys())}"


def message(value: dict[str, pc.Value], name: str) -> bytes:
    return b"".join(bytes(part) for part in pc.Channel().pack(value, header={"id": name}))


def received(data: bytes) -> pc.Message:
    channel = pc.Channel()
    channel.feed(data)
    found = channel.next()
    assert found is not None, "no message"
    assert channel.next() is None, "more than one message"
    return found


def check(who: str, program: list[str], left_out: set[str]) -> None:
    """Sends the value through a program and compares what comes back."""
    sent = message(value_without(left_out), "the ring")
    done = subprocess.run(program, input=sent, stdout=subprocess.PIPE, check=False, timeout=300)
    assert done.returncode == 0, f"{who}: status {done.returncode}"
    back = received(done.stdout)
    assert back.header["__meta__"]["id"] == "the ring", f"{who}: another id: {back.header}"
    difference = received(sent).value.difference(back.value)
    assert difference is None, f"{who}: {difference}"


def main() -> None:
    check_table()
    ring = dict(argument.split("=", 1) for argument in sys.argv[1:])
    lines = pathlib.Path(__file__).with_name("leaves_out.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    left_out = {name: {row[1] for row in rows if row[0] == name} for name in ring}
    failed = []
    for name, program in ring.items():
        try:
            check(name, [program], left_out[name])
            for member in left_out[name]:  # else the row is not needed
                try:
                    check(name, [program], (MEMBERS.keys() | MESHES.keys()) - {member})
                except (AssertionError, pc.PolycodecError):
                    continue
                raise AssertionError(f"{name} holds {member}, which leaves_out.tsv says it does not")
        except (AssertionError, pc.PolycodecError, subprocess.TimeoutExpired) as e:
            failed.append(str(e))
    if failed:
        sys.exit("\n".join(failed))
    everything = set().union(*left_out.values())
    check(" -> ".join(ring), ["sh", "-c", " | ".join(f"'{program}'" for program in ring.values())], everything)
    count = len(MEMBERS) + len(MESHES) - len(everything)
    print(f"ring: Python -> {' -> '.join(ring)} -> Python, {count} members arrive equal")


if __name__ == "__main__":
    main()
