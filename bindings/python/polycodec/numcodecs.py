# SPDX-License-Identifier: MIT
"""Each codec of polycodec as a codec of numcodecs, with the id "polycodec". numcodecs finds it by its entry point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numcodecs.abc import Codec
from numcodecs.compat import ensure_ndarray, ndarray_copy

import polycodec


class PolycodecCodec(Codec):  # type: ignore[misc]
    """Encodes arrays to bytes, with their shape and type.

    ``codec`` is a codec for arrays, ``options`` are its options. ``filters`` are applied after it, such as
    ``[{"id": "zstd"}]``. A configuration is data, whoever made it: options that name files are a DeniedError.
    """

    codec_id: ClassVar[str] = "polycodec"

    def __init__(
        self,
        codec: str = "msgpack-ndarray",
        options: Mapping[str, Any] | None = None,
        filters: list[dict[str, Any]] | None = None,
    ) -> None:
        self.codec = codec
        self.options = dict(options or {})
        self.filters = list(filters or [])

    def encode(self, buf: Any) -> bytes:
        """Returns the encoded array. Raises PolycodecError for types that the codec does not have."""
        array = np.ascontiguousarray(ensure_ndarray(buf))
        return polycodec.encode(array, self.codec, options=self.options, filters=self.filters, of_others=True)

    def decode(self, buf: Any, out: Any = None) -> Any:
        """Returns the array, which views `buf` where the bytes allow it, or `out` with its items."""
        view = np.frombuffer(buf, np.uint8) if not isinstance(buf, np.ndarray) else buf.reshape(-1).view(np.uint8)
        value = polycodec.decode(view, self.codec, options=self.options, filters=self.filters, of_others=True)
        array = value.to_numpy()
        return array if out is None else ndarray_copy(array, out)

    def get_config(self) -> dict[str, Any]:
        config: dict[str, Any] = {"id": self.codec_id, "codec": self.codec}
        if self.options:
            config["options"] = self.options
        if self.filters:
            config["filters"] = self.filters
        return config
