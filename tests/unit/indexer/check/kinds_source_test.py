# SPDX-License-Identifier: Apache-2.0
"""Every kind of fault that the indexer's sources name is explained in indexer/feed/kinds.cpp, and none beside."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import feed_kinds  # noqa: E402  (the path comes first)

FOLDERS = ("feed", "input", "sandbox", "fetch")
# How a kind is named: an argument of these, or the first text of a braced fault.
CALLS = r"(?:reject|warn|excuse|refuse|repair|unexpected|failed|fail_with)"
NAMED = re.compile(rf'\b{CALLS}\(\s*"([a-z]+(?:_[a-z]+)*)"|\b(?:error|feed_error|fault)_? = \{{\s*"([a-z_]+)"|, \{{\}},\s*"([a-z_]+)"')
ELSEWHERE = {"http_NNN", "no_rate"}  # made of a number; of the market


class KindsTest(unittest.TestCase):
    def test_sources_and_table_agree(self):
        explained = {name for _, name, *_ in feed_kinds.kinds((ROOT / "indexer/feed/kinds.cpp").read_text(encoding="utf-8"))}
        named, literals = {}, set()
        for folder in FOLDERS:
            for path in sorted((ROOT / "indexer" / folder).glob("*.cpp")):
                if path.name == "kinds.cpp":
                    continue
                text = path.read_text(encoding="utf-8")
                literals.update(re.findall(r'"([a-z_]+)"', text))
                for match in NAMED.finditer(text):
                    named.setdefault(next(filter(None, match.groups())), path.name)
        self.assertGreater(len(named), 50)
        self.assertEqual({kind: file for kind, file in named.items() if kind not in explained}, {})
        self.assertEqual(explained - literals - ELSEWHERE, set())


if __name__ == "__main__":
    unittest.main()
