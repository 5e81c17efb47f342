# SPDX-License-Identifier: MIT
"""Files by pattern, by directory, by list or by URL."""

from __future__ import annotations

import glob
import os
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from polycodec._errors import InvalidError, NotFoundError


@dataclass(frozen=True)
class File:
    """A file to read: its path below the base of the pattern, its absolute path or URL, and its size in bytes.

    ``is_found``: it was found in a directory, so nobody says that it is data. ``problem``: why it is not opened, or empty.
    """

    source: str
    location: str
    size: int
    is_found: bool = False
    problem: str = ""


def is_url(location: str) -> bool:
    """Returns whether a location is a URL, which fsspec opens."""
    return "://" in location


def find(files: Any) -> list[File]:
    """Returns the files of a pattern (``**`` descends), a directory, a path, a URL, or a list of these.

    Names that begin with a dot are left out, unless a path names one. A link in a directory that leads out of it, or
    nowhere, is a file with a problem. The paths of the result are relative to the longest
    directory that all files share, or to the part of a single pattern before its first wildcard. Raises NotFoundError if
    nothing matches.
    """
    wanted = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [os.fspath(item) for item in wanted]
    if not names:
        raise InvalidError("no files: must be at least one", "invalid")
    remote = {is_url(name) for name in names}
    if len(remote) > 1:
        raise InvalidError("files and URLs are mixed: must be of one kind; call once for each", "invalid")
    entries = _urls(names) if True in remote else _paths(names)
    found: dict[str, tuple[int, bool, str]] = {}
    for path, size, is_found, problem in entries:
        if path not in found or found[path][1]:  # nobody has named it
            found[path] = size, is_found, problem
    if not found:
        raise NotFoundError(f"no file matches '{', '.join(names[:3])}': check the pattern", "not_found")
    base = _base(names[0], list(found)) if len(names) == 1 else _common([posixpath.dirname(x) for x in found])
    return [File(posixpath.relpath(x, base), x, *facts) for x, facts in sorted(found.items())]


def _base(name: str, found: list[str]) -> str:
    if not glob.has_magic(name):
        is_directory = not (len(found) == 1 and posixpath.basename(found[0]) == posixpath.basename(name))
        return _absolute(name) if is_directory else posixpath.dirname(found[0])
    parts = name.split("/")
    fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return _absolute("/".join(parts[:fixed]) or ("/" if name.startswith("/") else "."))


def _absolute(name: str) -> str:
    if not is_url(name):
        return os.path.abspath(name)
    import fsspec

    system, path = fsspec.core.url_to_fs(name)
    whole: str = system.unstrip_protocol(path)
    return whole.rstrip("/")


def _common(directories: list[str]) -> str:
    if is_url(directories[0]):
        protocol, _, _ = directories[0].partition("://")
        return protocol + "://" + posixpath.commonpath([x.partition("://")[2] for x in directories])
    return posixpath.commonpath(directories)


def _paths(names: Iterable[str]) -> Iterator[tuple[str, int, bool, str]]:
    for name in names:
        for path in glob.iglob(name, recursive=True) if glob.has_magic(name) else [name]:
            if os.path.isfile(path):
                yield os.path.abspath(path), os.path.getsize(path), False, ""
            elif os.path.isdir(path) and not glob.has_magic(name):
                yield from _below(path)


def _below(directory: str) -> Iterator[tuple[str, int, bool, str]]:
    top = os.path.realpath(directory)
    for here, directories, names in os.walk(directory):
        directories[:] = sorted(x for x in directories if not x.startswith("."))
        for name in names:
            path = os.path.join(here, name)
            if name.startswith("."):
                continue
            if os.path.islink(path) and not os.path.exists(path):
                yield os.path.abspath(path), 0, True, "it is a symbolic link that leads nowhere; remove it"
            elif os.path.isfile(path):
                yield os.path.abspath(path), os.path.getsize(path), True, _problem_of_link(path, top)


def _problem_of_link(path: str, top: str) -> str:
    target = os.path.realpath(path) if os.path.islink(path) else top
    if os.path.commonpath((target, top)) == top:
        return ""
    return f"it is a symbolic link that leads out of the directory ('{target}'); name that file, or remove the link"


def _urls(names: Iterable[str]) -> Iterator[tuple[str, int, bool, str]]:
    import fsspec

    for name in names:
        system, path = fsspec.core.url_to_fs(name)
        is_directory = False
        if glob.has_magic(path):
            entries = list(system.glob(path, detail=True).values())
        elif is_directory := system.isdir(path):
            entries = list(system.find(path, detail=True).values())
        else:
            entries = [system.info(path)]
        for entry in entries:
            if entry["type"] == "file":
                yield system.unstrip_protocol(entry["name"]), int(entry["size"] or 0), is_directory, ""
