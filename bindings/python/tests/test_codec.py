# SPDX-License-Identifier: MIT
"""Codecs in Python."""

from __future__ import annotations

import gc
import traceback
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc


@pytest.fixture(autouse=True)
def own_registry() -> Any:
    before = pc.default_registry()
    yield
    pc.set_default_registry(before)


def shout() -> type:
    @pc.codec("shout", extensions=[".shout"], magic=b"SHOUT\n")
    class Shout:
        """Loud text."""

        @staticmethod
        def decode(data: bytes) -> Any:
            return {"text": data[6:].decode().lower(), "sizes": np.arange(3)}

        @staticmethod
        def encode(value: Any) -> bytes:
            return b"SHOUT\n" + value["text"].upper().encode()

    return Shout


def test_conversions_sniffing_and_listing(tmp_path: Path) -> None:
    kind = shout()
    assert pc.encode({"text": "hey"}, "shout") == b"SHOUT\nHEY"
    value = pc.decode(b"SHOUT\nHEY")
    assert value.codec == "shout" and value.to_python() == {"text": "hey", "sizes": [0, 1, 2]}
    (tmp_path / "a.shout").write_bytes(b"SHOUT\nHEY")
    pc.convert(tmp_path / "a.shout", tmp_path / "a.msgpack", "msgpack-ndarray")
    assert pc.open(tmp_path / "a.msgpack", "msgpack-ndarray")["text"].to_python() == "hey"
    pc.convert(tmp_path / "a.msgpack", tmp_path / "b.shout")
    assert (tmp_path / "b.shout").read_bytes() == b"SHOUT\nHEY"
    entry = next(entry for entry in pc.codecs() if entry["name"] == "shout")
    assert entry["summary"] == "Loud text." and kind.codec.name == "shout"  # type: ignore[attr-defined]


def test_messages_name_it() -> None:
    shout()
    message = pc.Channel(codec="shout").pack({"text": "hey"})
    received = pc.Channel().unpack(b"".join(message))
    assert received is not None and received.value is not None
    assert received.value["text"].to_python() == "hey"


def test_an_exception_is_the_cause() -> None:
    shout()
    with pytest.raises(pc.PluginError) as caught:
        pc.encode({"wrong": 1}, "shout")
    cause = caught.value.__cause__
    assert isinstance(cause, KeyError) and caught.value.code == "plugin"
    assert 'value["text"]' in "".join(traceback.format_tb(cause.__traceback__))
    with pytest.raises(pc.PluginError) as caught:
        pc.decode(b"SHOUT\n\xff")
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)
    # The next error has no such cause.
    with pytest.raises(pc.FormatError) as other:
        pc.decode(b"\x93", "msgpack-ndarray")
    assert other.value.__cause__ is None


def test_keyboard_interrupts_pass() -> None:
    @pc.codec("stops")
    class Stops:
        @staticmethod
        def decode(data: bytes) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pc.decode(b"x", "stops")


def test_options_are_checked_and_given() -> None:
    schema = {"type": "object", "additionalProperties": False, "properties": {"times": {"type": "integer"}}}

    @pc.codec("repeats", options=schema)
    class Repeats:
        @staticmethod
        def encode(value: Any, times: int = 1) -> bytes:
            return str(value).encode() * times

    assert pc.encode(7, "repeats", options={"times": 3}) == b"777"
    assert pc.encode(7, "repeats") == b"7"
    with pytest.raises(pc.InvalidError):
        pc.encode(7, "repeats", options={"times": "x"})


def test_a_sniffer_in_python() -> None:
    @pc.codec("digits")
    class Digits:
        @staticmethod
        def decode(data: bytes) -> Any:
            return int(data)

        @staticmethod
        def sniff(data: bytes) -> int:
            return 99 if data.isdigit() else 0

    assert pc.decode(b"123456").to_python() == 123456


def test_calls_inside_of_calls() -> None:
    @pc.codec("nested")
    class Nested:
        @staticmethod
        def decode(data: bytes) -> Any:
            return pc.decode(data, "msgpack-ndarray").to_python()

    assert pc.decode(b"\x93\x01\x02\x03", "nested").to_python() == [1, 2, 3]


def test_wrong_results() -> None:
    @pc.codec("wrong")
    class Wrong:
        @staticmethod
        def decode(data: bytes) -> Any:
            return object()

        @staticmethod
        def encode(value: Any) -> Any:
            return "no bytes"

    with pytest.raises(pc.PluginError) as caught:
        pc.decode(b"x", "wrong")
    assert isinstance(caught.value.__cause__, TypeError)
    with pytest.raises(pc.PluginError) as caught:
        pc.encode(1, "wrong")
    assert isinstance(caught.value.__cause__, TypeError)


def test_a_derived_registry_leaves_the_first_alone() -> None:
    @pc.codec("apart", register=False)
    class Apart:
        @staticmethod
        def decode(data: bytes) -> Any:
            return len(data)

    derived = pc.default_registry().derive([Apart.codec])  # type: ignore[attr-defined]
    assert derived.decode(b"abc", "apart").to_python() == 3
    with pytest.raises(pc.NotFoundError):
        pc.decode(b"abc", "apart")


def test_a_codec_lives_as_long_as_it_is_needed() -> None:
    codec = pc.Codec("short-lived", decode=lambda data: data.decode())
    gone = weakref.ref(codec)
    derived = pc.default_registry().derive([codec])
    del codec
    value = derived.decode(b"abc", "short-lived")
    gc.collect()
    assert gone() is not None
    del derived
    gc.collect()
    assert value.to_python() == "abc"
    del value
    gc.collect()
    assert gone() is None


def test_names_are_checked() -> None:
    with pytest.raises(pc.PolycodecError):
        pc.default_registry().derive([pc.Codec("No Such Name", decode=bytes)])
