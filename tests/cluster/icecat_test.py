# SPDX-License-Identifier: Apache-2.0
"""Five shops of real products (shared/data/icecat beside the repository, not part of it): skipped where they are not."""

import pathlib
import sys
import unittest

import counts
from world import ROOT, World

FEEDS = ROOT.parent / "shared" / "data" / "icecat"


class IcecatTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        files = {path.name.split(".")[0]: path for path in sorted(pathlib.Path(FEEDS).glob("shop-*.yml.gz"))}
        cls.world.must_up(*files.values())
        cls.offers = counts.read_accepted(cls.world, files)

    def test_totals_equal_an_independent_count(self):
        counts.check_totals(self, self.world, self.offers)
        counts.check_facets(self, self.world, self.offers)

    def test_wireless_mouse_gives_mice(self):
        reply = self.world.search(text="wireless mouse")
        self.assertTrue(reply["complete"])
        self.assertTrue(reply["generation"])
        self.assertGreaterEqual(len(reply["items"]), 10)
        for item in reply["items"]:
            self.assertIn("mouse", item["title"].lower())
            self.assertGreater(item["price"]["min"], 0)
            self.assertGreaterEqual(item["shops"], 1)
            self.assertTrue(item["url"].startswith("https://"))


if __name__ == "__main__":
    if not FEEDS.is_dir():
        print(f"skipped: {FEEDS} is not there")
        sys.exit(77)
    sys.exit(unittest.main())
