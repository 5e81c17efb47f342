# SPDX-License-Identifier: MIT
"""Channels of messages, as yggdrasil has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polycodec import _core
from polycodec._registry import Registry, default_registry


@dataclass(frozen=True)
class Message:
    """A message that was received. ``control`` is 0, or the number of the control message; then there is no value."""

    value: _core.Value | None
    header: dict[str, Any]
    control: int


class Channel(_core.Channel):
    """One end of a channel. Calls of one channel must not overlap.

    ``options`` are those of the library: codec, options, filters, dialect, meta_only, max_part_bytes, address, model,
    declare and normalize.
    """

    def __init__(self, registry: Registry | None = None, **options: Any) -> None:
        super().__init__(registry or default_registry(), options or None)


def offer(peer: str = "", registry: Registry | None = None) -> dict[str, Any]:
    """Returns an offer of the codecs that this process decodes, for a peer."""
    return _core.offer(registry or default_registry(), peer)


def agree(offered: dict[str, Any], value: Any, registry: Registry | None = None) -> dict[str, Any]:
    """Chooses, of the codecs of an offer, the one for a value."""
    return _core.agree(registry or default_registry(), offered, value)
