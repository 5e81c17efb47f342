# SPDX-License-Identifier: MIT
"""The log of the library as that of Python: the logger "polycodec", with one child for each origin."""

from __future__ import annotations

import logging

_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING)  # and ERROR for all above

_logger = logging.getLogger("polycodec")
_logger.addHandler(logging.NullHandler())  # silent until the program wants it


def log(level: int, origin: str, text: str) -> None:
    """Logs one line of a registry."""
    number = _LEVELS[level] if 0 <= level < len(_LEVELS) else logging.ERROR
    if _logger.isEnabledFor(number):
        (_logger.getChild(origin) if origin else _logger).log(number, "%s", text)
