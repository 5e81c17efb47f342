# SPDX-License-Identifier: MIT
"""How far a call is."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

from polycodec._errors import UnsupportedError


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

    @property
    def fraction(self) -> float | None:
        """The part of the call that is done, from 0 to 1, or None while that is not known: all bytes of the source were
        handed over, and the codec still works."""
        if self.complete:
            return 1.0
        return self.done / self.total if self.total and self.done < self.total else None


def bar() -> Callable[[Progress], None]:
    """Returns a function that draws reports with tqdm, from the second one on: a call of less than 50 ms draws nothing."""
    if importlib.util.find_spec("tqdm") is None:
        raise UnsupportedError("progress=True needs tqdm: install it, or give a function", "unsupported")
    drawn: Any = None

    def draw(progress: Progress) -> None:
        nonlocal drawn
        if drawn is None:
            if progress.complete:
                return
            from tqdm.auto import tqdm

            drawn = tqdm(unit="B", unit_scale=True, unit_divisor=1024, leave=False)
        # What is known best: bytes of the source while they are handed over, then bytes of output.
        of_source = progress.fraction is not None and progress.total is not None
        drawn.total = progress.total if of_source else None
        drawn.n = progress.done if of_source else max(progress.written, progress.done)
        drawn.set_postfix_str("" if of_source else f"{progress.work * 5e-9:.1f} s of work", refresh=False)
        drawn.refresh()
        if progress.complete:
            drawn.close()

    return draw
