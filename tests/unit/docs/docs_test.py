# SPDX-License-Identifier: Apache-2.0
"""What docs/ says against the sources it speaks of."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools" / "docs")]

import agent_check  # noqa: E402  (the path comes first)
import config_source  # noqa: E402
import gen_docs  # noqa: E402
import openapi  # noqa: E402

LINK = re.compile(r"\[[^\]\n]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


class ApiTest(unittest.TestCase):
    def test_the_arguments_are_those_that_the_code_takes(self):
        code = source("meta/understand/parameters.cpp")
        taken = set(re.findall(r'\bname == "([a-z_]+)"', code))
        if 'starts_with("param.")' in code:
            taken.add("param.NAME")
        search = openapi.load()["paths"]["/search"]["get"]["parameters"]
        self.assertEqual({each["name"] for each in search}, taken)

    def test_the_error_codes_are_those_of_the_code(self):
        labels = re.findall(r'\{"([a-z_]+)", \d+\}', source("core/base/error.cpp"))
        error = openapi.load()["components"]["schemas"]["Error"]
        self.assertEqual(error["properties"]["error"]["properties"]["code"]["enum"], labels)

    def test_every_field_and_argument_is_explained(self):
        document = openapi.load()
        for path, methods in document["paths"].items():
            operation = methods["get"]
            self.assertEqual([each["name"] for each in operation["parameters"] if not each.get("description")], [], path)
            for content in operation["responses"]["200"]["content"].values():
                fields = openapi.properties(content["schema"])
                unexplained = [name for name, each in fields.items() if "description" not in each and "properties" not in each]
                self.assertEqual(unexplained, [], path)


class ConfigTest(unittest.TestCase):
    """The reader of runtime/config is not fooled: a key more, a key less, another bound."""

    def keys(self, change=lambda text: text):
        return config_source.keys_of(change(source("runtime/config/topology.cpp")), source("runtime/config/topology.h"))

    def test_a_new_key_is_seen(self):
        added = self.keys(lambda text: text.replace(
            'node.cluster = table.text("cluster");', 'node.cluster = table.text("cluster");\n    table.text_or("colour", "");'))
        self.assertEqual(added["[[nodes]]"].keys() - self.keys()["[[nodes]]"].keys(), {"colour"})
        with self.assertRaisesRegex(SystemExit, "'colour' is in the code and not in config_keys.toml"):
            gen_docs.check_keys("topology", {name: dict.fromkeys(keys, {"type": ""}) for name, keys in self.keys().items()}, added)

    def test_a_key_that_is_gone_is_missed(self):
        fewer = self.keys(lambda text: re.sub(r".*\"search_queue\".*\n", "", text))
        with self.assertRaisesRegex(SystemExit, "'search_queue' is in config_keys.toml and not in the code"):
            gen_docs.check_keys("topology", {name: dict.fromkeys(keys, {}) for name, keys in self.keys().items()}, fewer)

    def test_bounds_and_defaults_come_from_the_code(self):
        limits = self.keys()["[limits]"]
        key = limits["query_deadline_ms"]
        self.assertEqual((key.least, key.most, key.default), ("10", "60,000", "1,000"))
        self.assertEqual({each.number for each in limits.values()}, {True})

    def test_the_launchers_market_is_the_documented_default(self):
        """market.toml says of itself that its values are the defaults."""
        import tomllib
        market = tomllib.loads(source("market.toml"))
        fields = config_source.field_names(source("runtime/config/market.cpp"))
        self.assertEqual({name: (str(each["weight"]), str(each["b"])) for name, each in market["fields"].items()}, fields)


class PagesTest(unittest.TestCase):
    def test_links_lead_somewhere(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout
        broken = []
        for name in listed.split():
            for target in LINK.findall(source(name)):
                if "://" not in target and not ((ROOT / name).parent / target).exists():
                    broken.append(f"{name}: {target}")
        self.assertEqual(broken, [])

    def test_metrics_that_pages_speak_of_are_there(self):
        known = {line.split("\t")[1] for line in source("tests/golden/metrics.txt").splitlines() if "\t" in line}
        for page in ("docs/operations.md", "docs/agent-check.md"):
            self.assertEqual(set(re.findall(r"\bsouk_[a-z_]+", source(page))) - known, set(), page)

    def test_the_agent_check_page_has_the_codes_formula(self):
        formula = agent_check.formula(source("meta/health/agent_weight.cpp"))
        self.assertEqual([formula.weight(load) for load in (0, 0.5, 1)], [100, 75, 1])


if __name__ == "__main__":
    sys.exit(unittest.main())
