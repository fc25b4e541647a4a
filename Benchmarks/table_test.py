#!/usr/bin/env python3
"""The report over quick results: every loop in C finds its Swift counterpart, by the names both really use.

    Benchmarks/table_test.py
"""

import contextlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import table  # noqa: E402

SPREAD = {"turns": 500, "meanNanoseconds": 30_000, "p50Nanoseconds": 30_000, "p99Nanoseconds": 60_000,
          "p999Nanoseconds": 70_000,
          "longestNanoseconds": 90_000}


def swift_loops():
    """Names as `baton benchmark` writes them; `similarities-N` for each length."""
    source = (HERE.parent / "Sources/Services/Evaluation/Benchmark/BenchmarkLoops.swift").read_text()
    names = list(re.findall(r'name: "([\w-]+)"', source))
    lengths = re.search(r"\[([\d_, ]+)\]\.map \{ count in", source).group(1).replace("_", "").split(", ")
    return names + [f"similarities-{length}" for length in lengths]


def quick_results():
    engine = {"referenceMinutes": 10.0, "residentBytes": 7_000_000, "modelBytes": 17_000_000, "peakBytes": 24_000_000}
    for name in ("opening", "steady", "paced"):
        engine[name] = SPREAD
        engine[name + "CoreShare"] = 0.01
    return {"loops": [{"name": name, "work": "one turn", "spread": SPREAD} for name in swift_loops()],
            "engines": [engine],
            "budget": [{"name": "hop", "limit": "<= 10 ms", "measured": "1 ms", "isKept": True}]}


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class TableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        program = pathlib.Path(cls.folder.name, "inner-loop")
        subprocess.run(["cc", "-O1", "-o", program, HERE / "inner-loop.c", "-lm"], check=True)
        lines = subprocess.run([program, "10"], check=True, capture_output=True, text=True).stdout.splitlines()
        cls.c = [["x86-64", *line.split()] for line in lines]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_loop_in_c_stands_beside_a_swift_one(self):
        rows = table.beside(quick_results()["loops"], self.c)
        self.assertEqual(len(rows), 1 + len(self.c))
        self.assertEqual([row for row in rows if "-" in row[3:]], [])

    def test_the_whole_report_is_printed(self):
        swift, c = pathlib.Path(self.folder.name, "swift.json"), pathlib.Path(self.folder.name, "c.txt")
        swift.write_text(json.dumps(quick_results()))
        c.write_text("".join(" ".join(line) + "\n" for line in self.c))
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["table.py", str(swift), str(c)]), contextlib.redirect_stdout(said):
            table.main()
        for words in ("window-step", "similarities-54000", "10 min, in real time", "kept"):
            self.assertIn(words, said.getvalue())

    def test_a_loop_that_swift_does_not_time_is_shown_without_a_figure(self):
        rows = table.beside(quick_results()["loops"], [["x86-64", "new-loop", "rows", "1000"]])
        self.assertEqual(rows[1], ["new-loop", "rows", "x86-64", "-", "1.0", "-"])


if __name__ == "__main__":
    unittest.main()
