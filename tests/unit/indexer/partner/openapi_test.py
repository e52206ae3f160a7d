# SPDX-License-Identifier: Apache-2.0
"""docs/partner-openapi.yaml against the answers of the real server over a fake service, both ways.

openapi_test.py PARTNER_TEST_SERVER
"""

import http.client
import json
import pathlib
import re
import subprocess
import sys
import unittest
import urllib.parse

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import openapi  # noqa: E402  (the path comes first)

API = openapi.load("partner-openapi.yaml")
# What a test from outside cannot bring about at will; unit_partner does.
NOT_PROVOKED = {"429", "503", "504"}
TOKEN = "token-1-1"
NORTH = urllib.parse.quote("Север")


def fields_of(value, path=""):
    """Every field of an answer, written as openapi.properties() writes them."""
    found = set()
    if isinstance(value, dict):
        for name, child in value.items():
            found.add(f"{path}{name}")
            found |= fields_of(child, f"{path}{name}.")
    elif isinstance(value, list):
        for child in value:
            found |= fields_of(child, path.removesuffix(".") + "[].")
    return found


def operations():
    for path, methods in API["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


class PartnerApiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.end)
        cls.ports = dict(zip(("partner", "admin"), map(int, cls.server.stdout.readline().split()), strict=True))
        cls.seen = {(path, method): {} for path, method, _ in operations()}  # -> status -> fields

    @classmethod
    def end(cls):
        cls.server.stdin.close()
        cls.server.stdout.close()
        if cls.server.wait(timeout=20) != 0:
            raise AssertionError("the server did not end well")

    def raw(self, port, method, target, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[port], timeout=20)
        try:
            connection.request(method, target, body, headers or {})
            reply = connection.getresponse()
            return reply, reply.read().decode()
        finally:
            connection.close()

    def ask(self, path, method="get", body=None, token=TOKEN, kind="application/json", values=None, query="", headers=None):
        """(status, body), the answer being as documented for this path, method and status."""
        operation = API["paths"][path].get(method) or next(iter(API["paths"][path].values()))
        (port,) = operation["tags"]
        headers = dict(headers or {})
        if port == "partner" and token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = kind
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        target = re.sub(r"\{(\w+)\}", lambda match: (values or {})[match.group(1)], path) + query
        reply, text = self.raw(port, method.upper(), target, body, headers)
        documented = operation["responses"]
        self.assertIn(str(reply.status), documented, f"{method} {target}: {text[:300]}")
        self.assertEqual(reply.getheader("Content-Type"), "application/json")
        answer = json.loads(text)
        schema = documented[str(reply.status)]["content"]["application/json"]["schema"]
        errors = [error.message[:300] for error in jsonschema.Draft4Validator(schema).iter_errors(answer)]
        self.assertEqual(errors, [], f"{method} {target}")
        if method in API["paths"][path]:
            self.seen[(path, method)].setdefault(str(reply.status), set()).update(fields_of(answer))
        return reply.status, answer

    def ok(self, *args, **options):
        status, answer = self.ask(*args, **options)
        self.assertIn(status, (200, 202), answer)
        return answer

    def refused(self, argument, *args, **options):
        status, answer = self.ask(*args, **options)
        self.assertEqual((status, answer["error"]["argument"]), (400, argument), answer)

    def test_a_no_answer_may_hold_a_field_that_is_not_documented(self):
        for path, method, operation in operations():
            for status, answer in operation["responses"].items():
                schema = answer["content"]["application/json"]["schema"]
                self.assertEqual(openapi.open_objects(schema), [], f"{method} {path} {status}")

    def test_b_every_field_is_explained(self):
        for path, method, operation in operations():
            bodies = operation.get("requestBody", {}).get("content", {}).values()
            answers = [answer["content"]["application/json"] for answer in operation["responses"].values()]
            for content in [*bodies, *answers]:
                unexplained = [name for name, each in openapi.properties(content["schema"]).items() if "description" not in each]
                self.assertEqual(unexplained, [], f"{method} {path}")

    def test_c_what_a_shop_asks(self):
        self.ok("/api/shop")
        self.ok("/api/runs")
        for number in range(1, 8):
            self.ok("/api/runs/{number}", values={"number": str(number)})
        self.ok("/api/check", "post", {"url": "https://shop.example/x.yml"})
        self.ok("/api/check", "post", b"<yml_catalog/>", kind="application/xml", query="?mode=strict")
        self.ok("/api/check", "post", b"<html>", kind="text/html")
        self.ok("/api/reread", "post")
        self.assertEqual(self.ask("/api/runs/{number}", values={"number": "99"})[0], 404)
        self.refused("run", "/api/runs/{number}", values={"number": "0"})

    def test_d_what_an_operator_asks(self):
        self.ok("/shops")
        self.ok("/status")
        made = self.ok("/shops", "post", {"name": "Восток"})
        self.ok("/api/shop", token=made["token"])
        values = {"name": NORTH}
        self.ok("/shops/{name}", values=values)
        self.ok("/shops/{name}", "put", {"mode": "lenient", "regions": ["Москва"]}, values=values)
        self.ok("/shops/{name}/reread", "post", values=values)
        self.ok("/shops/{name}/release", "post", values=values)
        for path, method, operation in operations():
            if "404" in operation["responses"] and operation["tags"] == ["admin"]:
                body = {"mode": "strict"} if method == "put" else None
                self.assertEqual(self.ask(path, method, body, values={"name": "none"})[0], 404, path)

    def test_e_examples_and_bounds_of_bodies(self):
        for path, method, operation in operations():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            with self.subTest(path=path):
                values = {"name": NORTH}
                self.ok(path, method, content["example"], values=values)
                base = {name: content["example"][name] for name in content["schema"].get("required", ())}
                for name, schema in content["schema"]["properties"].items():
                    self.check_bounds((path, method), base, name, schema)
                self.refused("colour", path, method, {**base, "colour": 1}, values=values)
                for name in base:
                    self.refused(name, path, method, {key: base[key] for key in base if key != name}, values=values)
                for broken in (b"", b"[]", b"{", b'{"a":"\xff"}', b"[" * 60_000, b'{"a":' * 10_000):
                    self.refused("", path, method, broken, values=values)
                if operation["tags"] == ["partner"]:
                    self.assertEqual(self.ask(path, method, b" " * 100_000)[0], 413)
                self.assertEqual(self.ask(path, method, values=values, headers={"Content-Length": "10000000"})[0], 413)

    def check_bounds(self, operation, base, name, schema):
        def accepted(value):
            self.ok(*operation, {**base, name: value}, values={"name": NORTH})

        def not_accepted(value):
            self.refused(name, *operation, {**base, name: value}, values={"name": NORTH})

        not_accepted(None)
        not_accepted({})
        for value in schema.get("enum", ()):
            accepted(value)
        if "minimum" in schema:
            accepted(schema["minimum"])
            accepted(schema["maximum"])
            not_accepted(schema["minimum"] - 1)
            not_accepted(schema["maximum"] + 1)
            not_accepted(schema["minimum"] + 0.5)
        if "maxLength" in schema:
            begin = "http://shop.example/" if "pattern" in schema else ""
            accepted(begin + "x" * (schema["maxLength"] - len(begin)))
            not_accepted(begin + "x" * (schema["maxLength"] - len(begin) + 1))
            not_accepted("")
        if "pattern" in schema:
            not_accepted("shop.example/market.yml")
        if "maxItems" in schema:
            accepted([str(i) for i in range(schema["maxItems"])])
            not_accepted([str(i) for i in range(schema["maxItems"] + 1)])

    def test_e_arguments(self):
        for path, method, operation in operations():
            for argument in operation.get("parameters", ()):
                if argument["in"] != "query":
                    continue
                name, schema = argument["name"], argument["schema"]
                least, most = schema.get("minimum"), schema.get("maximum")
                good = [argument["example"], *schema.get("enum", ()), *(each for each in (least, most) if each is not None)]
                bad = ["x", "", *([least - 1] if least is not None else ()), *([most + 1] if most is not None else ())]
                options = {"values": {"number": "7"}, "kind": "application/xml"}
                body = b"<yml_catalog/>" if method == "post" else None
                with self.subTest(path=path, argument=name):
                    for value in good:
                        self.ok(path, method, body, query=f"?{name}={value}", **options)
                    for value in bad:
                        self.refused(name, path, method, body, query=f"?{name}={value}", **options)
                    self.refused(name, path, method, body, query=f"?{name}={good[0]}&{name}={good[0]}", **options)
                    if "default" in schema:
                        self.assertEqual(self.ok(path, method, body, query=f"?{name}={schema['default']}", **options),
                                         self.ok(path, method, body, **options))

    def test_f_refusals(self):
        for path, method, operation in operations():
            values = {"name": NORTH, "number": "1"}
            (port,) = operation["tags"]
            if port == "partner":
                self.assertEqual(self.ask(path, method, token=None, values=values)[0], 401)
                self.assertEqual(self.ask(path, method, token="wrong", values=values)[0], 401)
                body = b"<yml_catalog/>" if method != "get" else None
                self.refused("x", path, method, body, values=values, query="?x=1", kind="application/xml")
            else:
                self.assertEqual(self.ask(path, method, values=values, headers={"Origin": "http://evil.example"})[0], 403)
                if "{name}" in path:
                    self.refused("name", path, method, values={"name": "%ff"})
            if method == next(iter(API["paths"][path])):
                status, _ = self.ask(path, "delete", values=values)
                self.assertEqual(status, 405)
                self.seen[(path, method)].setdefault("405", set()).update({"error", "error.code", "error.message", "error.argument"})
            else:
                self.seen[(path, method)]["405"] = {"error", "error.code", "error.message", "error.argument"}

    def test_g_head_is_get_without_a_body(self):
        headers = {"Authorization": f"Bearer {TOKEN}"}
        reply, body = self.raw("partner", "HEAD", "/api/shop", headers=headers)
        self.assertEqual((reply.status, body), (200, ""))
        self.assertGreater(int(reply.getheader("Content-Length")), 100)
        reply, _ = self.raw("partner", "HEAD", "/")
        self.assertEqual(reply.status, 200)
        reply, _ = self.raw("partner", "HEAD", "/login")
        self.assertEqual((reply.status, reply.getheader("Allow")), (405, "POST"))

    def test_z_all_that_is_documented_was_seen(self):
        for path, method, operation in operations():
            for status, answer in operation["responses"].items():
                if status in NOT_PROVOKED:
                    continue
                with self.subTest(path=path, method=method, status=status):
                    self.assertIn(status, self.seen[(path, method)])
                    documented = set(openapi.properties(answer["content"]["application/json"]["schema"]))
                    self.assertEqual(documented - self.seen[(path, method)][status], set())


if __name__ == "__main__":
    SERVER = sys.argv.pop(1)
    unittest.main()
