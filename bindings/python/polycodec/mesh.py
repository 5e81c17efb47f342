# SPDX-License-Identifier: MIT
"""Meshes of PLY, OBJ and yggdrasil files as arrays of points and faces, and as objects of trimesh and meshio."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import polycodec
from polycodec._columns import flat

if TYPE_CHECKING:
    import meshio
    import numpy.typing as npt
    import trimesh


@dataclass(frozen=True)
class Mesh:
    """A mesh in columns. Faces of any number of corners: face i has the corners offsets[i] to offsets[i + 1]."""

    points: npt.NDArray[Any]
    """(n, 3), of float32 or float64"""
    corners: npt.NDArray[np.int32]
    """indices of points"""
    offsets: npt.NDArray[np.int64]
    normals: npt.NDArray[Any] | None
    """(n, 3), if each point has one"""
    colors: npt.NDArray[Any] | None
    """(n, 3) or (n, 4), if each point has one"""

    def triangles(self) -> npt.NDArray[np.int32]:
        """Returns (m, 3) indices: faces of more corners are cut into fans, those of less are left out."""
        counts = np.diff(self.offsets)
        if np.all(counts == 3):
            return self.corners.reshape(-1, 3)
        fans = np.maximum(counts - 2, 0)
        first = np.repeat(self.offsets[:-1], fans)
        nth = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans)
        triangles: npt.NDArray[np.int32] = self.corners[np.stack([first, first + nth + 1, first + nth + 2], axis=1)]
        return triangles

    def to_trimesh(self) -> trimesh.Trimesh:
        """Returns a trimesh.Trimesh with the points as they are."""
        import trimesh

        return trimesh.Trimesh(
            self.points, self.triangles(), vertex_normals=self.normals, vertex_colors=self.colors, process=False
        )

    def to_meshio(self) -> meshio.Mesh:
        """Returns a meshio.Mesh with a block of cells for each number of corners."""
        import meshio

        counts = np.diff(self.offsets)
        cells = []
        for n in np.unique(counts):
            starts = self.offsets[:-1][counts == n]
            name = {1: "vertex", 2: "line", 3: "triangle", 4: "quad"}.get(int(n), "polygon")
            cells.append((name, self.corners[starts[:, None] + np.arange(n)]))
        data = {"normals": self.normals, "colors": self.colors}
        return meshio.Mesh(self.points, cells, point_data={k: v for k, v in data.items() if v is not None})


def _matrix(records: polycodec.Value, names: list[str]) -> npt.NDArray[Any]:
    return np.stack([records[name].to_numpy() for name in names], axis=1)


def read(source: str | os.PathLike[str] | bytes, codec: str | None = None) -> Mesh:
    """Reads a mesh from a file or from bytes. Raises PolycodecError for a file without a mesh.

    ``codec`` is "ply" or "obj"; if not given, the content says it.
    """
    if codec is None:
        found = polycodec.default_registry().choices(source)
        codec = found[0]["codec"] if found else polycodec.open(source).codec
    value = polycodec.open(source, codec=codec, options={"form": "mesh"})
    points = _matrix(value["positions"], ["x", "y", "z"])
    lists = value["faces"]["position"].array
    assert lists is not None
    corners, offsets = flat(lists)
    full = [name for name in ("normals", "colors", "alpha") if len(value[name]) == len(points) > 0]
    colors = None
    if "colors" in full:
        colors = _matrix(value["colors"], ["red", "green", "blue"])
        if "alpha" in full:
            colors = np.column_stack([colors, value["alpha"].to_numpy()])
    normals = _matrix(value["normals"], ["x", "y", "z"]) if "normals" in full else None
    return Mesh(points, corners, offsets, normals, colors)
