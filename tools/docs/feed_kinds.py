# SPDX-License-Identifier: Apache-2.0
"""The kinds of faults that indexer/feed/kinds.cpp explains, as tables of docs/feeds.md."""

import ast
import re

STRING = r'"(?:[^"\\]|\\.)*"'
TEXT = rf"((?:{STRING}\s*)+)"
ENTRY = re.compile(rf"^    (strict_only\()?(feed|offer|warning|repair)\(({STRING}),\s*{TEXT},\s*{TEXT}\)", re.M)
TITLES = {
    "feed": "The feed is refused",
    "offer": "An offer is left out",
    "warning": "Warnings: the offer is taken",
    "repair": "Repairs of a lenient reading, counted only",
}


def text_of(literals):
    """Adjacent C++ string literals without other escapes than those of Python."""
    return "".join(ast.literal_eval(each) for each in re.findall(STRING, literals))


def kinds(source):
    """(severity, name, English, Russian, whether a lenient reading makes a warning of it)."""
    found = [(m[2], text_of(m[3]), text_of(m[4]), text_of(m[5]), bool(m[1])) for m in ENTRY.finditer(source)]
    entries = re.findall(r"^    (?:strict_only\()?(?:feed|offer|warning|repair)\(", source, re.M)
    if len(found) != len(entries):
        raise SystemExit(f"kinds.cpp: {len(entries)} kinds, {len(found)} understood")
    return found


def page(intro, source, table):
    out = intro
    every = kinds(source)
    for severity, title in TITLES.items():
        rows = [(f"`{name}`" + (" \\*" if lenient else ""), english.replace("&", "&amp;"), russian.replace("&", "&amp;"))
                for each, name, english, russian, lenient in every if each == severity]
        out += f"\n### {title}\n{table(('kind', 'English', 'по-русски'), rows)}"
    return out + "\n\\* only a warning in a lenient reading.\n"
