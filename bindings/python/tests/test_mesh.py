# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polycodec import mesh

OBJ = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 2\nf 1 2 3 4\nf 1 3 5\n"


def test_points_and_triangles() -> None:
    found = mesh.read(OBJ, "obj")
    assert found.points.shape == (5, 3)
    assert found.offsets.tolist() == [0, 4, 7]
    assert found.triangles().tolist() == [[0, 1, 2], [0, 2, 3], [0, 2, 4]]


def test_trimesh_has_the_same_mesh(tmp_path: Path) -> None:
    import trimesh

    path = tmp_path / "a.ply"
    path.write_bytes(trimesh.creation.icosphere().export(file_type="ply"))
    ours = mesh.read(path).to_trimesh()
    theirs = trimesh.load(path, process=False)
    np.testing.assert_array_equal(ours.faces, theirs.faces)
    np.testing.assert_allclose(ours.vertices, theirs.vertices)
    assert ours.volume == pytest.approx(theirs.volume)


def test_meshio_has_the_same_mesh(tmp_path: Path) -> None:
    import meshio

    path = tmp_path / "a.obj"
    path.write_bytes(OBJ)
    ours, theirs = mesh.read(path).to_meshio(), meshio.read(path)
    np.testing.assert_array_equal(ours.points, theirs.points)
    assert {x.type: x.data.tolist() for x in ours.cells} == {x.type: x.data.tolist() for x in theirs.cells}
