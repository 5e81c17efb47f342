# SPDX-License-Identifier: MIT
"""Where a peer and polycodec differ, and why. differences_test.py pins the length of this list; each program fails if a
difference of its peer was not met."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    peer: str
    name: str
    reason: str


DIFFERENCES = [
    Difference(
        "msgpack",
        "long_doubles",
        "msgpack-numpy writes long doubles in the 16 bytes of the machine. Other machines have other bits, and polycodec "
        "refuses them.",
    ),
    Difference(
        "msgpack",
        "pickles",
        "msgpack-numpy writes arrays of objects as pickles. Reading one runs code, and polycodec refuses it.",
    ),
    Difference(
        "msgpack-c",
        "whole_floats",
        "The packer writes a float without a fraction as an integer, which loses its kind and the sign of -0.0. polycodec "
        "keeps floats.",
    ),
    Difference(
        "numcodecs",
        "crc32_place",
        "The peer writes the checksum before the data, polycodec after it, as gzip and zlib do and as a stream needs.",
    ),
    Difference(
        "numcodecs",
        "lz4_frames",
        "The peer writes a block with its size in 4 bytes. The filter lz4 has frames, which carry checksums. The plugin "
        "reads such blocks in files of Awkward.",
    ),
    Difference(
        "plyfile",
        "scalars_beside_lists",
        "In big-endian files the peer writes scalars of elements that have lists in the machine's byte order. polycodec "
        "reads what the header says.",
    ),
    Difference(
        "yggdrasil",
        "boolean_arrays",
        "The peer writes no arrays of booleans, and its schema has no such type. polycodec writes a list of booleans.",
    ),
    Difference(
        "yggdrasil",
        "byte_order",
        "The peer writes the bytes of a big-endian array as they are, and its schema names no byte order. polycodec reads "
        "leaves as little-endian, as the peer does, and swaps the bytes when it writes.",
    ),
    Difference(
        "yggdrasil",
        "text_like_a_leaf",
        "The peer writes a string that looks like a leaf as it is and reads it as one. polycodec writes it as a leaf.",
    ),
]
