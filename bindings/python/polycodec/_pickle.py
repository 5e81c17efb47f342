# SPDX-License-Identifier: MIT
"""Pickling of values: their buffers travel out of band from protocol 5 on."""

from __future__ import annotations

import pickle
from typing import Any

from polycodec._core import Value, from_frames


def reduce(value: Value, protocol: int, /) -> tuple[Any, ...]:
    """Returns the function and the frames that make the value again."""
    frames = value.to_frames()
    if protocol >= 5:
        return restore, (bytes(frames[0]), *(pickle.PickleBuffer(frame) for frame in frames[1:]))
    return restore, tuple(bytes(frame) for frame in frames)


def restore(*frames: Any) -> Value:
    """Returns the value of frames, which are checked like any input."""
    return from_frames(frames)
