# SPDX-License-Identifier: MIT
"""The command polycodec: `python -m polycodec` and the script that pip makes run the program of the wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program: its exit status, signals and standard streams are those of this process."""
    program = Path(__file__).parent / "bin" / "polycodec"
    sys.stdout.flush()
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
