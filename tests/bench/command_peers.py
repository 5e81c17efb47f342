# SPDX-License-Identifier: MIT
"""A job of bench_command as the fastest program of Python does it: command_peers.py JOB FILE...

Needs the environment of tests/peers/requirements.txt. Each job imports what it needs alone, because that takes a part of the
time. `start NAME` imports a package and does nothing."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

job, *files = sys.argv[1:]
if job == "start":
    importlib.import_module(files[0])
elif job == "unpack":
    import msgpack

    msgpack.unpackb(Path(files[0]).read_bytes())
elif job == "msgpack-to-json":
    import msgpack

    Path(files[1]).write_text(json.dumps(msgpack.unpackb(Path(files[0]).read_bytes())))
elif job == "json-to-msgpack":
    import msgpack

    Path(files[1]).write_bytes(msgpack.packb(json.loads(Path(files[0]).read_text())))
elif job == "awkd-to-msgpack":
    import awkward0
    import msgpack

    Path(files[1]).write_bytes(msgpack.packb(awkward0.load(files[0]).tolist()))
elif job == "msgpack-to-awkd":
    import awkward0
    import msgpack

    awkward0.save(files[1], awkward0.fromiter(msgpack.unpackb(Path(files[0]).read_bytes())), mode="w")
elif job == "diff":
    import numpy
    import trimesh

    a, b = (trimesh.load_mesh(file, process=False) for file in files)
    sys.exit(not (numpy.array_equal(a.vertices, b.vertices) and numpy.array_equal(a.faces, b.faces)))
elif job == "page":
    import trimesh
    from trimesh.viewer.notebook import scene_to_html

    Path(files[1]).write_text(scene_to_html(trimesh.load_scene(files[0], process=False)))
else:
    sys.exit(f"command_peers.py: unknown job ({job})")
