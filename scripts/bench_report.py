#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one report of paired benchmarks: a table, JSON and a chart.

Usage: scripts/bench_report.py [--json FILE] [--svg FILE] [--page FILE] RESULT...

RESULT is the JSON of a benchmark program (--benchmark_out). The table goes to standard output. Benchmarks that are not
paired (tests/bench/paired.hpp) are left out. The label of a benchmark names its peer. A machine whose memcpy varies by
more than a tenth is reported as noisy. --page puts machine, date and table between the marks of a page, and the chart
beside the page.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import sys
from html import escape

NOISY = 0.1
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


@dataclasses.dataclass
class Row:
    """One work: medians in microseconds, ratios of each round, spreads as parts of the median, peaks of memory in MB."""

    work: str
    ours_us: float
    peer: str
    peer_us: float | None
    limit_us: float | None
    ratio: float | None
    spread: float
    limit_spread: float | None
    ours_mb: float | None
    peer_mb: float | None


def rows_of(path: pathlib.Path) -> list[Row]:
    """Returns the paired benchmarks of one result."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        program = pathlib.Path(str(result["context"]["executable"])).name.removeprefix("bench_")
        rows = []
        for one in result["benchmarks"]:
            if one.get("error_occurred"):
                raise ValueError(f"benchmark '{one['name']}' failed ({one.get('error_message', '')})")
            if one.get("run_type", "iteration") != "iteration" or "ours_us" not in one:
                continue
            number = {key: float(one[key]) for key in one if isinstance(one[key], (int, float))}
            rows.append(Row(
                work=f"{program}: {one.get('run_name', one['name']).split('/iterations:')[0].split('/manual_time')[0]}",
                ours_us=number["ours_us"], peer=str(one.get("label", "")), peer_us=number.get("peer_us"),
                limit_us=number.get("memcpy_us"),
                ratio=number.get("of_peer"), spread=number["spread"], limit_spread=number.get("memcpy_spread"),
                ours_mb=number.get("ours_mb"), peer_mb=number.get("peer_mb")))
        return rows
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise SystemExit(f"bench_report.py: invalid result '{path}' ({problem}): must be the JSON of a benchmark "
                         "program; run it again") from problem


def time(us: float | None, missing: str = "not present") -> str:
    """Returns a time with its unit, or a dash without one."""
    if us is None:
        return missing
    return f"{us / 1000:.2f} ms" if us >= 1000 else f"{us:.2f} us"


def memory(row: Row) -> str:
    """Returns the peaks of memory of whole processes."""
    peaks = [f"{name}{peak:.0f} MB" for name, peak in (("", row.ours_mb), ("peer ", row.peer_mb)) if peak is not None]
    return ", ".join(peaks) or "-"


def table(rows: list[Row]) -> str:
    """Returns the report as a table of Markdown."""
    lines = ["| work | ours | peer | memcpy | ours / peer | ours / memcpy | spread | peak memory |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        of_peer = "-" if row.ratio is None else f"{row.ratio:.2f}"
        of_limit = f"{row.ours_us / row.limit_us:.2f}" if row.limit_us else "-"
        peer = " ".join(part for part in (row.peer, time(row.peer_us)) if part)
        lines.append(f"| {row.work} | {time(row.ours_us)} | {peer} | {time(row.limit_us, '-')} | {of_peer} "
                     f"| {of_limit} | {row.spread:.0%} | {memory(row)} |")
    return "\n".join(lines)


def chart(rows: list[Row]) -> str:
    """Returns a chart of the times of ours, as parts of those of the peers."""
    compared = [(row.work, row.ratio) for row in rows if row.ratio is not None]
    widest = max([1.0, *(ratio for _, ratio in compared)])
    scale = 360 / widest
    height = 24 * len(compared) + 40
    size = f'width="760" height="{height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
             "<title>Time of ours as a part of the time of the peer</title>",
             f'<rect {size} fill="#ffffff"/>']
    for i, (work, ratio) in enumerate(compared):
        y = 24 * i + 10
        parts.append(f'<text x="290" y="{y + 13}" text-anchor="end">{escape(work)}</text>')
        parts.append(f'<rect x="300" y="{y}" width="{ratio * scale:.1f}" height="18" '
                     f'fill="{"#2a6f97" if ratio <= 1 else "#b5651d"}"/>')
        parts.append(f'<text x="{305 + ratio * scale:.1f}" y="{y + 13}">{ratio:.2f}</text>')
    one = 300 + scale
    parts.append(f'<line x1="{one:.1f}" y1="4" x2="{one:.1f}" y2="{height - 24}" stroke="#000000"/>')
    parts.append(f'<text x="{one:.1f}" y="{height - 8}" text-anchor="middle">1: as fast as the peer</text></svg>')
    return "\n".join(parts) + "\n"


def machine() -> str:
    """Returns the date and what was measured on."""
    try:
        models = re.findall(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    except OSError:
        models = []
    processors = len(os.sched_getaffinity(0))
    return (f"{datetime.datetime.now(datetime.timezone.utc):%F}, {platform.machine()}, {processors} processors, "
            f"{models[0] if models else 'unknown model'}, Linux {platform.release()}")


def write_page(path: pathlib.Path, rows: list[Row], head: str) -> None:
    """Replaces what was measured before in a page, and the chart beside it."""
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"bench_report.py: invalid page '{path}' (no marks): must have one line '{BEGIN}' and one "
                         f"'{END}'; add them where the table belongs")
    chart_path = path.with_suffix(".svg")
    chart_path.write_text(chart(rows), encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n{head}.\n\n{table(rows)}\n\n![Our times as parts of the times of the peers]"
                    f"({chart_path.name})\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Reads the results and writes the report."""
    parser = argparse.ArgumentParser(description="Make one report of paired benchmarks")
    parser.add_argument("--json", type=pathlib.Path, help="write the rows to FILE", metavar="FILE")
    parser.add_argument("--svg", type=pathlib.Path, help="write the chart to FILE", metavar="FILE")
    parser.add_argument("--page", type=pathlib.Path, help="put the table into the page FILE", metavar="FILE")
    parser.add_argument("results", nargs="+", type=pathlib.Path, metavar="RESULT")
    given = parser.parse_args()
    rows = [row for path in given.results for row in rows_of(path)]
    head = machine()
    print(f"{head}\n\n{table(rows)}")
    noise = sorted(row.limit_spread for row in rows if row.limit_spread is not None)
    middle = noise[len(noise) // 2] if noise else None
    if middle is not None and middle > NOISY:
        print(f"bench_report.py: noisy machine (memcpy varies by {middle:.0%}): must be at most {NOISY:.0%}; "
              "repeat the run when the machine is idle", file=sys.stderr)
    if given.json:
        report = {"machine": head, "noise": middle, "rows": [dataclasses.asdict(row) for row in rows]}
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if given.svg:
        given.svg.write_text(chart(rows), encoding="utf-8")
    if given.page:
        write_page(given.page, rows, head)
    return 0


if __name__ == "__main__":
    sys.exit(main())
