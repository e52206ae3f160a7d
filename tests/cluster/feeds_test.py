# SPDX-License-Identifier: Apache-2.0
"""The shops' service with 200 shops: good ones are served, bad ones are told why, none delays another."""

import json
import subprocess
import unittest
import urllib.error
import urllib.request

import shop_servers
from world import BIN, DIRECT, World, wait_for

GOOD = 176
OFFERS = 5


class FeedsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(shards=1)
        cls.addClassCleanup(cls.world.close)
        cls.servers = shop_servers.ShopServers()
        cls.addClassCleanup(cls.servers.close)
        cls.slow = [shop_servers.ShopServers(f"127.77.21.{number}") for number in (1, 2, 3)]
        for each in cls.slow:
            cls.addClassCleanup(each.close)
        topology = cls.world.data / "topology.toml"
        text = topology.read_text().replace(
            'name = "indexer"\n', 'name = "indexer"\nprivate_feeds = true\nbuild_period_s = 1\n'
        )
        topology.write_text(text)
        seed = cls.world.folder / "seed.xml"
        seed.write_bytes(shop_servers.feed("seed", OFFERS))
        cls.world.must_up(seed)
        served = cls.world.souk("serve", "--detach")
        if served.returncode != 0:
            raise AssertionError(f"serve failed:\n{served.stdout}\n{served.stderr}\n{cls.world.logs()}")

    def call(self, method, path, body=None, token=None, port=None):
        """(status, JSON) of the indexer: its admin port, or with a token the shops' one."""
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = "Bearer " + token
        port = self.world.port + (203 if token else 204) if port is None else port
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        try:
            with DIRECT.open(request, timeout=30) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def add(self, name, url):
        status, reply = self.call("POST", "/shops", {"name": name, "feed_url": url})
        self.assertIn(status, (200, 201), reply)
        return reply["token"]

    def shops_served(self):
        reply = self.world.search(text="", facets="shop", per_page=1)
        return {value["name"]: value["offers"] for value in reply["facets"][0]["values"]}

    def last_run(self, token):
        status, reply = self.call("GET", "/api/runs", token=token)
        self.assertEqual(status, 200, reply)
        runs = reply["runs"]
        return runs[0] if runs else None

    def test_1_two_hundred_shops(self):
        tokens = {}
        for number, (server, page) in enumerate(
            zip(self.slow, ("never_answers", "stops_in_the_middle", "trickles"), strict=True)
        ):
            server.put("/feed", getattr(server, page))
            tokens[f"slow-{number}"] = self.add(f"slow-{number}", server.url("/feed"))
        bad = {}
        for kind, body in shop_servers.bad_bodies().items():
            self.servers.put("/bad/" + kind, body)
            bad[kind] = self.add("bad-" + kind, self.servers.url("/bad/" + kind))
        for kind, page in self.servers.fetch_faults().items():
            self.servers.put("/fetch/" + kind, page)
            bad[kind] = self.add("bad-" + kind, self.servers.url("/fetch/" + kind))
        self.servers.put("/bomb", shop_servers.bomb())
        bad["size_limit"] = self.add("bomb", self.servers.url("/bomb"))
        for number in range(GOOD):
            name = f"good-{number}"
            self.servers.put("/" + name, shop_servers.feed(name, OFFERS))
            tokens[name] = self.add(name, self.servers.url("/" + name))
        self.assertGreaterEqual(len(bad), 21)
        self.assertGreaterEqual(GOOD + len(bad) + len(self.slow), 200)

        good = {f"good-{number}" for number in range(GOOD)}
        served = wait_for(lambda: (lambda now: good <= set(now) and now)(self.all_shops()), 180)
        for name in good:
            self.assertEqual(served[name], OFFERS, name)
        self.assertEqual({name for name in served if not name.startswith("good-")}, {"seed"})

        for kind, token in bad.items():
            with self.subTest(kind=kind):
                run = wait_for(lambda token=token: self.last_run(token), 120)
                status, whole = self.call("GET", f"/api/runs/{run['number']}", token=token)
                self.assertEqual(status, 200)
                error = whole["feed_error"]
                self.assertEqual(error["kind"], kind, error)
                self.assertTrue(error["message"])
        for number in range(len(self.slow)):
            run = wait_for(lambda token=tokens[f"slow-{number}"]: self.last_run(token), 90)
            self.assertEqual(run["outcome"], "fetch_failed")

    def all_shops(self):
        """Offers of every shop that is served: more than a facet shows, so shop by shop from the admin's list."""
        status, reply = self.call("GET", "/shops")
        self.assertEqual(status, 200)
        found = {}
        for shop in reply["shops"]:
            if shop["live_offers"] > 0:
                found[shop["name"]] = self.world.search(text="", shop=shop["name"], per_page=1)["total"]["offers"]
        return {name: offers for name, offers in found.items() if offers > 0}

    def test_2_a_shop_that_shrinks_is_held_until_released(self):
        self.servers.put("/held", shop_servers.feed("held", 20))
        token = self.add("held", self.servers.url("/held"))
        wait_for(lambda: self.world.search(text="", shop="held")["total"]["offers"] == 20, 60)
        self.servers.put("/held", shop_servers.feed("held", 2))
        status, reply = wait_for(lambda: (lambda got: got[0] in (200, 202) and got)(self.call("POST", "/api/reread", {}, token)), 90)
        self.assertIn(status, (200, 202), reply)
        run = wait_for(lambda: (lambda last: last["outcome"] == "held" and last)(self.last_run(token)), 60)
        self.assertIn("18 of the shop's 20", run["note"])
        self.assertEqual(self.world.search(text="", shop="held")["total"]["offers"], 20)
        command = [BIN / "soukctl", "feed", "release", "--topology", self.world.data / "topology.toml"]
        released = subprocess.run(command + ["--data", self.world.data, "held"], capture_output=True, text=True, check=False)
        self.assertEqual(released.returncode, 0, released.stderr)
        wait_for(lambda: self.world.search(text="", shop="held")["total"]["offers"] == 2, 60)

    def test_3_a_kill_loses_nothing(self):
        before = self.all_shops()
        pid = self.world.pids()["indexer"]
        subprocess.run(["kill", "-9", str(pid)], check=True)
        wait_for(lambda: "indexer" not in {each["name"] for each in self.world.processes() if each["state"] == "serving"}, 30)
        self.assertEqual(self.world.search(text="", shop="good-1")["total"]["offers"], OFFERS)
        served = self.world.souk("serve", "--detach")
        self.assertEqual(served.returncode, 0, served.stderr)
        self.assertEqual(self.all_shops(), before)


if __name__ == "__main__":
    unittest.main()
