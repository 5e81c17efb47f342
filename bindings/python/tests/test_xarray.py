# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray

import polycodec as pc

PLY = b"""ply
format ascii 1.0
element vertex 3
property float x
property double y
element face 2
property list uchar int vertex_indices
end_header
0 0
1 0.5
2 1
3 0 1 2
4 0 1 2 0
"""


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    path = tmp_path / "mesh.ply"
    path.write_bytes(PLY)
    return path


def test_records_become_variables(mesh: Path) -> None:
    dataset = xarray.open_dataset(mesh, engine="polycodec")
    assert dataset["vertex.x"].dtype == np.float32
    assert dataset["vertex.y"].dims == ("vertex",)
    np.testing.assert_array_equal(dataset["vertex.y"], [0, 0.5, 1])
    np.testing.assert_array_equal(dataset["face.vertex_indices"], [0, 1, 2, 0, 1, 2, 0])
    np.testing.assert_array_equal(dataset["face.vertex_indices.count"], [3, 4])
    assert dataset["face.vertex_indices.count"].attrs["sample_dimension"] == "face.vertex_indices.item"


def test_the_engine_is_found_by_the_extension(mesh: Path) -> None:
    assert set(xarray.open_dataset(mesh).data_vars) >= {"vertex.x", "vertex.y"}


def test_a_part_and_dropped_variables(mesh: Path) -> None:
    dataset = xarray.open_dataset(mesh, engine="polycodec", at="$.vertex", drop_variables="x")
    assert list(dataset.data_vars) == ["y"]
    assert dataset["y"].dims == ("row",)


def test_text_and_missing_items(tmp_path: Path) -> None:
    path = tmp_path / "a.awkd"
    value = pc.parse(
        '{"type": "2 * {name: string, n: ?int32}", "value": [{"name": "a", "n": 1}, {"name": "b", "n": null}]}'
    )
    pc.save(value, path)
    dataset = xarray.open_dataset(path, engine="polycodec")
    assert dataset["name"].values.tolist() == ["a", "b"]
    assert dataset["n"].values.tolist() == [1, None]
