# SPDX-License-Identifier: MIT
"""The registry of a worker, and the versions of its codecs."""

from __future__ import annotations

import atexit
import functools
import json
import threading
from typing import Any

from polycodec._errors import NotFoundError
from polycodec._registry import Registry, default_registry

_opening = threading.Lock()


def registry_of(settings: dict[str, Any] | None) -> Registry:
    """Returns the registry for settings (``config``, ``policy``, ``isolation``, ``add_paths``), opened once a process.

    Without settings it is the default one. Threads: any.
    """
    if not settings:
        return default_registry()
    with _opening:
        return _opened(json.dumps(settings, sort_keys=True))


@functools.lru_cache(maxsize=8)
def _opened(settings: str) -> Registry:
    return Registry(**json.loads(settings))


atexit.register(_opened.cache_clear)  # the library must not outlive the interpreter


def entry(registry: Registry, codec: str) -> dict[str, Any]:
    """Returns the description of a codec by name or alias."""
    for description in registry.list("codecs"):
        if codec == description["name"] or codec in description["aliases"]:
            return description
    raise NotFoundError(f"no codec has the name '{codec}': name one of pc.codecs()", "not_found")


def versioned(registry: Registry, codec: str) -> str:
    """Returns ``name@version`` of a codec, the version being that of its plugin."""
    description = entry(registry, codec)
    return f"{description['name']}@{(description.get('plugin') or {}).get('version', '0')}"
