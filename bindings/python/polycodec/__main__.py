# SPDX-License-Identifier: MIT
"""The command polycodec: `python -m polycodec` and the script that pip makes run the program of the wheel."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path


def main() -> None:
    """Becomes the program: its exit status, signals and standard streams are those of this process. Where packages have
    codecs in Python, it runs beside this process."""
    program = Path(__file__).parent / "bin" / "polycodec"
    if metadata.entry_points(group="polycodec.codecs"):  # which the program cannot call
        from polycodec._command import run

        sys.exit(run(program, sys.argv[1:]))
    sys.stdout.flush()
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
