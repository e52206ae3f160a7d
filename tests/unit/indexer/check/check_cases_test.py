#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `souk-indexer check --json` itself on every shared feed case, in both modes, and on what has no case.

Usage: check_cases_test.py SOUK_INDEXER. Without the shared cases those tests are skipped.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
CASES = pathlib.Path(os.environ.get("SOUK_SHARED", ROOT.parent / "shared")) / "cases" / "feeds"
PROGRAM = None
KEYS = ("feed", "feed_error", "warnings", "line", "date")


def check(path, *arguments):
    command = [PROGRAM, "check", *arguments, str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def as_expected(report, expect):
    """The parts of the report that the expectation names, in its form."""
    out = {key: report.get(key) for key in KEYS if key in expect}
    out["rejected"] = [{"id": each["id"], "error": each["error"]} for each in report["rejected"]]
    out["accepted"] = report["accepted"]
    if len(out["accepted"]) == len(expect["accepted"]):
        pairs = zip(report["accepted"], expect["accepted"], strict=True)
        out["accepted"] = [{key: offer.get(key) for key in wanted} for offer, wanted in pairs]
    return out


class Cases(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(CASES.is_dir(), f"the shared feed cases are not there: {CASES}")
    def test_every_case_in_both_modes(self):
        seen = 0
        for folder in sorted(path for path in CASES.iterdir() if path.is_dir()):
            expect = json.loads((folder / "expect.json").read_text(encoding="utf-8"))
            if "http" in expect:
                continue
            (feed,) = folder.glob("feed.*")
            limit = expect.get("config", {}).get("max_unpacked_bytes")
            more = [] if limit is None else ["--max-unpacked", str(limit)]
            for mode in ("strict", "lenient"):
                with self.subTest(case=folder.name, mode=mode):
                    wanted = expect["strict"] if expect[mode] == "same" else expect[mode]
                    done = check(feed, "--mode", mode, "--json", *more)
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(done.returncode, 0 if wanted["feed"] == "accepted" else 3)
                    self.assertEqual(as_expected(json.loads(done.stdout), wanted), wanted)
                    seen += 1
        self.assertGreater(seen, 0)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="souk-test-")
        self.addCleanup(self.folder.cleanup)

    def feed(self, text):
        path = pathlib.Path(self.folder.name) / "feed"
        path.write_text(text, encoding="utf-8")
        return path

    def test_people_get_kinds_and_lines(self):
        rows = ['{"id": "1", "name": "a", "price": "1", "currency": "RUB", "category": "x"}', "[1]", ""]
        done = check(self.feed("\n".join(rows)), "--mode", "strict")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("accepted (json-lines, strict)", done.stdout)
        self.assertIn("1 offers accepted, 1 rejected, 1 warnings", done.stdout)
        self.assertIn("1  bad_row: ", done.stdout)
        self.assertIn("line 2: bad_row: the line is not a JSON object", done.stdout)
        self.assertIn("line 1: offer 1: missing_url: ", done.stdout)

    def test_a_refused_feed_is_code_3(self):
        done = check(self.feed("<html>"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("refused (unknown, strict): not_a_feed in line 1: ", done.stdout)

    def test_what_is_not_there_is_said(self):
        done = check(pathlib.Path(self.folder.name) / "none", "--json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["feed_error"], "unreadable")
        self.assertEqual(check("x", "--mode", "kind").returncode, 1)

    def test_many_offers_need_no_memory(self):
        row = '{{"id": "{}", "name": "a lamp of some kind", "price": 12.5, "currency": "RUB", "category": "x > y"}}\n'
        path = self.feed("".join(row.format(i) for i in range(50_000)))
        out = pathlib.Path(self.folder.name) / "out"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        with open(out, "wb") as file:
            own = os.environ | {"TMPDIR": self.folder.name}
            subprocess.run([PROGRAM, "check", "--json", str(path)], stdout=file, timeout=60, check=True, env=own)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertEqual(len(json.loads(out.read_bytes())["accepted"]), 50_000)
        if b"__asan_init" not in pathlib.Path(PROGRAM).read_bytes():  # which keeps what is freed
            self.assertLess(peak, max(before, 256 * 1024))  # KiB
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["feed", "out"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
