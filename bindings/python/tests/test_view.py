# SPDX-License-Identifier: MIT
"""Pages of values."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polycodec as pc


def test_page_of_a_mesh(vectors: Path, tmp_path: Path) -> None:
    page = pc.open(vectors / "ply/own_crlf_ascii.ply").view()
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.html, re.DOTALL)[1])
    assert data["file"] == "ply value"
    assert data["mesh"]["vertices"] > 0
    assert [node[1] for node in data["outline"]["nodes"][:2]] == ["$", ".vertex"]
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html


def test_page_in_a_notebook_is_one_frame() -> None:
    shown = pc.value({"</script><b>": ['"quoted"']}).view()._repr_html_()
    assert re.fullmatch(r'<iframe sandbox="allow-scripts" srcdoc="[^"<>]*" title="[^"]*" style="[^"]*"></iframe>', shown)
