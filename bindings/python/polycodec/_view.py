# SPDX-License-Identifier: MIT
"""Values as pages for a browser, which the program polycodec-view of the wheel makes."""

from __future__ import annotations

import html as _html
import os
import subprocess
from pathlib import Path

from polycodec._core import Value
from polycodec._errors import PolycodecError


class Page:
    """One HTML file with all that it needs. Jupyter shows it in place."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(file).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # The frame keeps the page apart from the notebook: it has an origin of its own.
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{_html.escape(self.html)}" title="The value" '
            'style="width: 100%; height: 800px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<polycodec page of {len(self.html)} characters>"


def view(value: Value) -> Page:
    """Makes the page of a value, as `polycodec view` makes it of a file in typed JSON."""
    program = Path(__file__).parent / "bin" / "polycodec-view"
    words = [str(program), "-", "--from", "text", "-o", "-", "--quiet", "--title", f"{value.codec or 'a'} value"]
    try:
        done = subprocess.run(words, input=value.to_text(exact=True).encode(), capture_output=True, check=False)
    except FileNotFoundError as error:
        raise PolycodecError(f"cannot run '{program}': pages need a program of the wheel; install the wheel") from error
    if done.returncode != 0:
        raise PolycodecError(done.stderr.decode(errors="replace").strip().removeprefix("polycodec: "))
    return Page(done.stdout.decode())
