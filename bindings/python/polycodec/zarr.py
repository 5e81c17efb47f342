# SPDX-License-Identifier: MIT
"""Each codec of polycodec as a codec of Zarr 3 (array to bytes), named "polycodec". Zarr finds it by its entry point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from zarr.abc.codec import ArrayBytesCodec
from zarr.core.array_spec import ArraySpec
from zarr.core.buffer import Buffer, NDBuffer

import polycodec


def _as_numbers(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Times, text and bytes as numbers, which every codec for arrays has. The array of Zarr knows its type."""
    kinds = {"m": "i8", "M": "i8", "U": "u4", "S": "u1", "V": "u1"}
    kind = kinds.get(array.dtype.kind)
    if kind is None or not array.dtype.itemsize:
        return array
    return array.reshape(-1).view(array.dtype.byteorder.replace("|", "=") + kind if kind != "u1" else kind)


@dataclass(frozen=True)
class PolycodecBytes(ArrayBytesCodec):
    """Stores each chunk in the format of ``codec``, with ``options`` and ``filters`` as for polycodec.encode().

    They are metadata of the array, whoever made it: options that name files are a DeniedError.
    """

    is_fixed_size = False
    codec: str = "msgpack-ndarray"
    options: dict[str, Any] = field(default_factory=dict)
    filters: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data.get("configuration", {}))

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": "polycodec",
            "configuration": {"codec": self.codec, "options": self.options, "filters": self.filters},
        }

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError("the size depends on the codec and its filters")

    def _encode_sync(self, chunk_array: NDBuffer, chunk_spec: ArraySpec) -> Buffer:
        array = _as_numbers(np.ascontiguousarray(chunk_array.as_numpy_array()))
        data = polycodec.encode(array, self.codec, options=self.options, filters=self.filters, of_others=True)
        return chunk_spec.prototype.buffer.from_bytes(data)

    def _decode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> NDBuffer:
        data = chunk_bytes.as_numpy_array()
        value = polycodec.decode(data, self.codec, options=self.options, filters=self.filters, of_others=True)
        array = value.to_numpy()
        expected = chunk_spec.dtype.to_native_dtype()
        stored = _as_numbers(np.empty(0, expected)).dtype
        if expected != stored and array.dtype.newbyteorder("=") == stored.newbyteorder("="):
            array = np.ascontiguousarray(array, stored).reshape(-1).view(expected)
        if array.dtype.newbyteorder("=") != expected.newbyteorder("="):
            raise polycodec.MismatchError(
                f"the chunk has the wrong type ({array.dtype}): the array has {expected}; restore the chunk", "type"
            )
        return chunk_spec.prototype.nd_buffer.from_numpy_array(array.reshape(chunk_spec.shape))

    # Codecs work without the GIL, and chunks are small: a thread for each would cost more.
    async def _encode_single(self, chunk_array: NDBuffer, chunk_spec: ArraySpec) -> Buffer:
        return self._encode_sync(chunk_array, chunk_spec)

    async def _decode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> NDBuffer:
        return self._decode_sync(chunk_bytes, chunk_spec)
