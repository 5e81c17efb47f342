# SPDX-License-Identifier: MIT
"""Places of values: file objects, URLs, the home directory, files that grow. Metadata, progress, errors."""

from __future__ import annotations

import importlib.machinery
import io
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc
from polycodec import _progress


def test_file_objects(tmp_path: Path) -> None:
    file = io.BytesIO()
    pc.save([1, 2], file, "msgpack")
    assert file.getvalue() == pc.encode([1, 2], "msgpack")
    with open(tmp_path / "a.json", "wb") as named:  # whose name says the codec
        pc.save({"a": 1}, named)
    assert pc.open(tmp_path / "a.json")["a"] == 1
    with pytest.raises(pc.InvalidError, match="name the codec"):
        pc.save(1, io.BytesIO())
    with pytest.raises(pc.MismatchError, match="binary"):
        pc.save(1, io.StringIO(), "msgpack")
    target = io.BytesIO()
    pc.convert(io.BytesIO(file.getvalue()), target, "text", from_codec="msgpack")
    assert b"[1, 2]" in target.getvalue()
    archive = io.BytesIO()
    pc.save([[1.5], []], archive, "awkward")
    assert pc.open(archive.getvalue(), "awkward") == [[1.5], []]


def test_urls(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    pc.save({"x": np.arange(3)}, "memory://places/a.msgpack")
    assert pc.open("memory://places/a.msgpack")["x"] == [0, 1, 2]
    pc.convert("memory://places/a.msgpack", "memory://places/b.json")
    assert b'"x"' in fsspec.open("memory://places/b.json").open().read()
    pc.convert("memory://places/b.json", tmp_path / "c.msgpack")
    assert pc.open(tmp_path / "c.msgpack")["x"] == [0, 1, 2]
    with pytest.raises(pc.FileError, match="keep"):
        pc.save(1, "memory://places/a.msgpack", keep=True)
    with pytest.raises(pc.FileError, match="nowhere"):
        pc.save(1, "nowhere://a/b.msgpack")


def test_the_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    pc.save([1], "~/a.msgpack")
    assert pc.open("~/a.msgpack") == [1] and pc.open(Path("~/a.msgpack")) == [1]
    pc.convert("~/a.msgpack", Path("~/b.json"))
    with pc.Writer("~/c.msgpack", "msgpack") as out:
        out.append(5)
    assert [x.to_python() for x in pc.read_values("~/c.msgpack", "msgpack")] == [5]
    assert sorted(x.name for x in tmp_path.iterdir()) == ["a.msgpack", "b.json", "c.msgpack"]


def test_metadata(tmp_path: Path) -> None:
    pc.save(np.arange(3.0), tmp_path / "a.json", "text", metadata={"unit": "cm"})
    assert pc.open(tmp_path / "a.json").metadata == {"unit": "cm"}
    assert b"cm" in pc.encode([1], "text", metadata={"unit": "cm"})
    with pytest.raises(pc.UnsupportedError):
        pc.encode([1], "msgpack", metadata={"unit": "cm"})
    for wrong in (5, ["a"], {1: 2}):
        with pytest.raises(TypeError):
            pc.encode([1], "text", metadata=wrong)  # type: ignore[arg-type]


def values(path: Path) -> list[Any]:
    return [value.to_python() for value in pc.read_values(path, "msgpack")]


def test_a_file_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "log.msgpack"
    for run in range(3):
        with pc.Writer(path, "msgpack", append=True) as out:
            out.append({"run": run})
            out.append([run])
    assert values(path) == [{"run": 0}, [0], {"run": 1}, [1], {"run": 2}, [2]]
    with pc.Writer(path, "msgpack", append=True, sync=True) as out:
        out.append(7)
        assert values(path)[-1] == 7  # at once
    kept = path.read_bytes()
    with pytest.raises(RuntimeError, match="mine"), pc.Writer(path, "msgpack", append=True) as out:
        out.append(8)
        raise RuntimeError("mine")
    assert path.read_bytes() == kept
    path.write_bytes(kept[:-1] + b"\x93\x01")
    with pytest.raises(pc.FormatError):
        pc.Writer(path, "msgpack", append=True)
    with pytest.raises(pc.InvalidError):
        pc.Writer(path, "msgpack", append=True, keep=True)
    with pytest.raises(pc.InvalidError):
        pc.Writer(io.BytesIO(), "msgpack", append=True)


def test_progress_that_tqdm_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []

    class Bar:
        total, n = None, 0

        def __init__(self, **arguments: Any) -> None:
            drawn.append(self)

        def set_postfix_str(self, text: str, refresh: bool) -> None: ...
        def refresh(self) -> None: ...
        def close(self) -> None: ...

    monkeypatch.setattr(_progress.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(pc.UnsupportedError, match="tqdm"):
        pc.decode(b"\x01", "msgpack", progress=True)
    monkeypatch.undo()
    fake, auto = types.ModuleType("tqdm"), types.ModuleType("tqdm.auto")
    fake.__spec__ = importlib.machinery.ModuleSpec("tqdm", None)
    auto.tqdm = Bar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", fake)
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    assert pc.decode(b"\x01", "msgpack", progress=True) == 1 and pc.decode(b"\x01", "msgpack", progress=False) == 1
    assert drawn == []  # it was too short
    draw = _progress.bar()
    draw(pc.Progress(10, 100, 0, 5, False))
    assert (drawn[0].n, drawn[0].total) == (10, 100)
    draw(pc.Progress(100, 100, 30, 50, False))
    draw(pc.Progress(100, 100, 40, 90, True))
    assert pc.Progress(10, 100, 0, 5, False).fraction == 0.1 and pc.Progress(100, 100, 0, 5, False).fraction is None
    assert pc.Progress(0, None, 7, 5, True).fraction == 1.0


def test_a_table_of_formats() -> None:
    formats = pc.formats()
    found = {one["codec"]: one for one in formats}
    assert found["ply"]["extensions"] == [".ply"] and found["ply"]["reads"] and found["ply"]["writes"] and "text" in found
    lines = repr(formats).splitlines()
    assert lines[0].split() == ["codec", "extensions", "reads", "writes", "format"] and len(lines) == len(formats) + 1
    assert "<table" in formats._repr_html_() and any(line.startswith("ply ") for line in lines)


ERRORS: list[tuple[Any, type]] = [
    (lambda: pc.open(None), TypeError),
    (lambda: pc.open(3), TypeError),
    (lambda: pc.decode("text", "msgpack"), TypeError),
    (lambda: pc.save(1, 5), TypeError),
    (lambda: pc.save(1, "a\0.msgpack"), ValueError),
    (lambda: pc.decode(b"\x01", "msgpack", rows=5), TypeError),  # type: ignore[arg-type]
    (lambda: pc.decode(b"\x01", "msgpack", timeout=0), ValueError),
    (lambda: pc.decode(b"\x01", "msgpack", limits=[1]), TypeError),  # type: ignore[arg-type]
    (lambda: pc.value([1])[5], IndexError),
    (lambda: pc.value({"a": 1})["b"], KeyError),
    (lambda: len(pc.value(5)), TypeError),
    (lambda: pc.default_registry().list("nothing"), ValueError),
    (lambda: pc.value([1]).to_python(arrays="pandas"), ValueError),  # type: ignore[arg-type]
    (lambda: pc.encode(object(), "msgpack"), TypeError),
    (lambda: pc.decode(b"x", "no-such-codec"), LookupError),
    (lambda: pc.decode(b"\x91" * 300 + b"\x01", "msgpack", timeout=1e-9), TimeoutError),
]


@pytest.mark.parametrize("act,kind", ERRORS, ids=range(len(ERRORS)))
def test_every_error_is_also_the_usual_one(act: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        act()
    assert isinstance(caught.value, pc.PolycodecError)


def test_errors_of_adapters_are_those_of_the_package() -> None:
    class Broken:
        def __array__(self) -> Any:
            raise RuntimeError("mine")

    with pytest.raises(pc.PolycodecError, match="mine") as caught:
        pc.value({"a": Broken()})
    assert isinstance(caught.value.__cause__, RuntimeError) and caught.value.path == "$.a"
