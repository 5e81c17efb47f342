# SPDX-License-Identifier: MIT
"""What authors of codecs in Python have: values with types, views of the input, losses, errors, tests, and entry points."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tomllib
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


def columns() -> type:
    @pc.codec("columns", typed=True, extensions=[".columns"], magic=b"COLS", options={"type": "object"})
    class Columns:
        """A column of float32, with its unit."""

        @staticmethod
        def decode(data: memoryview) -> Any:
            if len(data) < 8:
                raise pc.FormatError("the header is cut short", "truncated", offset=len(data))
            if bytes(data[:4]) != b"COLS":
                raise pc.FormatError("no magic number", offset=0)
            size = data[4]
            if len(data) < 8 + size or (len(data) - 8 - size) % 4:
                raise pc.FormatError("the column is cut short", "truncated", offset=len(data))
            try:
                unit = bytes(data[8 : 8 + size]).decode("ascii")
            except UnicodeDecodeError as error:
                raise pc.FormatError("the unit is not text", offset=8, path="$.unit") from error
            return pc.Annotated(np.frombuffer(data[8 + size :], "<f4"), {"unit": unit} if unit else {})

        @staticmethod
        def encode(value: pc.Value) -> bytes:
            assert isinstance(value, pc.Value)
            if value.kind != "array" or value.dtype is None or value.ndim != 1:
                raise pc.UnsupportedError(f"only columns of numbers, not {value.type}", path="$")
            if value.dtype != np.float32:
                pc.codec.report_loss("type", "$", f"{value.dtype} becomes float32")
            unit = value.metadata.get("unit", "").encode()
            return b"COLS" + bytes([len(unit), 0, 0, 0]) + unit + value.to_numpy().astype("<f4").tobytes()

    return Columns


def test_what_plugin_new_writes_works(tmp_path: Path) -> None:
    template = Path(__file__).resolve().parents[3] / "sdk/template/python"
    for path in template.rglob("*"):
        if path.is_file():
            target, text = str(path.relative_to(template)), path.read_text()
            for word, name in (("@PLUGIN_ID@", "org.example.nets"), ("@CRATE@", "org_example_nets")):
                target, text = target.replace(word, name), text.replace(word, name)
            (tmp_path / target).parent.mkdir(exist_ok=True)
            (tmp_path / target).write_text(text)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())
    named = project["project"]["entry-points"]["polycodec.codecs"]
    assert named == {"org.example.nets": "org_example_nets_codec:Netstrings"}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    subprocess.run([sys.executable, tmp_path / "tests/test_codec.py"], check=True, env=environment)


NUMBERS = np.array([1.5, 2.5, 3.5], "f4")


def test_a_value_with_its_type_and_metadata() -> None:
    columns()
    data = pc.encode(NUMBERS, "columns", metadata={"unit": "cm"})
    assert data == b"COLS\x02\0\0\0cm" + NUMBERS.tobytes()
    back = pc.decode(data)
    assert back.codec == "columns" and back.metadata == {"unit": "cm"}
    assert back.type == pc.value(pc.Annotated(NUMBERS, {"unit": "cm"})).type
    assert back.to_numpy().tolist() == [1.5, 2.5, 3.5]


def test_views_of_the_input() -> None:
    columns()
    data = pc.encode(np.arange(5000, dtype="f4"), "columns")
    view = pc.decode(data).to_numpy()
    assert np.shares_memory(view, np.frombuffer(data, "u1")) and view[4999] == 4999
    del data
    assert view[4999] == 4999


def test_views_of_the_input_may_be_kept(tmp_path: Path) -> None:
    kept: list[memoryview] = []

    @pc.codec("keeps", typed=True, register=True)
    class Keeps:
        @staticmethod
        def decode(data: memoryview) -> Any:
            assert data.readonly
            kept.append(data)
            return len(data)

    (tmp_path / "a").write_bytes(b"abc" * 1000)
    assert pc.open(tmp_path / "a", "keeps") == 3000
    assert pc.decode(bytearray(b"xyz" * 2000), "keeps") == 6000
    assert bytes(kept[0][:3]) == b"abc" and bytes(kept[1][-3:]) == b"xyz"


def test_losses_are_those_of_the_call() -> None:
    columns()
    with pytest.raises(pc.UnsupportedError, match="float32"):
        pc.encode(np.arange(3.0), "columns")
    heard: list[tuple[str, str, str]] = []
    assert pc.encode(np.arange(3.0), "columns", on_loss=lambda *loss: heard.append(loss))
    assert ("type", "$", "float64 becomes float32") in heard
    with pytest.warns(pc.LossWarning, match="float64 becomes"):
        pc.encode(np.arange(3.0), "columns", on_loss="warn")
    with pytest.raises(pc.InvalidError, match="while it encodes"):
        pc.codec.report_loss("data", "$", "nothing")


def test_errors_arrive_as_they_are() -> None:
    columns()
    with pytest.raises(pc.FormatError) as caught:
        pc.decode(b"COLS\x02", "columns")
    assert (caught.value.code, caught.value.offset, caught.value.codec) == ("truncated", 5, "columns")
    assert isinstance(caught.value.__cause__, pc.FormatError)
    with pytest.raises(pc.FormatError) as caught:
        pc.decode(b"COLS\x02\0\0\0\xff\xff", "columns")
    assert (caught.value.code, caught.value.offset, caught.value.path) == ("malformed", 8, "$.unit")
    with pytest.raises(pc.UnsupportedError, match="only columns"):
        pc.encode("text", "columns")
    for kind in (pc.LimitError, pc.MismatchError, pc.NotFoundError, pc.DeniedError, pc.InvalidError, pc.FileError):

        @pc.codec("fails")
        class Fails:
            @staticmethod
            def decode(data: bytes, kind: type[pc.PolycodecError] = kind) -> Any:
                raise kind("mine", detail="fails.mine")

        with pytest.raises(kind, match="mine") as raised:
            pc.decode(b"x", "fails")
        assert raised.value.detail == "fails.mine" and type(raised.value) is kind


def test_a_codec_that_keeps_all_rules() -> None:
    files = [b"COLS\x02\0\0\0cm" + NUMBERS.tobytes(), b"COLS\0\0\0\0"]
    assert pc.codec.check(columns(), fixtures=[*files, NUMBERS]) == []


def test_what_is_wrong_with_a_codec() -> None:
    @pc.codec("pairs", magic=b"PAIR", register=False)
    class Pairs:
        @staticmethod
        def decode(data: bytes) -> Any:
            return [list(pair) for pair in struct.iter_unpack("<dd", data[4:])]

        @staticmethod
        def encode(pairs: Any) -> bytes:
            return b"PAIR" + b"".join(struct.pack("<dd", pair[0], pair[0]) for pair in pairs)

    (broken,) = pc.codec.check(Pairs, fixtures=[b"PAIR" + struct.pack("<dd", 1, 1)])
    assert "struct.error" in broken and "FormatError" in broken
    (other,) = pc.codec.check(Pairs, fixtures=[[[1.0, 2.0]]])
    assert "another value" in other and "no loss is reported" in other
    (foreign,) = pc.codec.check(Pairs, fixtures=[b"no such file"])
    assert "is not read" in foreign
    assert pc.codec.check(Pairs, fixtures=[[[1.0, 1.0]]]) == []


PACKAGE = '''
import polycodec as pc

@pc.codec("shouts", register=False, extensions=[".shouts"], magic=b"SHOUT\\n")
class Shouts:
    """Loud text."""

    @staticmethod
    def decode(data):
        return {"text": data[6:].decode().lower()}

    @staticmethod
    def encode(value):
        return b"SHOUT\\n" + value["text"].upper().encode()
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A directory with an installed package that names a codec, and one that cannot be loaded."""
    directory = tmp_path / "packages"
    info = directory / "shouting-1.0.dist-info"
    info.mkdir(parents=True)
    (directory / "shouting.py").write_text(PACKAGE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[polycodec.codecs]\nshouts = shouting:Shouts\nbroken = no_such_module:Codec\n")
    return directory


def run(package: Path, *words: object, status: int = 0) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{package}:{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-P", *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=package.parent, timeout=120)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_packages_name_codecs(package: Path) -> None:
    program = (
        "import logging; logging.basicConfig(); import polycodec as pc; v = pc.decode(b'SHOUT\\nHEY');"
        "print(v.codec, v['text'].to_python());"
        "pc.save(v, 'a.shouts'); print(open('a.shouts').read());"
        "print('shouts' in [c['name'] for c in pc.Registry(environment=False).list()])"
    )
    shown = run(package, "-c", program)
    assert "shouts hey" in shown and "SHOUT\nHEY" in shown and "False" in shown
    assert "no_such_module" in shown  # in the log


def test_the_command_has_the_codecs_of_packages(package: Path, tmp_path: Path) -> None:
    if not (Path(pc.__file__).parent / "bin/polycodec").exists():
        pytest.skip("the package has no command")
    command = (package, "-m", "polycodec")
    (tmp_path / "a.shouts").write_bytes(b"SHOUT\nHEY")
    assert '"hey"' in run(*command, "decode", "a.shouts")
    run(*command, "convert", "a.shouts", "b.msgpack")
    assert pc.open(tmp_path / "b.msgpack")["text"] == "hey"
    run(*command, "convert", "b.msgpack", "c.shouts")
    assert (tmp_path / "c.shouts").read_bytes() == b"SHOUT\nHEY"
    run(*command, "convert", "b.msgpack", "d.any", "--to", "shouts")
    assert (tmp_path / "d.any").read_bytes() == b"SHOUT\nHEY"
    run(*command, "diff", "a.shouts", "b.msgpack")
    assert "Loud text." in run(*command, "list") and "shouts" in run(*command, "info", "shouts")
    (tmp_path / "bad.shouts").write_bytes(b"SHOUT\n\xff")
    assert "polycodec:" in run(*command, "decode", "bad.shouts", status=1)
    run(*command, "validate", "b.msgpack")
