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
class Annotated:
    """Anything with metadata, such as its unit: ``Annotated(numbers, {"unit": "cm"})``. For the encoder."""

    value: Any
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Time:
    """A timestamp or duration that neither Python nor numpy has: units of time (numbers of docs/abi.md), or seconds and
    nanoseconds."""

    count: int
    nanoseconds: int
    unit: int
    is_duration: bool
