# SPDX-License-Identifier: MIT
"""msgpack and msgpack-numpy for Python, both ways."""

from __future__ import annotations

import sys
from typing import Any

import msgpack
import msgpack_numpy
import numpy as np

import typed
from compare import Run, same
from ours import Refused

CODEC = "msgpack-ndarray"
FIELDS = ["<i4", ">f8", "<u1", ">i8", "<f2", "<c8", "|b1", "<U3", "|S4"]


def ext_array(a: np.ndarray[Any, Any]) -> msgpack.ExtType:
    """An array as YEP-110 has it, packed by the peer."""
    body = {"shape": list(a.shape), "typestr": a.dtype.str, "version": 3, "data": a.tobytes()}
    return msgpack.ExtType(110, msgpack.packb(body))


def packed(value: Any) -> bytes:
    return bytes(msgpack.packb(value, default=lambda x: ext_array(x) if isinstance(x, np.ndarray) else wide(x)))


def wide(x: Any) -> Any:
    if isinstance(x, np.datetime64):
        count = int(x.astype("M8[ns]").astype("i8"))
        return msgpack.Timestamp(count // 10**9, count % 10**9)
    if isinstance(x, typed.Ext):
        return msgpack.ExtType(x.payload["code"], x.payload["data"])
    raise TypeError(type(x))


def from_ext(code: int, data: bytes) -> Any:
    if code != 110:
        return typed.Ext("msgpack.ext", {"code": code, "data": data})
    body = msgpack.unpackb(data)
    return np.frombuffer(body["data"], dtype=body["typestr"]).reshape(body["shape"])


def from_timestamp(stamp: Any) -> Any:
    if isinstance(stamp, msgpack.Timestamp):
        return np.datetime64(stamp.seconds * 10**9 + stamp.nanoseconds, "ns")
    if isinstance(stamp, list):
        return [from_timestamp(x) for x in stamp]
    return {k: from_timestamp(v) for k, v in stamp.items()} if isinstance(stamp, dict) else stamp


def unpacked(data: bytes) -> Any:
    return from_timestamp(msgpack.unpackb(data, ext_hook=from_ext, strict_map_key=False, timestamp=0))


def main() -> int:
    run = Run("msgpack")
    v = run.values

    def moment() -> np.datetime64:
        return np.datetime64(v.one_of([0, 1, -1, 10**9, 2**33 * 10**9, 2**62, -(2**62)]), "ns")

    def extension() -> typed.Ext:
        return typed.Ext("msgpack.ext", {"code": v.one_of([0, 5, 109, 127]), "data": v.data()})

    def narrow() -> np.float32:
        return np.float32(v.real() if v.random.random() < 0.5 else v.integer())

    def keyed() -> dict[Any, Any]:
        return {v.integer(): v.text() for _ in range(v.random.randrange(1, 4))}

    leaves = [v.integer, v.real, v.text, v.data, v.array, moment, extension, keyed, lambda: None, lambda: True]
    leaves += [lambda: 2**64 - 1, lambda: False]

    def read(_: int) -> None:
        value = v.document(leaves)
        data = packed(value)
        found = typed.loads(run.session.decode(CODEC, data))
        same(found, value)

    def read_narrow(_: int) -> None:
        value = [narrow() for _ in range(3)]
        packer = msgpack.Packer(use_single_float=True)
        found = typed.loads(run.session.decode(CODEC, packer.pack([float(x) for x in value])))
        same(found, value)

    def write(_: int) -> None:
        value = v.document(leaves)
        data = run.session.encode(CODEC, typed.dumps(value))
        same(unpacked(data), value)

    def write_plain(_: int) -> None:
        # Without arrays both write the shortest form of everything, so the bytes are equal.
        value = v.document([v.integer, v.real, v.text, v.data, moment, keyed, lambda: None])
        assert run.session.encode(CODEC, typed.dumps(value)) == packed(value), value

    def read_numpy(_: int) -> None:
        value = v.document([v.array, v.text, lambda: v.array(shape=())[()]])
        data = msgpack.packb(value, default=msgpack_numpy.encode)
        found = typed.loads(run.session.decode(CODEC, data, options={"numpy_maps": True}))
        same(found, plain_scalars(value))

    def read_structured(_: int) -> None:
        fields: list[Any] = [(n, v.one_of([*FIELDS, ("<f4", (2,))])) for n in v.names(v.random.randrange(1, 5))]
        fields = [(n, *t) if isinstance(t, tuple) else (n, t) for n, t in fields]
        a = np.zeros(v.random.randrange(5), dtype=[*fields, ("inner", [("x", ">i2"), ("y", "U2")])])
        for place in range(len(a)):
            for name, kind, *_ in fields:
                text = v.name() if kind[1] == "U" else (v.name() * 4)[:4].encode()
                a[place][name] = text if kind[1] in "US" else v.array([kind], a[place][name].shape)
            a[place]["inner"] = (v.random.randrange(-99, 99), v.name())
        data = msgpack.packb(a, default=msgpack_numpy.encode)
        same(typed.loads(run.session.decode(CODEC, data, options={"numpy_maps": True})), [row(x) for x in a])

    def refused(i: int) -> str:
        a, name = [
            (np.array([1.5], dtype=np.longdouble), "long_doubles"),
            (np.array([None, 1], dtype=object), "pickles"),
        ][i]
        try:
            run.session.decode(CODEC, msgpack.packb(a, default=msgpack_numpy.encode), options={"numpy_maps": True})
        except Refused as error:
            assert ("numpy.pickle" if i else "ndarray.unsupported_type") in str(error), error
            return name
        raise AssertionError("not refused")

    def stream(_: int) -> None:
        value = [v.document(leaves, 2) for _ in range(2 + v.random.randrange(3))]
        data = b"".join(packed(x) for x in value)
        found = typed.loads(run.session.decode(CODEC, data, options={"documents": "many"}))
        same(found, typed.Ext("stream", value))

    run.each("peer to ours", read)
    run.each("peer to ours, float 32", read_narrow, 100)
    run.each("ours to peer", write)
    run.each("same bytes", write_plain)
    run.each("msgpack-numpy to ours", read_numpy)
    run.each("structured arrays to ours", read_structured, 200)
    run.each("known differences", refused, 2)
    run.each("streams to ours", stream, 200)
    return run.finish()


def row(x: Any) -> Any:
    """A row of a structured array as a dict."""
    if x.dtype.names:
        return {name: row(x[name]) for name in x.dtype.names}
    if isinstance(x, np.bytes_ | np.str_):
        return x.item()
    return plain_scalars(x)


def plain_scalars(value: Any) -> Any:
    """float64, complex128, int64 and bool of numpy come back as Python's."""
    if isinstance(value, list):
        return [plain_scalars(x) for x in value]
    if isinstance(value, dict):
        return {k: plain_scalars(x) for k, x in value.items()}
    if isinstance(value, np.float64 | np.complex128 | np.bool_) or (
        isinstance(value, np.integer) and value.dtype.itemsize == 8
    ):
        return value.item()
    return value.astype(value.dtype.newbyteorder("=")) if isinstance(value, np.generic) else value


if __name__ == "__main__":
    sys.exit(main())
