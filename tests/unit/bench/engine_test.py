# SPDX-License-Identifier: Apache-2.0
"""What bench/engine.py makes of its arguments and of what engines answer."""

import contextlib
import io
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import engine  # noqa: E402  (the path comes first)


class ArgumentsTest(unittest.TestCase):
    def refused(self, *arguments):
        with contextlib.redirect_stderr(io.StringIO()) as text, self.assertRaises(SystemExit) as ended:
            engine.arguments(["--bin", "/bin", *arguments])
        self.assertEqual(ended.exception.code, 2)
        return text.getvalue()

    def test_defaults(self):
        given = engine.arguments(["--bin", "/bin", "--classes", "/classes"])
        self.assertEqual((given.docs, given.seed, given.engines), (1_000_000, 1, ["souk", "lucene", "xapian"]))

    def test_bad_ones_are_named(self):
        self.assertIn("--docs", self.refused("--engines", "souk", "--docs", "999"))
        self.assertIn("--docs", self.refused("--engines", "souk", "--docs", "20000001"))
        self.assertIn("--seed", self.refused("--engines", "souk", "--seed", "-1"))
        self.assertIn("sphinx", self.refused("--engines", "souk,sphinx"))
        self.assertIn("souk,souk", self.refused("--engines", "souk,souk"))
        self.assertIn("--classes", self.refused("--engines", "souk,lucene"))


class StatisticsTest(unittest.TestCase):
    def test_ranks_are_nearest(self):
        self.assertEqual([engine.rank([7], share) for share in (0, 0.5, 0.99, 1)], [7] * 4)
        ten = list(range(1, 11))
        self.assertEqual([engine.rank(ten, share) for share in (0, 0.5, 0.9, 0.91, 1)], [1, 5, 9, 10, 10])

    def test_of_a_set(self):
        figures = engine.statistics([4000, 1000, 2000, 3000])
        self.assertEqual(figures["queries_per_second"], 400_000)
        self.assertEqual((figures["mean_us"], figures["p50_us"], figures["p99_us"], figures["max_us"]), (2.5, 2, 4, 4))

    def test_ratios_are_above_one_where_we_are_better(self):
        def an_engine(seconds, times):
            return {"build": {"seconds": seconds}, "sets": {each: engine.statistics(ns) for each, ns in times.items()}}

        ratios = engine.all_ratios({"corpus": {"documents": 100}, "engines": {
            "souk": an_engine(2, {"and": [1000, 3000], "and_quality": [1]}), "lucene": an_engine(5, {"and": [10_000, 10_000]})}})
        self.assertEqual(ratios["ratios"], {"lucene": {"and": 5}})
        self.assertAlmostEqual(ratios["p99_ratios"]["lucene"]["and"], 10 / 3)
        self.assertEqual(ratios["build_ratios"], {"lucene": 2.5})
        self.assertEqual(ratios["documents_per_second"], {"souk": 50, "lucene": 20})


class AgreementTest(unittest.TestCase):
    queries = ["red cat", "dog"]

    def problem(self, **counts):
        return engine.disagreement(counts, self.queries)

    def test_equal_counts_agree(self):
        self.assertIsNone(self.problem(**{"and": {"souk": ["3 0 0", "0 0 0"], "lucene": ["3 0 0", "0 0 0"]},
                                          "or": {"souk": ["9 0 0", "5 0 0"]}, "and_facets": {"souk": ["3 7 8", "0 0 0"]}}))

    def test_the_query_is_named(self):
        self.assertIn("'dog'", self.problem(**{"and": {"souk": ["3 0 0", "1 0 0"], "lucene": ["3 0 0", "0 0 0"]}}))

    def test_facets_count(self):
        self.assertIn("'red cat'", self.problem(and_facets={"souk": ["3 7 8", "0 0 0"], "lucene": ["3 7 9", "0 0 0"]}))

    def test_sets_that_match_the_same_must_agree(self):
        problem = self.problem(**{"and": {"souk": ["3 0 0", "1 0 0"]}, "and_price": {"souk": ["2 0 0", "1 0 0"]}})
        self.assertIn("and_price", problem)
        self.assertIn("'red cat'", problem)

    def test_an_answer_that_is_short_is_none(self):
        self.assertIn("lucene", self.problem(**{"and": {"souk": ["3 0 0", "1 0 0"], "lucene": ["3 0 0"]}}))


class RepliesTest(unittest.TestCase):
    def test_errors_are_told(self):
        with self.assertRaisesRegex(engine.BenchError, "xapian: no such set"):
            engine.parse_reply("xapian", '{"error":"no such set"}')
        with self.assertRaisesRegex(engine.BenchError, "lucene says 'Exception'"):
            engine.parse_reply("lucene", "Exception\n")

    def test_warm_is_when_passes_get_no_faster(self):
        class Warming:
            def __init__(self, times):
                self.times = times
                self.asked = 0

            def run(self, _each, _passes):
                self.asked += 1
                return [self.times[min(self.asked, len(self.times)) - 1]]

        slow = Warming([100, 80, 60, 40, 40])
        engine.warm(slow, "and")
        self.assertEqual(slow.asked, 6)
        steady = Warming([100])
        engine.warm(steady, "and")
        self.assertEqual(steady.asked, 3)


class ReportTest(unittest.TestCase):
    def test_quotes_what_newer_lucene_would_do_and_what_is_missed(self):
        result = {"ratios": {"lucene": {"and": 6.0, "or": 2.0}}, "p99_ratios": {"lucene": {"and": 5.0, "or": 4.5}},
                  "build_ratios": {"lucene": 1.5}}
        rows = engine.ratio_rows(result, "lucene")
        self.assertEqual(rows[1], ["and", "6.00", "≥ 5", "5.00", "≥ 4"])
        self.assertEqual(rows[2], ["or", "2.00", "≥ 4 missed", "4.50", "≥ 4"])
        self.assertEqual(rows[3][1:3], ["1.50", "≥ 2 missed"])
        self.assertIn("2.8", engine.LUCENE_NOTE)


if __name__ == "__main__":
    unittest.main()
