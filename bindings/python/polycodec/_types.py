# SPDX-License-Identifier: MIT
"""Types of values."""

from __future__ import annotations

from polycodec import _core


class Type(str):
    """Type notation, such as ``3 * float64``, as text that can read values of the type."""

    def parse(self, text: str) -> _core.Value:
        """Returns the value of this type that JSON text denotes."""
        return _core.parse(text, str(self))
