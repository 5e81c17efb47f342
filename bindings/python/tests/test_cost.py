# SPDX-License-Identifier: MIT
"""Small files that ask for much, walked in every way that Python has: tests/torture/costly.py makes them."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/torture"))
costly: Any = importlib.import_module("costly")
awkward: Any = importlib.import_module("costly_awkward")
walks: Any = importlib.import_module("walks")

WALK = Path(__file__).parent / "real" / "walk.py"
SHORT = ("repr", "html")  # they show less instead of failing

CHOSEN = [
    made for made in (make() for make in costly.FILES)
    if not made.commands and not made.words and (made.name in walks.WORST or "POLYCODEC_TORTURE_CASES" in os.environ)
]  # fmt: skip


@pytest.mark.parametrize("made", CHOSEN, ids=lambda made: made.name)
def test_walks_of_a_small_file_are_bounded(made: Any, tmp_path: Path) -> None:
    for name, data in {made.name: made.data, "small.awkd": awkward.tables(2), **made.beside}.items():
        (tmp_path / name).write_bytes(data)
    done = walks.run([sys.executable, "-W", "ignore", str(WALK), "small.awkd", made.name], tmp_path)
    assert len(done) > 20
    assert [walked.wrong for walked in done if walked.wrong] == []
    for walked in done:
        if walked.error is not None and walked.error.startswith("LimitError"):
            # What has a place in the file is of reading it.
            assert walked.walk not in SHORT or "at byte" in walked.error, walked
            # An address is of a type as DyND writes them, and that has a limit of its own.
            assert any(word in walked.error for word in ("limits={", "the limit", "max_", "(dynd.limit)")), walked
