# SPDX-License-Identifier: Apache-2.0
"""Queries over two small feeds and the answers that are right, as text files to be read by people.

A .test file holds blocks: comments (#), one query as CGI arguments (only & and = are percent-encoded), the expected answer indented
by four blanks. `golden_test.py --update` writes the answers anew; look at the difference before you commit it.
"""

import pathlib
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


def shown(status, reply):
    """The answer without what differs from run to run: keys, times, generation."""
    if status != 200:
        return [f"{status} {reply['error']['code']}: {reply['error'].get('argument', '')}"]
    total = reply["total"]
    lines = [f"{total['offers']} offers, {total['models']} models; {' '.join(reply['query']['stages'])}".rstrip("; ")]
    for item in reply["items"]:
        stock = "" if item["in_stock"] else ", not in stock"
        lines.append(f"- {item['title']} | {shown_price(item['price'])} | {item['offers']} in {item['shops']}{stock}")
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


class GoldenTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.world = World(shards=2)
        cls.addClassCleanup(cls.world.close)
        cls.world.must_up(HERE / "feeds" / "north.yml", HERE / "feeds" / "south.yml")

    def ask(self, pairs):
        """Facets only where the query names some: the default ones would bury the rest."""
        if all(name != "facets" for name, _ in pairs):
            pairs = pairs + [("facets", "")]
        return self.world.get_pairs("/search", pairs)

    def test_answers(self):
        files = sorted(HERE.glob("*.test"))
        self.assertGreater(len(files), 0)
        for path in files:
            with self.subTest(path.name):
                now = run_file(path, self.ask)
                if update:
                    path.write_text(now, encoding="utf-8")
                self.assertMultiLineEqual(path.read_text(encoding="utf-8"), now)


update = "--update" in sys.argv

if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--update"]
    sys.exit(unittest.main())
