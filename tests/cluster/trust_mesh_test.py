# SPDX-License-Identifier: Apache-2.0
"""One mesh cluster behind two balancers: what is missing is named, never silent; documents survive kill -9. Tests run in
the order of their names."""

import random
import sys
import time
import unittest
import urllib.parse

from trust_load import Load
from trust_world import WORDS, TrustWorld
from world import wait_for

PATH = "/search?" + urllib.parse.urlencode({"text": "лампа"})
SECOND = 50  # requests
GENERATIONS = 3
KILLS = 8  # of the snippet server, for each


class MeshTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = TrustWorld(clusters=(3,), mode="mesh", balancers=2)
        cls.addClassCleanup(cls.world.close)
        cls.world.up()
        cls.haproxy = cls.world.processes["balancer-1"]

    def search(self, **parameters):
        return self.world.search(self.world.balancer(), **parameters)

    def test_10_two_balancers_give_the_same_answers(self):
        source = random.Random(1)
        for _ in range(40):
            query = {"text": source.choice(WORDS), "sort": source.choice(("relevance", "price", "newest")),
                     "group": source.choice(("model", "offer")), "facets": source.choice(("shop", "price", "category")),
                     "page": source.randint(1, 3), "per_page": source.choice((1, 10, 50))}
            first, second = (self.world.search(self.world.balancer(number), **query) for number in (1, 2))
            self.assertEqual((first[0], second[0]), (200, 200), query)
            for part in ("result_digest", "total", "items", "facets", "generation", "complete"):
                self.assertEqual(first[1][part], second[1][part], (part, query))

    def test_20_a_killed_nodes_shard_is_named_as_missing(self):
        whole = self.search(text="лампа")[1]
        with Load(self.world.balancer(), PATH, rate=SECOND) as load:
            wait_for(lambda: load.count() >= SECOND)
            killed = time.monotonic()
            self.world.kill("c1-2")
            for server in self.world.nodes:
                wait_for(lambda server=server: self.haproxy.first(f"Server nodes/{server} is DOWN", killed))
            wait_for(lambda: self.haproxy.first("Server nodes_degraded/c1-2 is DOWN", killed))
            out = time.monotonic()
            count = load.count()
            wait_for(lambda: load.count() >= count + 2 * SECOND)
        for node in ("c1-1", "c1-3"):
            self.assertEqual(self.world.ping(node), (503, f"nobody serves shard 2 of generation {whole['generation']}"))
            self.assertEqual(self.world.get(self.world.public(node), "/ping?level=any")[0], 200)
        part = self.world.search(self.world.public("c1-1"), text="лампа")[1]
        self.assertLess(part["total"]["offers"], whole["total"]["offers"])
        for reply in load.replies:
            if reply.status != 200:
                self.assertIn(reply.status, (502, 503), reply)
                self.assertTrue(killed - 1 < reply.sent < out, f"only until the balancer knows: {reply}")
            elif reply.body["complete"]:
                self.assertEqual(reply.body["result_digest"], whole["result_digest"])
                self.assertEqual(reply.body["total"], whole["total"])
                self.assertLess(reply.sent, out)
            else:
                self.assertEqual(reply.body["coverage"], {"asked": 3, "answered": 2, "missing": [2]})
                self.assertEqual(reply.body["result_digest"], part["result_digest"])
                self.assertGreaterEqual(reply.sent, killed - 1)
        parts = [reply for reply in load.replies if reply.status == 200 and not reply.body["complete"]]
        self.assertGreater(len(parts), SECOND, "the balancer sends on to those who can answer in part")
        print(f"\n    {len(load.failed())} of {load.count()} GETs failed, {len(parts)} were answered in part", file=sys.stderr)

    def test_21_its_return_heals(self):
        self.world.start("c1-2")
        self.world.wait_until_whole()
        for node in self.world.nodes:
            self.assertIs(self.world.search(self.world.public(node))[1]["complete"], True)

    def test_30_without_the_snippet_server_nothing_is_shown(self):
        self.world.kill("snippet-1")
        status, reply = self.search(text="лампа")
        self.assertEqual((status, reply["error"]["code"]), (503, "unavailable"))
        self.assertEqual(self.search(vendor="nobody")[0], 200, "what shows nothing needs no documents")
        for node in self.world.nodes:
            self.assertEqual(self.world.ping(node)[0], 200)
        self.world.start("snippet-1")
        wait_for(lambda: self.search(text="лампа")[0] == 200)

    def read_all(self):
        """Every offer of the generation that serves, documents included; which generation it is."""
        seen, generations = set(), set()
        for page in range(1, 2 * self.world.offers // 50 + 2):
            status, reply = self.search(group="offer", sort="price", per_page=50, page=page)
            self.assertEqual(status, 200, reply)
            self.assertEqual(reply["dropped"], 0)
            seen.update(item["key"] for item in reply["items"])
            generations.add(reply["generation"])
        if len(generations) > 1:
            return self.read_all()  # it changed meanwhile
        self.assertEqual(len(seen), 2 * self.world.offers)
        return generations.pop()

    def test_40_kill_9_while_documents_come_in_loses_none(self):
        early = 0
        for number in range(GENERATIONS):
            self.world.kill("snippet-1")
            new = self.world.publish(1000 + number)
            early += self.kill_while_ingesting(new)
            self.assertTrue(self.world.start("snippet-1").says("snippets listen"))
            self.read_all()  # what serves now
            wait_for(lambda: all(self.world.search(self.world.public(node))[1].get("generation") == new
                                 for node in self.world.nodes))
            self.assertEqual(self.read_all(), new)
        self.assertGreater(early, 0, "some kill must come before the ingestion's end")
        print(f"\n    {early} of {GENERATIONS * KILLS} kills were within an ingestion", file=sys.stderr)

    def kill_while_ingesting(self, generation):
        """Kills and restarts it, each time a little later after its begin. How often it had not come to the end."""
        early = 0
        for delay_ms in range(KILLS):
            process = self.world.start("snippet-1")
            if not process.says(f"ingesting the documents of generation {generation}", seconds=3):
                self.assertTrue(self.has(generation), "the last kill came after the end")
                process.kill()
                break
            time.sleep(delay_ms / 1000)
            process.kill()
            early += process.first("is ready") is None
        return early

    def has(self, generation):
        body = self.world.get(f"{self.world.network}.2:8000", "/status")[1]
        return isinstance(body, dict) and generation in body["generations"]


if __name__ == "__main__":
    sys.exit(unittest.main())
