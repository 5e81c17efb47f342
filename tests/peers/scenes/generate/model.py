# SPDX-License-Identifier: MIT
"""The scene that MeshLab, assimp, trimesh and obj2gltf read, in the current directory: model.obj, a box with textures,
colors and an opacity, and colors.obj, a box with colors of vertices. All numbers are exact in float32 and in few digits."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path


def png(width: int, height: int, pixel: Callable[[int, int], tuple[int, int, int]]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def images() -> None:
    Path("wood.png").write_bytes(png(4, 4, lambda x, y: (90 + 30 * ((x + y) % 3), 60, 20 + 10 * x)))
    Path("stone.png").write_bytes(png(2, 2, lambda x, y: (100 + 20 * x, 100, 110 + 30 * y)))


POINTS = [(x, y, z) for z in (-0.25, 0.5) for x, y in ((0, 0), (1.5, 0), (1.5, 2.25), (0, 2.25))]
CORNERS = ["0 0", "0.75 0", "0.75 1", "0 1"]
# Six sides, the first two of triangles: the material and positions.
SIDES = [
    ("dark wood", (4, 3, 2)), ("dark wood", (4, 2, 1)), ("stone", (5, 6, 7)), ("stone", (5, 7, 8)),
    ("red", (1, 2, 6, 5)), ("red", (2, 3, 7, 6)), ("green", (3, 4, 8, 7)), ("stone", (4, 1, 5, 8)),
]  # fmt: skip
LIBRARY = """newmtl dark wood
Kd 1 1 1
Ks 0.5 0.5 0.5
Ns 62
map_Kd wood.png

newmtl stone
Kd 1 1 1
Ns 6
map_Kd stone.png

newmtl red
Kd 0.75 0.25 0.125
Ke 0.25 0 0
Ns 30

newmtl green
Kd 0.25 0.75 0.5
Ns 6
d 0.5
"""


def main() -> None:
    images()
    lines = ["mtllib model.mtl", "o box", *(f"v {x:g} {y:g} {z:g}" for x, y, z in POINTS), *(f"vt {c}" for c in CORNERS)]
    before = ""
    for material, corners in SIDES:
        lines += [f"usemtl {material}"] * (material != before)
        before = material
        first = 1
        lines.append("f " + " ".join(f"{p}/{i % 4 + first}" for i, p in enumerate(corners)))
    Path("model.obj").write_text("\n".join(lines) + "\n")
    Path("model.mtl").write_text(LIBRARY)
    rows = [f"v {x:g} {y:g} {z:g} {x / 1.5:g} {i % 2} {(z + 0.25) / 0.75:g}" for i, (x, y, z) in enumerate(POINTS)]
    faces = [f"f {' '.join(map(str, corners))}" for _, corners in SIDES]
    Path("colors.obj").write_text("\n".join(["o colors", *rows, *faces]) + "\n")


if __name__ == "__main__":
    main()
