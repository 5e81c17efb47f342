# SPDX-License-Identifier: MIT
"""Files that others write to, and arguments that are not what a call takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import polycodec as pc
from polycodec import hdf5

NUMBERS = np.arange(1000.0)


def test_a_file_is_read_and_may_be_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    pc.save(NUMBERS, path)
    value = pc.open(path)
    array = value.to_numpy()
    path.write_bytes(b"")
    assert np.array_equal(array, NUMBERS) and value[999].to_python() == 999.0


@pytest.mark.parametrize("how", [{"copy": False}, {"lazy": True}])
def test_a_mapped_file_that_was_written_to(how: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    pc.save({"x": NUMBERS}, path)
    value = pc.open(path, **how)
    part = value["x"]
    assert part[5].to_python() == 5.0
    pc.save({"x": NUMBERS + 1}, path)  # takes the name, and leaves the file as it is
    assert part[5].to_python() == 5.0
    value = pc.open(path, **how)
    part = value["x"]
    with path.open("r+b") as file:
        file.write(b"\xff")
    os.utime(path, ns=(1, 1))
    for use in (lambda: value["x"], lambda: part[0], part.to_python, lambda: value == 1):
        with pytest.raises(pc.FileChangedError, match="open it again") as caught:
            use()
        assert isinstance(caught.value, OSError)
    pc.open(path, copy=True)


@pytest.mark.parametrize("most_read", [0, hdf5._MOST_READ])
def test_a_value_does_not_lock_its_file_of_hdf5(most_read: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5, "_MOST_READ", most_read)  # a larger file is mapped
    path = tmp_path / "a.h5"
    hdf5.save([[1.5], []], path, "a")
    value = hdf5.open(path, "a")
    hdf5.save([[2.5]], path, "b")
    assert value.to_python() == [[1.5], []] and hdf5.open(path, "b").to_python() == [[2.5]]


def test_files_of_hdf5_that_are_not_of_awkward(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file["numbers"] = NUMBERS
    with pytest.raises(pc.UnsupportedError, match="h5py"):
        hdf5.open(path, "numbers")
    with pytest.raises(pc.UnsupportedError, match=r"polycodec\.hdf5"):
        pc.open(path)


def test_a_writer_starts_a_file_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    for number in (1, 2):
        with pc.Writer(path, "msgpack-ndarray") as out:
            out.append(number)
    assert [x.to_python() for x in pc.read_values(path, "msgpack-ndarray")] == [2]
    assert "new file" in (pc.Writer.__doc__ or "")


def test_arguments_of_a_wrong_type_are_named_in_one_line(tmp_path: Path) -> None:
    calls: list[Any] = [
        lambda: pc.open(None),
        lambda: pc.open(5),
        lambda: pc.open(pc.encode(1, "msgpack-ndarray"), "msgpack-ndarray", rows=5),
        lambda: pc.decode(None, "msgpack-ndarray"),
        lambda: pc.save(1, None),  # type: ignore[arg-type]
        lambda: pc.convert(None, tmp_path / "a.msgpack"),
    ]
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_nothing_is_left_by_logs_and_codecs() -> None:
    program = """if True:
        import polycodec as pc
        class Program:
            def __init__(self):
                self.registry = pc.Registry(log=self.log)
            def log(self, *words):
                pass
        kept = Program()
        other = pc.Registry(log=lambda *words: None)
        value = other.decode(kept.registry.encode([1], "msgpack-ndarray"), "msgpack-ndarray")
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
