# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np
import pytest

import polycodec as pc


@pytest.mark.parametrize("codec", ["msgpack-ndarray", "dynd"])
@pytest.mark.parametrize("array", [np.arange(12.0).reshape(3, 4), np.array([], "u2"), np.array([True, False])], ids=str)
def test_arrays_come_back(codec: str, array: Any) -> None:
    found = numcodecs.get_codec({"id": "polycodec", "codec": codec})
    back = found.decode(found.encode(array))
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


def test_filters_and_output() -> None:
    codec = numcodecs.get_codec({"id": "polycodec", "filters": [{"id": "zstd"}]})
    array = np.zeros(10_000)
    data = codec.encode(array)
    assert len(data) < 1000
    out = np.empty_like(array)
    assert codec.decode(data, out) is out or np.array_equal(out, array)
    assert numcodecs.get_codec(codec.get_config()) == codec


def test_a_damaged_chunk_is_an_error() -> None:
    codec = numcodecs.get_codec({"id": "polycodec"})
    with pytest.raises(pc.FormatError):
        codec.decode(codec.encode(np.arange(4.0))[:-1])


def test_a_configuration_opens_no_file(tmp_path: Path) -> None:
    schema = {"namespace": "n", "structs": {"One": {"members": {"s": "string"}}}}
    (tmp_path / "s.json").write_text(json.dumps(schema))
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "s.json", tmp_path / "pipe", tmp_path / "none"):
        codec = numcodecs.get_codec({"id": "polycodec", "codec": "fastbin", "options": {"schema_file": os.fspath(path)}})
        with pytest.raises(pc.DeniedError, match="'schema_file' is for the host alone"):
            codec.decode(b"x")
        with pytest.raises(pc.DeniedError, match="'schema_file' is for the host alone"):
            codec.encode(np.arange(3.0))
    # The content says as much. What the program itself has opened before does not help the configuration.
    pc.encode({"s": "x"}, "fastbin", options={"schema_file": os.fspath(tmp_path / "s.json")})
    with pytest.raises(pc.DeniedError):
        pc.encode({"s": "x"}, "fastbin", options={"schema_file": os.fspath(tmp_path / "s.json")}, of_others=True)
    assert pc.encode({"s": "x"}, "fastbin", options={"schema": schema}, of_others=True)
