# SPDX-License-Identifier: MIT
"""The command ``python -m polycodec.dask``: conversion of many files on a cluster, from a shell."""

from __future__ import annotations

import argparse
import json
import sys

from distributed import Client

from polycodec._errors import PolycodecError
from polycodec.dask._convert import convert

_DESCRIPTION = """Converts files on a cluster of dask.distributed. Files and DIR must have the same paths on all workers.
Example: python -m polycodec.dask --scheduler tcp://head:8786 --to msgpack-ndarray --out converted 'meshes/**/*.ply'
Exit status: 0 done, 1 some files failed, or the run ended early: run the command again."""


def main() -> int:
    """Runs the command and returns its exit status."""
    parser = argparse.ArgumentParser(
        "python -m polycodec.dask", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a path, a pattern (** descends), a directory or a URL")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of the scheduler (default: a cluster of this machine)"
    )
    parser.add_argument("--to", required=True, metavar="NAME", help="codec of the outputs")
    parser.add_argument("--out", required=True, metavar="DIR", help="directory or URL for the outputs")
    parser.add_argument("--columns", metavar="PATHS", help="read these members alone, such as vertex.x,vertex.y")
    parser.add_argument("--select", metavar="PATH", help="write the part at this path, such as vertex")
    parser.add_argument("--options", type=json.loads, metavar="JSON", help="options of the codec")
    parser.add_argument("--lossy", action="store_true", help="omit what the codec cannot store, and record it")
    parser.add_argument("--limits", type=json.loads, metavar="JSON", help='limits, such as {"max_depth": 64}')
    parser.add_argument("--isolate", metavar="MODE", help="where plugins run: auto, in-process or process")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads for each file (default: 1)")
    parser.add_argument(
        "--retries", type=int, default=2, metavar="N", help="retries after an error or a death (default: 2)"
    )
    parser.add_argument("--batch", type=int, metavar="N", help="files a task (default: by files and threads)")
    parser.add_argument("--report", metavar="FILE", help="report (default: polycodec-report.jsonl in DIR)")
    parser.add_argument("--quiet", action="store_true", help="print no progress and no summary")
    given = parser.parse_args()
    try:
        with Client(given.scheduler) as client:
            report = convert(
                given.files[0] if len(given.files) == 1 else given.files,
                to=given.to,
                out=given.out,
                columns=[x if x.startswith("$") else f"$.{x}" for x in given.columns.split(",")] if given.columns else None,
                select=given.select,
                client=client,
                report=given.report,
                progress=False if given.quiet else None,
                batch=given.batch,
                registry={"isolation": given.isolate} if given.isolate else None,
                options=given.options,
                lossy=given.lossy,
                limits=given.limits,
                threads=given.threads,
                retries=given.retries,
            )
    except (PolycodecError, OSError) as error:
        print(f"polycodec.dask: {error}", file=sys.stderr)
        return 1
    if not given.quiet:
        print(report)
    return 1 if report.count("failed") else 0


if __name__ == "__main__":
    sys.exit(main())
