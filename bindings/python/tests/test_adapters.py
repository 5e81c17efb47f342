# SPDX-License-Identifier: MIT
"""What values keep of the objects of other libraries, and what is said of the rest."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import adapters
import awkward as ak
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr
from conftest import ROOT

import polycodec as pc


@pytest.mark.parametrize("case", adapters.CASES, ids=lambda case: f"{case.library}: {case.part}")
def test_each_part(case: adapters.Case) -> None:
    losses = case.losses()
    assert bool(case.becomes) or losses, "what is not kept is reported"
    refused = [loss for loss in losses if loss[0] in ("type", "data")]
    if refused:
        with pytest.raises(pc.UnsupportedError, match="on_loss") as caught:
            pc.value(case.thing())
        assert caught.value.detail == "python.lossy" and caught.value.path == refused[0][1]
        with pytest.raises(pc.UnsupportedError, match="on_loss"):
            pc.encode(case.thing(), "yggdrasil")
        with pytest.warns(pc.LossWarning):
            pc.encode(case.thing(), "yggdrasil", on_loss="warn")


def test_the_table_of_the_documents() -> None:
    assert adapters.BEGIN + adapters.table() + adapters.END in (ROOT / "docs/python.md").read_text()


def test_losses_are_heard_before_anything_is_written(tmp_path: Path) -> None:
    def refuse(*loss: str) -> None:
        raise KeyError(loss)

    thing = {"a": [ak.Array([1], attrs={"run": 1})]}
    for call in (
        lambda: pc.encode(thing, "yggdrasil", on_loss=refuse),
        lambda: pc.save(thing, tmp_path / "a.ygg", on_loss=refuse),
        lambda: pc.Writer(tmp_path / "a.msgpack", "msgpack-ndarray", on_loss=refuse).append(thing),
    ):
        with pytest.raises(KeyError, match=r"data.*\$\.a\[0\].*'run'"):
            call()
    assert not list(tmp_path.iterdir())


def test_members_of_another_type_are_heard() -> None:
    heard: list[Any] = []
    pc.encode(np.array([(1,)], [("a", "i1")]), "msgpack-ndarray", on_loss=lambda *loss: heard.append(loss))
    assert [loss[:2] for loss in heard] == [("retyped", "$.a")]


def test_errors_name_the_argument_of_python() -> None:
    table = pa.table([pa.array([1])], schema=pa.schema([pa.field("a", pa.int64(), metadata={"unit": "m"})]))
    with pytest.raises(pc.UnsupportedError, match="on_loss=") as caught:
        pc.encode(table, "dynd")
    assert "--lossy" not in str(caught.value)


def test_metadata_of_anything() -> None:
    value = pc.value({"t": pc.Annotated([1.5, 2.5], {"unit": "s"})})
    assert value["t"].metadata == {"unit": "s"} and value.to_python() == {"t": [1.5, 2.5]}
    data = pc.encode({"t": pc.Annotated(np.arange(3.0), {"unit": "s"})}, "yggdrasil")
    assert pc.decode(data, "yggdrasil")["t"].metadata == {"unit": "s"}
    with pytest.raises(pc.MismatchError):
        pc.value(pc.Annotated([1], {1: 2}))  # type: ignore[dict-item]


def test_units_in_each_library(tmp_path: Path) -> None:
    pc.save({"t": pc.Annotated(np.arange(3.0), {"unit": "s"})}, tmp_path / "a.ygg")
    value = pc.open(tmp_path / "a.ygg")
    opened = xr.open_dataset(tmp_path / "a.ygg", engine="polycodec")
    assert opened["t"].attrs == {"units": "s"}
    assert ak.parameters(value.to_awkward()["t"]) == {"unit": "s"}
    table = pa.table([pa.array([1])], schema=pa.schema([pa.field("a", pa.int64(), metadata={"unit": "m"})]))
    assert pc.value(table).to_arrow().schema.field("a").metadata[b"unit"] == b"m"
    assert pc.value(pc.value(table).to_arrow())["a"].metadata == {"unit": "m"}


def test_datasets_come_back(tmp_path: Path) -> None:
    dataset = xr.Dataset({"a": (("x", "y"), np.ones((2, 3)), {"units": "m"})}, {"x": [10, 20]}, {"title": "t"})
    pc.save(dataset, tmp_path / "d.msgpack")
    assert xr.open_dataset(tmp_path / "d.msgpack", engine="polycodec").identical(dataset)
    assert xr.DataArray.from_dict(pc.value(dataset["a"]).to_python(arrays="numpy")).identical(dataset["a"])


def test_what_is_not_there() -> None:
    for thing in (pd.NaT, pd.NA, np.ma.masked):
        assert pc.value(thing) == None  # noqa: E711
    assert pc.value([pd.NaT, pd.Timestamp("2020-01-01", tz="UTC")])[0] == None  # noqa: E711


def test_times_beyond_those_of_libraries() -> None:
    far = pc.Time(10**12, 7, 10, False)
    value = pc.value({"t": far, "u": 1})
    assert value["u"] == 1 and value["t"].to_python() == far
    assert pc.decode(pc.encode(value, "msgpack-ndarray"), "msgpack-ndarray").to_python() == {"t": far, "u": 1}
    assert pc.value(pd.Timedelta("1ns")).to_python() == np.timedelta64(1, "ns")
    assert pc.value(datetime.timedelta(seconds=1)).to_python() == datetime.timedelta(seconds=1)


def test_frames_that_arrow_has_no_type_for() -> None:
    with pytest.raises(pc.MismatchError, match="'o'"):
        pc.value(pd.DataFrame({"o": [1, "a"]}))
    with pytest.raises(pc.MismatchError, match="two columns"):
        pc.value(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    assert pc.value(pd.DataFrame({"c": np.array([1 + 2j])})).to_python() == [{"c": 1 + 2j}]
    assert pc.value(pd.DataFrame({"x": [1, 2, 3]})[1:]).to_python() == [{"index": 1, "x": 2}, {"index": 2, "x": 3}]
    assert pc.value(pd.Series([1, 2], name="s")[1:]).to_python() == [{"index": 1, "s": 2}]


def test_arrow_is_valid() -> None:
    union = ak.contents.UnionArray(
        ak.index.Index8([0, 0, 1, 0]),
        ak.index.Index64([2, 0, 0, 1]),
        [ak.Array([1.5, 2.5, 3.5]).layout, ak.Array(["x"]).layout],
    )
    made = pc.value(ak.Array(union)).to_arrow()
    made.validate(full=True)
    assert made.to_pylist() == [3.5, 1.5, "x", 2.5]
    mixed = pc.value({"b": [1.5, "x"]}).to_arrow()
    mixed.validate(full=True)
    assert pc.value(mixed).to_python() == [{"b": (1.5, "x")}]
