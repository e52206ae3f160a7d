# SPDX-License-Identifier: Apache-2.0
"""docs/openapi.yaml against live answers, both ways: what is served is documented, what is documented is served."""

import http.client
import json
import os
import shutil
import signal
import sys
import unittest
import urllib.parse

import jsonschema
from world import ROOT, World, wait_for

sys.path.insert(0, str(ROOT / "tools" / "docs"))

import openapi  # noqa: E402  (the path comes first)

API = openapi.load()
GOLDEN = ROOT / "tests" / "golden"
FEEDS = [GOLDEN / "feeds" / "north.yml", GOLDEN / "feeds" / "south.yml", GOLDEN / "rules" / "east.jsonl"]
# What a test cannot bring about at will; the unit tests of the meta layer do.
NOT_PROVOKED = {"429", "504"}
OPEN = {"flags"}  # names of flags are not fields


def operation(path):
    return API["paths"][path]["get"]


def arguments(path):
    return {each["name"]: each for each in operation(path)["parameters"] if each["in"] == "query"}


def fields_of(value, path=""):
    """Every field of an answer, written as properties() writes them."""
    found = set()
    if isinstance(value, dict):
        for name, child in value.items():
            found.add(f"{path}{name}")
            found |= fields_of(child, f"{path}{name}.")
    elif isinstance(value, list):
        for child in value:
            found |= fields_of(child, path.removesuffix(".") + "[].")
    return found


def complaints(schema, value):
    """What is wrong with an answer, one line each."""
    validator = jsonschema.Draft4Validator(schema)
    return [f"{'/'.join(map(str, error.path))}: {error.message[:300]}" for error in validator.iter_errors(value)]


class ApiTest(unittest.TestCase):
    """Two shards behind a balancer. Every answer is checked by ask(); the last test looks at what they showed."""

    @classmethod
    def setUpClass(cls):
        cls.world = World(shards=2)
        cls.addClassCleanup(cls.world.close)
        shutil.copy(GOLDEN / "rules" / "market.toml", cls.world.data / "market.toml")
        cls.world.must_up(*FEEDS)
        cls.seen = {path: {} for path in API["paths"]}  # path -> status -> fields
        cls.model = cls.world.search(text="злой кот с пищалкой")["items"][0]["key"]
        cls.offer = cls.world.search(text="злой кот с пищалкой")["items"][0]["offer_key"]

    def ask(self, path, pairs=(), key=None, method="GET", port=None):
        """(status, body), the answer being as documented for this path and status."""
        target = path.replace("{key}", key or "")
        if pairs:
            target += "?" + urllib.parse.urlencode(pairs)
        connection = http.client.HTTPConnection("127.0.0.1", port or self.world.node_port(1), timeout=30)
        self.addCleanup(connection.close)
        connection.request(method, target)
        reply = connection.getresponse()
        body = reply.read().decode()
        documented = operation(path)["responses"]
        target = target[:200]  # in messages
        if str(reply.status) not in documented:
            self.fail(f"{target}: {reply.status} is not documented: {body[:300]}")
        answer = documented[str(reply.status)]
        (kind, content), = answer["content"].items()
        self.assertEqual(reply.headers.get_content_type(), kind, target)
        value = json.loads(body) if kind == "application/json" else body
        self.assertEqual(complaints(content["schema"], value), [], target)
        for name, header in answer.get("headers", {}).items():
            self.assertEqual(complaints(header["schema"], reply.headers[name]), [], f"{target}: {name}")
        self.seen[path].setdefault(str(reply.status), set()).update(fields_of(value))
        return reply.status, value

    def ok(self, path, pairs=(), **options):
        pairs = list(pairs)
        if path == "/offers" and "model" not in dict(pairs):
            pairs.append(("model", self.model))
        status, body = self.ask(path, pairs, **options)
        self.assertEqual(status, 200, f"{path} {str(pairs)[:200]}: {body}")
        return body

    def refused(self, path, pairs, argument):
        pairs = list(pairs)
        if path == "/offers" and argument != "model":
            pairs.append(("model", self.model))
        status, body = self.ask(path, pairs)
        self.assertEqual(status, 400, f"{path} {str(pairs)[:200]}: {body}")
        self.assertEqual(body["error"]["argument"], argument)

    def example(self, path, argument):
        """A value that is taken without a warning, of an argument that stands alone."""
        if argument["name"] == "cursor":
            return self.ok(path, [("per_page", "1")])["next_cursor"]
        return {"model": self.model, "shop": "Север"}.get(argument["name"], argument["example"])

    def name_of(self, argument):
        return argument["name"].replace("NAME", "цвет")

    def test_a_no_answer_may_hold_a_field_that_is_not_documented(self):
        for path in API["paths"]:
            for status, answer in operation(path)["responses"].items():
                for content in answer["content"].values():
                    self.assertEqual(set(openapi.open_objects(content["schema"])) - OPEN, set(), f"{path} {status}")

    def test_b_every_argument_is_taken(self):
        for path in ("/search", "/offers"):
            for argument in arguments(path).values():
                with self.subTest(path=path, argument=argument["name"]):
                    body = self.ok(path, [(self.name_of(argument), self.example(path, argument))])
                    self.assertEqual(body["warnings"], [])
        together = [(self.name_of(each), self.example("/search", each)) for each in arguments("/search").values()
                    if each["name"] not in ("totals", "cursor")]
        self.assertEqual(self.ok("/search", together)["warnings"], [])
        self.refused("/search", [*together, ("totals", "at_least")], "totals")
        self.refused("/search", [*together, ("cursor", "x")], "page")
        self.refused("/search", [("debug", "1"), ("per_page", "100"), ("page", "11")], "debug")

    def test_c_an_argument_that_is_not_documented_is_warned_of(self):
        known = arguments("/search")
        for name in ("colour", "Text", "limit", "offset", "city", "user", "params.x", "param", "offer"):
            self.assertNotIn(name, known)
            warnings = self.ok("/search", [(name, "1")])["warnings"]
            self.assertEqual(len(warnings), 1, warnings)
            self.assertIn(name, warnings[0])

    def test_d_bounds_are_as_documented(self):
        for path in ("/search", "/offers"):
            for argument in arguments(path).values():
                with self.subTest(path=path, argument=argument["name"]):
                    self.check_bounds(path, argument["name"].replace("NAME", "a"), argument["schema"])

    def check_bounds(self, path, name, schema):
        for value in schema.get("enum", ()):
            self.ok(path, [(name, value)])
        if "enum" in schema:
            self.refused(path, [(name, "nonsense")], name)
        if "minimum" in schema:
            self.refused(path, [(name, schema["minimum"] - 1)], name)
            self.ok(path, [(name, schema["minimum"])])
        if "maximum" in schema:
            other = [("per_page", 1)] if name == "page" else []
            self.ok(path, [(name, schema["maximum"]), *other])
            self.refused(path, [(name, schema["maximum"] + 1), *other], name)
        if "maxLength" in schema:
            self.ok(path, [(name, "x" * schema["maxLength"])])
            self.refused(path, [(name, "x" * (schema["maxLength"] + 1))], name)
        if "maxItems" in schema:
            values = [f"param.{i}" if name == "facets" else f"{i}" for i in range(schema["maxItems"] + 1)]
            words = schema["items"].get("enum")
            if words:
                values = [*words, words[0]]
                self.refused(path, [(name, "nonsense")], name)
            self.ok(path, [(name, value) for value in values[:-1]])
            self.refused(path, [(name, value) for value in values], name)
        elif schema["type"] != "array":
            value = {"string": "1", "number": "1", "integer": "1"}[schema["type"]]
            value = schema.get("enum", [{"model": self.model, "cursor": "x"}.get(name, value)])[0]
            self.refused(path, [(name, value), (name, value)], name)
        if "pattern" in schema:
            for value in ("0", "x", "-1", "1" * 20):
                self.refused(path, [(name, value)], name)

    def test_e_defaults_are_as_documented(self):
        for argument in arguments("/search").values():
            default = argument["schema"].get("default")
            if default is None:
                continue
            with self.subTest(argument=argument["name"]):
                plain = self.ok("/search", [("text", "кот")])
                given = self.ok("/search", [("text", "кот"), (argument["name"], default)])
                for varying in ("request_id", "took_ms"):
                    del plain[varying], given[varying]
                self.assertEqual(plain, given)

    def test_f_every_kind_of_page(self):
        for pairs in ([], [("text", "нетничего")], [("text", "громко пищит")], [("group", "offer"), ("debug", "1")],
                      [("text", "злой кот"), ("debug", "1")], [("facets", "")], [("vendor", "нет такого")],
                      [("facets", "price"), ("price_from", "9999999")], [("per_page", "1"), ("page", "9999")],
                      [("text", '"злой кот" пищ* "'), ("match", "2"), ("debug", "1")],
                      [("text", "кот пёс"), ("match", "any"), ("totals", "at_least"), ("per_page", "1")]):
            self.ok("/search", pairs)
            self.ok("/search", pairs, port=self.world.port)
            self.ok("/offers", pairs)

    def test_f_pages_by_cursor_are_the_pages_by_number(self):
        for path in ("/search", "/offers"):
            for pairs in ([("group", "offer")], [("sort", "price")], [("text", "кот*"), ("match", "any"), ("facets", "")]):
                pairs = [*pairs, ("per_page", "1" if path == "/offers" else "2")]
                page, number = self.ok(path, pairs), 1
                self.assertIsNotNone(page["next_cursor"])
                while page["next_cursor"]:
                    number += 1
                    page = self.ok(path, [*pairs, ("cursor", page["next_cursor"])], port=self.world.port)
                    numbered = self.ok(path, [*pairs, ("page", number)])
                    self.assertNotIn("page", page)
                    for part in ("result_digest", "items", "total", "facets", "next_cursor"):
                        self.assertEqual(page[part], numbered[part], (path, pairs, number, part))
                self.assertEqual(self.ok(path, [*pairs, ("page", number + 1)])["items"], [])

    def test_f_a_cursor_of_another_query_is_refused(self):
        cursor = self.ok("/search", [("per_page", "1"), ("sort", "price")])["next_cursor"]
        for pairs in ([], [("sort", "newest")], [("sort", "price"), ("vendor", "Котофей")]):
            self.refused("/search", [*pairs, ("cursor", cursor)], "cursor")
        self.ok("/search", [("sort", "price"), ("cursor", cursor), ("facets", "vendor"), ("per_page", "7")])

    def test_g_an_offer_whole(self):
        for item in self.ok("/search", [("group", "offer"), ("per_page", "100")])["items"]:
            self.assertEqual(self.ok("/offer/{key}", key=item["offer_key"])["offer"]["key"], item["offer_key"])

    def test_h_what_is_not_there(self):
        missing = str((int(self.offer) & ~((1 << 36) - 1)) | ((1 << 36) - 1))  # a local id that nobody has
        for key, status, code in ((missing, 410, "gone"), (self.model, 404, "not_found"), ("x", 400, "invalid_argument")):
            answered, body = self.ask("/offer/{key}", key=key)
            self.assertEqual((answered, body["error"]["code"]), (status, code), key)
        self.refused("/offers", [], "model")
        status, body = self.world.get("/nothing", self.world.node_port(1))
        self.assertEqual((status, body["error"]["code"]), (404, "not_found"))

    def test_i_other_methods_are_refused(self):
        for path in ("/search", "/offers", "/offer/{key}"):
            for method in ("POST", "PUT", "DELETE"):
                self.assertEqual(self.ask(path, key=self.offer, method=method)[0], 405)

    def test_j_ping(self):
        self.assertEqual(self.ask("/ping")[0], 200)
        self.assertEqual(self.ask("/ping", [("level", "any")])[0], 200)

    def kill(self, name):
        os.kill(self.world.pids()[name], signal.SIGKILL)

    def test_x_without_a_shard(self):
        """From here on the world is broken step by step, so the names of these tests come last."""
        victim = self.ok("/search", [("model", self.model), ("debug", "1")])["debug"]["shards"][0]["shard"]
        self.kill(f"node-{victim}")
        port = self.world.node_port(3 - victim)
        body = self.ok("/search", [("debug", "1")], port=port)
        self.assertEqual((body["complete"], body["coverage"]["missing"]), (False, [victim]))
        self.assertEqual(self.ask("/offers", [("model", self.model)], port=port)[0], 503)
        wait_for(lambda: self.ask("/ping", port=port)[0] == 503)
        self.assertEqual(self.ask("/ping", [("level", "any")], port=port)[0], 200)
        self.kill("snippet-1")
        self.assertEqual(self.ask("/search", port=port)[0], 503)
        self.assertEqual(self.ask("/offer/{key}", key=self.offer, port=port)[0], 503)

    def test_z_everything_documented_was_seen(self):
        for path in API["paths"]:
            responses = operation(path)["responses"]
            self.assertEqual(set(responses) - set(self.seen[path]), NOT_PROVOKED & set(responses), path)
        pages = self.seen["/search"]["200"] | self.seen["/offers"]["200"]
        page = operation("/search")["responses"]["200"]["content"]["application/json"]["schema"]
        self.assertEqual(set(openapi.properties(page)) - pages, set())
        whole = operation("/offer/{key}")["responses"]["200"]["content"]["application/json"]["schema"]
        self.assertEqual(set(openapi.properties(whole)) - self.seen["/offer/{key}"]["200"], set())


if __name__ == "__main__":
    sys.exit(unittest.main())
