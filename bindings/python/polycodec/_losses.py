# SPDX-License-Identifier: MIT
"""Losses, and those as warnings."""

from __future__ import annotations

import warnings

from polycodec._errors import LossWarning

Loss = tuple[str, str, str]  # its class, its path below the object, and what it is


def warn(loss_class: str, path: str, what: str) -> None:
    """Warns of one loss, at the line that called the library."""
    warnings.warn(f"{path}: {what} ({loss_class})", LossWarning, stacklevel=2)
