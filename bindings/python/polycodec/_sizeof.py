# SPDX-License-Identifier: MIT
"""What dask asks of values: how much memory they hold. dask finds it by its entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polycodec import Value


def size_of(value: Value) -> int:
    """Returns the bytes of the buffers of a value, which are those that pickle sends out of band."""
    return sum(memoryview(piece).nbytes for piece in value.to_frames())


def register_sizeof(sizeof: Any) -> None:
    """Registers size_of() with dask.sizeof. Called by dask."""

    @sizeof.register_lazy("polycodec")  # type: ignore[untyped-decorator]
    def register() -> None:
        from polycodec import Value

        sizeof.register(Value)(size_of)
