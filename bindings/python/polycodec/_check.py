# SPDX-License-Identifier: MIT
"""Tests of a codec in Python, for its author."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from polycodec._codec import Codec
from polycodec._core import Value, value
from polycodec._errors import CancelledError, PluginError, PolycodecError
from polycodec._registry import Registry, default_registry

_CUTS = 64  # files of each fixture that are cut short, and changed in one byte


class _Check:
    def __init__(self, codec: Codec, options: dict[str, Any] | None) -> None:
        self._codec = codec
        self._registry: Registry = default_registry().derive([codec])
        self._options = options
        self._heard: list[tuple[str, ...]] = []

    def _hear(self, *loss: str) -> None:
        self._heard.append(loss)

    def _decode(self, data: bytes) -> Value:
        return self._registry.decode(data, self._codec.name, options=self._options, on_loss=self._hear)

    def _encode(self, thing: Any) -> bytes:
        return self._registry.encode(thing, self._codec.name, options=self._options, on_loss=self._hear)

    def file(self, name: str, data: bytes) -> Iterator[str]:
        """Gives what is wrong with reading a file."""
        if self._codec.decode is None:
            yield f"{name}: the codec has no decode()"
            return
        try:
            first = self._decode(data)
        except PolycodecError as error:
            yield f"{name}: is not read: {_reason(error)}"
            return
        if first.difference(self._decode(data), floats=True) is not None:
            yield f"{name}: is read as another value the second time"
        if self._codec.manifest["magic"] or self._codec.sniff is not None:
            found = [one["codec"] for one in self._registry.choices(data)]
            if not found or found[0] != self._codec.name:
                yield f"{name}: its content is taken for {found[0] if found else 'no format'}"
        if self._codec.encode is not None:
            yield from self.value(f"{name}, written again", first)
        yield from self._broken(name, data)

    def value(self, name: str, thing: Any) -> Iterator[str]:
        """Gives what is wrong with writing a value."""
        if self._codec.encode is None:
            yield f"{name}: the codec has no encode()"
            return
        self._heard.clear()
        try:
            given = value(thing)
            data = self._encode(given)
            if self._codec.decode is None:
                return
            back = self._decode(data)
        except PolycodecError as error:
            yield f"{name}: {_reason(error)}"
            return
        difference = given.difference(back, numbers=True, lists=True)
        if difference is not None and not any(one[0] in ("type", "data") for one in self._heard):
            where = f"{difference['path']} ({difference['reason']})"
            yield f"{name}: comes back with another value at {where}, and no loss is reported"

    def _broken(self, name: str, data: bytes) -> Iterator[str]:
        chance = random.Random(1)
        cuts = sorted({i * len(data) // _CUTS for i in range(_CUTS)}) if data else []
        broken = [(f"cut after {n} bytes", data[:n]) for n in cuts]
        for _ in range(_CUTS if data else 0):
            at = chance.randrange(len(data))
            changed = bytes([data[at] ^ (1 << chance.randrange(8))])
            broken.append((f"with another byte {at}", data[:at] + changed + data[at + 1 :]))
        for how, content in broken:
            try:
                self._decode(content)
            except (PluginError, CancelledError) as error:
                yield f"{name}, {how}: {_reason(error)}: raise polycodec.FormatError"
                return
            except PolycodecError:
                pass


def _reason(error: PolycodecError) -> str:
    cause = error.__cause__
    if cause is None or isinstance(cause, PolycodecError):
        return str(error)
    module = "" if type(cause).__module__ == "builtins" else f"{type(cause).__module__}."
    return f"{module}{type(cause).__qualname__}: {cause}"


def check(codec: Codec, fixtures: Iterable[Any], options: dict[str, Any] | None) -> list[str]:
    """Returns what is wrong with a codec."""
    of = _Check(codec, options)
    problems: list[str] = []
    for i, fixture in enumerate(fixtures):
        if isinstance(fixture, os.PathLike):
            problems += of.file(os.fspath(fixture), Path(fixture).read_bytes())
        elif isinstance(fixture, bytes):
            problems += of.file(f"fixture {i}", fixture)
        else:
            problems += of.value(f"fixture {i}", fixture)
    return problems
