# SPDX-License-Identifier: MIT
"""Further plugins and codecs of this Python, beside those that the library finds itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import metadata, util
from typing import Any


def entry_points() -> Any:
    """Returns the entry points of all installed packages, whose files are read each time."""
    return metadata.entry_points()


def _candidates(points: Any) -> Iterator[str]:
    for below in ("site", "plugins"):  # also where nobody has set VIRTUAL_ENV
        yield os.path.join(sys.prefix, "lib/polycodec", below, "abi2")
    for point in points.select(group="polycodec.plugins"):
        # "package" or "package:directory". Nothing of the package is imported.
        spec = util.find_spec(point.module)
        for place in (spec and spec.submodule_search_locations) or ():
            yield os.path.join(place, point.attr) if point.attr else place


def directories(points: Any) -> list[str]:
    """Returns the directories for plugins in the prefix of this Python, and those that installed packages name by entry
    points of the group ``polycodec.plugins``. The registry checks them like all others."""
    found = dict.fromkeys(os.path.realpath(x) for x in _candidates(points))
    return [x for x in found if os.path.isdir(x)]


def codecs(points: Any) -> list[Any]:
    """Returns the codecs in Python that installed packages name by entry points of the group ``polycodec.codecs``: a
    polycodec.Codec, or a class of polycodec.codec(register=False). One that cannot be loaded is logged, and left out."""
    found = {}
    for point in points.select(group="polycodec.codecs"):
        try:
            loaded = point.load()
            codec = getattr(loaded, "codec", loaded)
            found[codec.name] = codec
        except Exception as error:  # of the package
            from polycodec._logging import log

            log(
                2, "python", f"the codec '{point.name}' of {point.value} cannot be loaded ({type(error).__name__}: {error})"
            )
    return list(found.values())
