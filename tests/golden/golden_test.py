# SPDX-License-Identifier: Apache-2.0
"""Queries over two small feeds and the answers that are right, as text files to be read by people.

A .test file holds blocks: comments (#), one query as CGI arguments (only & and = are percent-encoded), the expected answer indented
by four blanks. `golden_test.py --update` writes the answers anew; look at the difference before you commit it.
"""

import pathlib
import shutil
import sys
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cluster"))

from world import World  # noqa: E402  (the path comes first)


def pairs_of(query):
    return [tuple(urllib.parse.unquote(word) for word in part.split("=", 1)) for part in query.split("&")]


def shown_price(price):
    low, high = f"{price['min']:g}", f"{price['max']:g}"
    return (low if low == high else f"{low}..{high}") + " " + price["currency"]


def shown_own_price(item):
    own = item["offer_price"]
    return "" if own["currency"] == item["price"]["currency"] else f" ({own['value']:g} {own['currency']})"


def shown_delivery(delivery):
    """The ways with their cheapest options; nothing for what is brought at an unknown cost."""
    if delivery["ways"] == ["courier"] and "courier" not in delivery:
        return ""
    ways = []
    for way in delivery["ways"]:
        cost = delivery[way]["cost"] if way in delivery else None
        ways.append(way if cost is None else f"{way} free" if cost == 0 else f"{way} {cost:g} {delivery[way]['currency']}")
    return " | " + ", ".join(ways)


def shown(status, reply):
    """The answer without what differs from run to run: keys, times, generation."""
    if status != 200:
        return [f"{status} {reply['error']['code']}: {reply['error'].get('argument', '')}"]
    total = reply["total"]
    lines = [f"{total['offers']} offers, {total['models']} models; {' '.join(reply['query']['stages'])}".rstrip("; ")]
    for item in reply["items"]:
        stock = "" if item["in_stock"] else ", not in stock"
        price = shown_price(item["price"]) + shown_own_price(item)
        count = f"{item['offers']} in {item['shops']}{stock}"
        lines.append(f"- {item['title']} | {price} | {count}{shown_delivery(item['delivery'])}")
    for facet in reply["facets"]:
        if "values" in facet:
            counts = ", ".join(f"{v['value']} {v['offers']}/{v['models']}" for v in facet["values"])
            lines.append(f"{facet['name']}: {counts}")
        else:
            lines.append(f"{facet['name']}: {facet.get('min')}..{facet.get('max')}")
    return lines + [f"warning: {warning}" for warning in reply["warnings"]]


def run_file(path, ask):
    """The file's text with every answer as it is now."""
    out = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            continue
        out.append(line)
        if line and not line.startswith("#"):
            out += ["    " + each for each in shown(*ask(pairs_of(line)))]
    return "\n".join(out) + "\n"


class GoldenCase(unittest.TestCase):
    maxDiff = None
    folder = HERE  # of the .test files, and of a market.toml where the market is not the usual one
    feeds = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(shards=2)
        cls.addClassCleanup(cls.world.close)
        if (cls.folder / "market.toml").exists():
            shutil.copy(cls.folder / "market.toml", cls.world.data / "market.toml")
        cls.world.must_up(*cls.feeds)

    def ask(self, pairs):
        """Facets only where the query names some: the default ones would bury the rest."""
        if all(name != "facets" for name, _ in pairs):
            pairs = pairs + [("facets", "")]
        return self.world.get_pairs("/search", pairs)

    def check_answers(self):
        files = sorted(self.folder.glob("*.test"))
        self.assertGreater(len(files), 0)
        for path in files:
            with self.subTest(path.name):
                now = run_file(path, self.ask)
                if update:
                    path.write_text(now, encoding="utf-8")
                self.assertMultiLineEqual(path.read_text(encoding="utf-8"), now)


class GoldenTest(GoldenCase):
    feeds = (HERE / "feeds" / "north.yml", HERE / "feeds" / "south.yml")

    def test_answers(self):
        self.check_answers()


class RulesTest(GoldenCase):
    """Currencies, regions and delivery, places."""

    folder = HERE / "rules"
    feeds = (HERE / "feeds" / "north.yml", folder / "east.jsonl")

    def test_answers(self):
        self.check_answers()


update = "--update" in sys.argv

if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--update"]
    sys.exit(unittest.main())
