# SPDX-License-Identifier: MIT
"""python -m polycodec.dask, which stops at given numbers of records.

Usage: stepped_convert.py SCHEDULER WORKERS N,N,... ARGUMENT...
It waits for some workers first. At each number it prints the number, and waits for a line from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from distributed import Client

from polycodec.dask import __main__ as command
from polycodec.dask._journal import Journal


def main() -> int:
    address, workers, steps = sys.argv[1:4]
    with Client(address, timeout=300) as client:
        client.wait_for_workers(int(workers), timeout=300)
    left = [int(x) for x in steps.split(",") if x]
    seen = 0
    add = Journal.add

    def counting(journal: Journal, records: Iterable[dict[str, Any]]) -> None:
        nonlocal seen
        added = list(records)
        add(journal, added)
        seen += len(added)
        if left and seen >= left[0]:
            print(left.pop(0), flush=True)
            sys.stdin.readline()

    Journal.add = counting  # type: ignore[method-assign]
    sys.argv = ["polycodec.dask", "--scheduler", address, *sys.argv[4:]]
    return command.main()


if __name__ == "__main__":
    sys.exit(main())
