# SPDX-License-Identifier: MIT
"""zipfile of Python and Awkward 0.x: archives with values of Awkward and foreign members, which polycodec changes. It adds,
replaces and removes values. Foreign members keep their bytes and their place, and Awkward reads its values as before."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import awkward0
import numpy as np

import typed
from awkward_peer import Arrays, value_of
from compare import Run, same


def members(path: Path) -> dict[str, bytes]:
    """All members of an archive, in their order."""
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        return {i.filename: file.read(i) for i in file.infolist()}


def main() -> int:
    warnings.simplefilter("ignore")
    run = Run("zip", ["command"])
    v = run.values
    arrays = Arrays(v)

    def store(*words: object) -> None:
        command = [run.options.command, "store", *words, "--to", "awkward", "--plugin-path", run.options.plugins, "--quiet"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def foreign(path: Path) -> None:
        """Adds members that are no values."""
        with zipfile.ZipFile(path, "a") as file:
            for name in v.names(v.random.randrange(1, 6)):
                info = zipfile.ZipInfo(v.one_of(["", "deep/er/"]) + name + v.one_of(["", ".raw", ".txt", " é"]))
                info.date_time = (1980 + v.random.randrange(100), 1 + v.random.randrange(12), 5, 6, 7, 8)
                info.external_attr = v.one_of([0o644, 0o600]) << 16
                info.comment = v.data()[:50]
                info.compress_type = v.one_of([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
                file.writestr(info, v.data() * v.random.randrange(1, 40))

    def made(path: Path) -> dict[str, Any]:
        """An archive of the peer, and what the peer reads of it."""
        while True:
            try:
                given = {name: arrays.array(v.one_of([0, 3, 9])) for name in ("a", "b")}
                path.unlink(missing_ok=True)
                awkward0.save(str(path), given)
                with awkward0.load(str(path)) as file:
                    return {name: value_of(file[name]) for name in given}
            except (ValueError, TypeError, AttributeError, IndexError):
                pass

    def change(_: int) -> None:
        path, value = run.work / "store.awkd", run.work / "value.json"
        theirs = made(path)
        foreign(path)
        before = members(path)
        first, second = v.array(["i4", "f8", "u2"], (v.random.randrange(1, 9),)), v.array(["f4", "i8"], (4,))
        steps = [("add", "evt", first), ("add", "other", second), ("replace", "evt", second), ("delete", "other", None)]
        ours: dict[str, Any] = {}
        for do, name, array in [*steps, ("delete", "evt", None)]:
            if array is None:
                store(do, path, name)
                del ours[name]
            else:
                value.write_text(json.dumps(typed.written(array)["$value"]))
                store(do, path, name, value)
                ours[name] = array
            after = members(path)
            assert list(after.items())[: len(before)] == list(before.items()), f"{do} {name}: foreign members changed"
            with awkward0.load(str(path)) as file:
                for key, expected in theirs.items():
                    same(value_of(file[key]), expected)
                for key, expected in ours.items():
                    same(np.asarray(file[key]), expected)
        assert members(path) == before, "members stay behind"

    run.each("files changed", change, max(1, run.options.count // 20))
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
