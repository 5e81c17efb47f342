# SPDX-License-Identifier: MIT
"""Files of meshes and scenes that ask for much."""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Callable


def ply(header: list[str], data: bytes = b"", kind: str = "ascii") -> bytes:
    return "\n".join(["ply", f"format {kind} 1.0", *header, "end_header", ""]).encode() + data


def ply_polygon(points: list[tuple[float, float]]) -> bytes:
    header = [f"element vertex {len(points)}", "property float x", "property float y", "property float z", "element face 1",
              "property list uint ushort vertex_indices"]  # fmt: skip
    data = b"".join(struct.pack("<fff", x, y, 0) for x, y in points)
    data += struct.pack(f"<I{len(points)}H", len(points), *range(len(points)))
    return ply(header, data, "binary_little_endian")


def comb(teeth: int) -> list[tuple[float, float]]:
    return [(0, -1), *[(i / 2, (i % 2) * 1000) for i in range(2 * teeth)], (teeth, -1)]


def spiral(turns: int, corners: int) -> list[tuple[float, float]]:
    angles = [2 * math.pi * turns * i / corners for i in range(corners)]
    out = [((1 + a) * math.cos(a), (1 + a) * math.sin(a)) for a in angles]
    return out + [((0.5 + a) * math.cos(a), (0.5 + a) * math.sin(a)) for a in reversed(angles)]


def corners(count: int) -> bytes:
    header = ["element vertex 200", "property float x", "property float y", "property float z", "element face 1",
              "property list uint uchar vertex_indices"]  # fmt: skip
    data = b"".join(struct.pack("<fff", math.cos(i), math.sin(i), 0) for i in range(200))
    return ply(header, data + struct.pack("<I", count) + bytes(i % 200 for i in range(count)), "binary_little_endian")


def doubles(count: int) -> bytes:
    """Vertices of one place, in triangles that overlap."""
    header = [f"element vertex {count}", "property float x", "property float y", "property float z",
              f"element face {count // 3}", "property list uchar ushort vertex_indices"]  # fmt: skip
    faces = b"".join(struct.pack("<BHHH", 3, i, i + 1, i + 2) for i in range(0, count - count % 3, 3))
    return ply(header, bytes(12 * count) + faces, "binary_little_endian")


def fan(count: int) -> bytes:
    """Triangles of one edge."""
    return (
        f"v 0 0 0\nv 0 0 1\n{'v 1 0 0' + chr(10)}".encode()
        + b"v 0 1 0\n" * 999
        + b"".join(b"f 1 2 %d\n" % (3 + i % 1000) for i in range(count))
    )


TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n"

PLY: dict[str, Callable[[], bytes]] = {
    "rows_of_nothing": lambda: ply(["element vertex 4000000000"]),
    "rows": lambda: ply(["element vertex 4000000000", "property float x"], b"1\n" * 10),
    "rows_binary": lambda: ply(["element vertex 4000000000", "property list uchar int x"], bytes(1000), "binary_little_endian"),
    "elements": lambda: ply([f"element e{i} 4000000000" for i in range(3000)]),
    "properties": lambda: ply(["element vertex 1", *[f"property float p{i}" for i in range(3500)]], b"0 " * 3500),
    "empty_faces": lambda: ply(["element face 90000", "property list uchar int vertex_indices"], bytes(90000), "binary_little_endian"),
    "corners": lambda: corners(90000), "comb": lambda: ply_polygon(comb(3000)), "spiral": lambda: ply_polygon(spiral(50, 3000)),
    "doubles": lambda: doubles(6000),
}  # fmt: skip


def obj_comb(teeth: int) -> bytes:
    lines = b"".join(b"v %g %g 0\n" % point for point in comb(teeth))
    return lines + b"f" + b"".join(b" %d" % (i + 1) for i in range(2 * teeth + 2)) + b"\n"


OBJ: dict[str, Callable[[], bytes]] = {
    "indices": lambda: TRIANGLE + b"f 4000000000 2 -4000000000\nf 1/9999999999999999999 2 3\n" * 1000,
    "comb": lambda: obj_comb(2700), "fan": lambda: fan(8000), "same_face": lambda: TRIANGLE + b"f 1 2 3\n" * 12000,
    "groups": lambda: TRIANGLE + b"".join(b"g g%d\no o%d\ns %d\nf 1 2 3\n" % (i, i, i) for i in range(3000)),
    "materials": lambda: TRIANGLE + b"".join(b"usemtl m%d\nf 1 2 3\n" % i for i in range(4000)),
    "many_groups": lambda: TRIANGLE + b"g " + b" ".join(b"g%d" % i for i in range(8000)) + b"\nf 1 2 3\n" * 2000,
    "lines": lambda: TRIANGLE + (b"l" + b" 1" * 20000 + b"\n") + (b"p" + b" 1" * 20000 + b"\n"),
    "continued": lambda: TRIANGLE + b"f 1 2 3" + b" \\\n1" * 20000 + b"\n",
}  # fmt: skip


def png(side: int) -> bytes:
    """A black square of one bit a pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes((1 + side // 8) * side), 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def stl_binary(declared: int, triangles: int) -> bytes:
    return (
        bytes(80)
        + struct.pack("<I", declared)
        + (bytes(12) + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + bytes(2)) * triangles
    )


STL: dict[str, Callable[[], bytes]] = {
    "count": lambda: stl_binary(0xFFFFFFFF, 10), "same": lambda: stl_binary(1900, 1900),
    "solids": lambda: b"".join(b"solid s%d\nendsolid s%d\n" % (i, i) for i in range(3500)),
}  # fmt: skip


def gltf(**members: object) -> bytes:
    return json.dumps({"asset": {"version": "2.0"}, **members}, separators=(",", ":")).encode()


def gltf_buffer(data: bytes) -> dict[str, object]:
    return {"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}


def instances(nodes: int, primitives: int) -> bytes:
    return gltf(
        scenes=[{"nodes": list(range(nodes))}], nodes=[{"mesh": 0}] * nodes, accessors=[{"componentType": 5126, "type": "VEC3", "count": 3}],
        meshes=[{"primitives": [{"attributes": {"POSITION": 0}}] * primitives}],
    )  # fmt: skip


def zeros(count: int, *, accessors: int = 1, is_sparse: bool = False) -> bytes:
    of: dict[str, object] = {"componentType": 5126, "type": "VEC3", "count": count}
    if is_sparse:
        of["sparse"] = {"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 1}}
    views = [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 12}]
    scene = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    }
    return gltf(accessors=[of] * accessors, bufferViews=views, buffers=[gltf_buffer(bytes(16))], **scene)


def shared_view(accessors: int, size: int) -> bytes:
    of = {"bufferView": 0, "componentType": 5121, "type": "SCALAR", "count": size}
    return gltf(
        accessors=[of] * accessors, bufferViews=[{"buffer": 0, "byteLength": size}], buffers=[gltf_buffer(bytes(size))]
    )


def glb(about: bytes, data: bytes) -> bytes:
    about += b" " * (-len(about) % 4)
    data += bytes(-len(data) % 4)
    chunks_ = struct.pack("<II", len(about), 0x4E4F534A) + about + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks_)) + chunks_


def images(count: int) -> bytes:
    picture = png(8000)
    about = gltf(
        buffers=[{"byteLength": len(picture)}], bufferViews=[{"buffer": 0, "byteLength": len(picture)}],
        images=[{"bufferView": 0, "mimeType": "image/png"}] * count, textures=[{"source": i} for i in range(count)],
        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(count)],
        accessors=[{"componentType": 5126, "type": "VEC3", "count": 3}, {"componentType": 5126, "type": "VEC2", "count": 3}],
        scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}],
        meshes=[{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": i} for i in range(count)]}],
    )  # fmt: skip
    return glb(about, picture)


GLTF: dict[str, Callable[[], bytes]] = {
    "instances": lambda: instances(2500, 1500), "zeros_trillion": lambda: zeros(10**12), "zeros_million": lambda: zeros(10**6, accessors=500),
    "sparse": lambda: zeros(10**9, is_sparse=True), "sparse_many": lambda: zeros(10**6, accessors=400, is_sparse=True),
    "deep_nodes": lambda: gltf(scenes=[{"nodes": [0]}], nodes=[{"children": [i + 1]} for i in range(4999)] + [{}]),
    "cycle": lambda: gltf(scenes=[{"nodes": [0]}], nodes=[{"children": [(i + 1) % 5000]} for i in range(5000)]),
    "shared_view": lambda: shared_view(600, 40000),
    "deep_extensions": lambda: b'{"asset":{"version":"2.0"},"extensions":' + b'{"a":' * 15000 + b"1" + b"}" * 15001,
}  # fmt: skip
