# SPDX-License-Identifier: MIT
"""Streams of values, messages, schemas and units."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc

VALUES: list[Any] = [{"i": i, "x": [float(i)] * i} for i in range(50)]


def test_a_file_grows_value_by_value(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    with pc.Writer(path, "msgpack-ndarray") as out:
        for value in VALUES:
            out.append(value)
        assert not path.exists()
    assert [value.to_python() for value in pc.read_values(path, "msgpack-ndarray")] == VALUES
    assert [value.to_python() for value in pc.read_values(path.read_bytes(), "msgpack-ndarray")] == VALUES


@pytest.mark.parametrize(
    "name,codec,options", [("a.msgpack", "msgpack-ndarray", None), ("a.JSONL", "json", {"form": "jsonl"})]
)
def test_the_extension_chooses_the_codec(name: str, codec: str, options: dict[str, str] | None, tmp_path: Path) -> None:
    path, named = tmp_path / name, tmp_path / "named"
    for first, target in ((None, path), (codec, named)):
        with pc.Writer(target, first, options=options if first else None) as out:
            for value in VALUES:
                out.append(value)
    assert path.read_bytes() == named.read_bytes()
    with pc.Writer(path, append=True) as out:
        out.append(VALUES[0])
    assert [value.to_python() for value in pc.read_values(path, codec, options=options)] == [*VALUES, VALUES[0]]
    with open(path, "wb") as file, pc.Writer(file) as out:
        out.append(VALUES[0])
    assert [value.to_python() for value in pc.read_values(path, codec, options=options)] == VALUES[:1]


def test_no_codec_for_a_name(tmp_path: Path) -> None:
    for name, kind, word in (
        ("a", pc.InvalidError, "no extension"),
        ("a.nothing", pc.InvalidError, "no codec writes '.nothing'"),
        ("a.msgpack.gz", pc.UnsupportedError, "cannot be compressed"),
        ("a.ply", pc.UnsupportedError, "ply"),
    ):
        with pytest.raises(kind, match=word):
            pc.Writer(tmp_path / name)
        assert not (tmp_path / name).exists()
    with pytest.raises(pc.InvalidError, match="the file object has no name"):
        pc.Writer(io.BytesIO())
    with pytest.raises(TypeError, match="options need a codec"):
        pc.Writer(tmp_path / "a.jsonl", options={"form": "jsonl"})


def test_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    path.write_bytes(b"before")
    with pytest.raises(KeyError), pc.Writer(path, "msgpack-ndarray") as out:
        out.append(1)
        raise KeyError
    assert path.read_bytes() == b"before"


def test_file_objects() -> None:
    file = io.BytesIO()
    with pc.Writer(file, "msgpack-ndarray") as out:
        for value in VALUES:
            out.append(value)
    file.seek(0)
    assert [value.to_python() for value in pc.read_values(file, "msgpack-ndarray")] == VALUES


def test_a_stream_that_is_cut() -> None:
    file = io.BytesIO()
    with pc.Writer(file, "msgpack-ndarray") as out:
        out.append([1, 2, 3])
        out.append([4, 5, 6])
    values = pc.read_values(io.BytesIO(file.getvalue()[:-1]), "msgpack-ndarray")
    assert next(values).to_python() == [1, 2, 3]
    with pytest.raises(pc.FormatError) as caught:
        next(values)
    assert caught.value.code == "truncated"


def test_codecs_without_streams() -> None:
    with pytest.raises(pc.UnsupportedError):
        pc.Writer(io.BytesIO(), "ply")


@pytest.mark.parametrize("codec", ["msgpack-ndarray", None])
def test_messages(codec: str | None) -> None:
    # A channel has one type from its first message on.
    for value in (1.5, "text", {"a": [1, 2]}, np.arange(3.0)):
        receiver = pc.Channel()
        sender = pc.Channel(codec=codec) if codec else pc.Channel()
        message = receiver.unpack(b"".join(sender.pack(value, {"extra": 1})))
        assert message is not None and message.value is not None
        assert message.control == 0 and message.header["extra"] == 1
        expected = value.tolist() if isinstance(value, np.ndarray) else value
        assert message.value.to_python() == expected


def test_messages_in_pieces() -> None:
    sender, receiver = pc.Channel(max_part_bytes=600), pc.Channel()
    stream = b"".join(b"".join(sender.pack(np.arange(float(n)))) for n in (500, 3))
    received = []
    for at in range(0, len(stream), 1000):
        receiver.feed(stream[at : at + 1000])
        while (message := receiver.next()) is not None:
            received.append(message)
    assert [len(message.value or ()) for message in received] == [500, 3]


def test_agreement() -> None:
    answer = pc.agree(pc.offer("me"), np.arange(3))
    assert answer["codec"] in [entry["name"] for entry in pc.codecs()]


def test_schemas() -> None:
    schema = pc.Schema.parse({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
    assert schema.problems({"a": 1}) == []
    problems = schema.problems({"a": "x"})
    assert problems[0]["path"] == "$.a" and problems[0]["keyword"] == "type"
    assert pc.Schema.infer({"a": 1}).to_dict() == {"type": "object", "properties": {"a": {"type": "integer"}}}
    metres = pc.Schema.parse({"type": "scalar", "subtype": "float", "precision": 8, "units": "m"})
    assert metres.normalize(2.5).to_python() == 2.5
    with pytest.raises(pc.PolycodecError):
        pc.Schema.parse("{")


def test_units() -> None:
    assert pc.convert_units(1.0, "km", "m") == 1000.0
    assert pc.convert_units([1, 2.5], "cm", "m") == [0.01, 0.025]
    assert pc.canonical_unit("m/s") == "m*(s**-1)"
    with pytest.raises(pc.MismatchError):
        pc.convert_units(1, "m", "s")
    with pytest.raises(pc.UnsupportedError):
        pc.canonical_unit("no such unit")


def visit(value: pc.Value) -> int:
    """Looks at each part in each way, and compares it with the whole."""
    plain = value.to_python()
    assert repr(value)
    assert value._repr_html_()
    if isinstance(plain, dict):
        assert all(visit(value[name]) for name in plain)
        assert [value[name].to_python() for name in value.names] == list(plain.values())
    elif isinstance(plain, (list, tuple)):
        assert len(value) == len(plain)
        assert all(visit(item) for item in value)
        assert value[: len(plain)].to_python() == plain
        assert [value[i].to_python() for i in range(-len(plain), 0)] == list(plain)
    return 1


def test_parts_of_messages(vectors: Path) -> None:
    read = 0
    for path in sorted((vectors / "yggdrasil/messages").rglob("*.msg")):
        try:
            value = pc.open(path)
        except pc.PolycodecError:
            continue
        read += visit(value)
    assert read >= 17
    table = '{"type": "2 * {x: float64, y: var * int32}", "value": [{"x": 1, "y": [1]}, {"x": 2, "y": []}]}'
    sent = [{"a": [1, None, "b"], "c": {"d": 1.5}}, [1, [2, [b"3"]]], (1, "two", {"x": 3}), pc.parse(table)]
    for value in sent:
        received = pc.Channel().unpack(b"".join(pc.Channel().pack(value)))
        assert received is not None and received.value is not None
        assert visit(received.value)
