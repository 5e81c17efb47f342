# SPDX-License-Identifier: MIT
"""How far a call is."""

from __future__ import annotations

from typing import NamedTuple


class Progress(NamedTuple):
    """What a function given as ``progress`` hears, about every 50 ms and at the end of a call that succeeds.

    ``done`` of ``total`` bytes of the source were handed to the codec: all of them at once where they are in memory or
    mapped. ``total`` is None where a value is encoded. ``written`` counts bytes of output. ``work`` only grows, in units
    of about 5 ns. ``complete`` is true in the last report.
    """

    done: int
    total: int | None
    written: int
    work: int
    complete: bool
