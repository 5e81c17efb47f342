# SPDX-License-Identifier: MIT
"""Kinds of values that Python has no type for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Extension:
    """A named payload, such as an extension type of MessagePack. Its own codec writes it back unchanged."""

    name: str
    payload: Any


@dataclass(frozen=True)
class Time:
    """A timestamp or duration for the encoder: units of time, and nanoseconds beside seconds."""

    count: int
    nanoseconds: int
    unit: int
    is_duration: bool
