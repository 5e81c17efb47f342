# SPDX-License-Identifier: MIT
"""scripts/bench_report.py on results of known numbers. Usage: bench_report_test.py REPORT"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

REPORT = sys.argv.pop()


def run(benchmarks: object, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the report on one result."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "result.json"
        path.write_text(json.dumps({"context": {"executable": "./bin/bench_x"}, "benchmarks": benchmarks}))
        return subprocess.run([sys.executable, "-B", REPORT, *options, str(path)], capture_output=True, text=True, check=False)


def work(name: str, **numbers: float | str) -> dict[str, object]:
    """Returns a paired benchmark as the program writes it."""
    return {"name": name + "/iterations:9/manual_time", "run_name": name + "/iterations:9/manual_time",
            "run_type": "iteration", "ours_us": 500.0, "spread": 0.02, **numbers}


BOTH = work("<a>", label="other", peer_us=2000.0, of_peer=0.25, memcpy_us=100.0, memcpy_spread=0.01)


class Report(unittest.TestCase):
    """The table, the chart, the JSON and the warning."""

    def test_table(self) -> None:
        """Each paired work is a row; a missing peer is said, and the memory of whole processes."""
        whole = work("whole", label="other", peer_us=2000.0, of_peer=0.25, ours_mb=8.4, peer_mb=50.0)
        done = run([BOTH, work("alone"), whole, work("one", ours_mb=8.5), {"name": "plain", "run_type": "iteration", "real_time": 1}])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.splitlines()[0], r"^\d{4}-\d\d-\d\d, \S+, \d+ processors, .+, Linux \S+$")
        self.assertEqual(done.stdout.splitlines()[4:], [
            "| x: <a> | 500.00 us | other 2.00 ms | 100.00 us | 0.25 | 5.00 | 2% | - |",
            "| x: alone | 500.00 us | not present | - | - | - | 2% | - |",
            "| x: whole | 500.00 us | other 2.00 ms | - | 0.25 | - | 2% | 8 MB, peer 50 MB |",
            "| x: one | 500.00 us | not present | - | - | - | 2% | 8 MB |"])

    def test_files(self) -> None:
        """The chart is XML with a bar for each comparison, and the JSON has each row."""
        with tempfile.TemporaryDirectory() as directory:
            svg, out = f"{directory}/a.svg", f"{directory}/a.json"
            self.assertEqual(run([BOTH, work("alone")], "--svg", svg, "--json", out).returncode, 0)
            texts = [e.text for e in xml.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text")]
            self.assertEqual(texts[:2], ["x: <a>", "0.25"])
            self.assertEqual(len(texts), 3)
            report = json.loads(pathlib.Path(out).read_text())
            self.assertEqual([row["work"] for row in report["rows"]], ["x: <a>", "x: alone"])

    def test_page(self) -> None:
        """The part between the marks is replaced, and nothing else."""
        with tempfile.TemporaryDirectory() as directory:
            page = pathlib.Path(directory) / "page.md"
            page.write_text("# a\n<!-- measured -->\nold\n<!-- /measured -->\nb\n")
            for _ in range(2):
                self.assertEqual(run([BOTH], "--page", str(page)).returncode, 0)
                text = page.read_text()
                self.assertTrue(text.startswith("# a\n<!-- measured -->\n2"), text)
                self.assertTrue(text.endswith("(page.svg)\n<!-- /measured -->\nb\n"), text)
                self.assertEqual((text.count("| x: <a> |"), text.count("old")), (1, 0))
            self.assertTrue((pathlib.Path(directory) / "page.svg").exists())
            page.write_text("# a\n")
            self.assertIn("(no marks)", run([BOTH], "--page", str(page)).stderr)

    def test_noise(self) -> None:
        """A memcpy that varies by more than a tenth is reported."""
        self.assertIn("noisy machine (memcpy varies by 11%)", run([{**BOTH, "memcpy_spread": 0.11}]).stderr)
        self.assertEqual(run([{**BOTH, "memcpy_spread": 0.1}]).stderr, "")

    def test_wrong(self) -> None:
        """Benchmarks that failed, and other documents, are errors."""
        failed = run([{"name": "a", "error_occurred": True, "error_message": "other bytes"}])
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("benchmark 'a' failed (other bytes)", failed.stderr)
        self.assertIn("invalid result", run(7).stderr)


if __name__ == "__main__":
    unittest.main()
