# SPDX-License-Identifier: Apache-2.0
"""The whole market on this machine, from feeds to answers: 8 nodes, snippet server, control and HAProxy over the sample
market. Tests run in the order of their names, on one world; the last ones break it."""

import os
import shutil
import signal
import sys
import unittest

import counts
import queries
from world import World, wait_for

QUERIES = 200
SEED = int(os.environ.get("SOUK_TEST_SEED", "1"))
NODES = 8


class WorldTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.first_up = cls.world.must_up()
        cls.files = {f.name.split(".")[0]: f for f in (cls.world.data / "feeds").glob("shop-*")}
        cls.offers = counts.read_accepted(cls.world, cls.files)

    def titles(self, **parameters):
        return [item["title"] for item in self.world.search(**parameters)["items"]]

    def test_10_up_says_where_and_shows_an_answer(self):
        self.assertIn(f"http://127.0.0.1:{self.world.port}", self.first_up.stdout)
        self.assertIn("Злой кот с пищалкой", self.first_up.stdout)
        self.assertIn("souk down", self.first_up.stdout)
        self.assertEqual(len(self.files), 12)
        self.assertGreater(len(self.offers), 19000)

    def test_11_status_lists_every_process(self):
        processes = self.world.processes()
        roles = sorted(process["role"] for process in processes)
        self.assertEqual(roles, sorted(["node"] * NODES + ["snippet", "control", "haproxy"]))
        for process in processes:
            self.assertEqual(process["pid"], self.world.pids()[process["name"]], process)
        self.assertEqual(sorted(p["shard"] for p in processes if p["role"] == "node"), list(range(1, NODES + 1)))
        self.assertEqual(sum(p["documents"] for p in processes if p["role"] == "node"), len(self.offers))
        table = self.world.souk("status")
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("node-8", table.stdout)

    def test_20_totals_equal_an_independent_count(self):
        counts.check_totals(self, self.world, self.offers)
        counts.check_facets(self, self.world, self.offers)

    def test_21_the_angry_cat_with_a_squeaker_comes_first(self):
        for text in ("злой кот с пищалкой", "злого кота с пищалкой", "ЗЛОЙ КОТ С ПИЩАЛКОЙ"):
            reply = self.world.search(text=text)
            self.assertEqual(reply["items"][0]["title"], "Злой кот с пищалкой", text)
            self.assertTrue(reply["complete"])
            self.assertEqual(reply["coverage"]["answered"], NODES)
        cat = self.world.search(text="злой кот с пищалкой")["items"][0]
        self.assertEqual(cat["offers"], 4)
        self.assertEqual(cat["shops"], 4)
        self.assertLessEqual(cat["price"]["min"], cat["price"]["max"])
        self.assertEqual(self.titles(text="angry cat with a squeaker")[0], "Angry cat with a squeaker")

    def test_22_an_item_leads_to_its_offers_and_documents(self):
        cat = self.world.search(text="злой кот с пищалкой")["items"][0]
        status, reply = self.world.get("/offers", model=cat["key"], sort="price")
        self.assertEqual(status, 200, reply)
        prices = [item["price"]["min"] for item in reply["items"]]
        self.assertEqual(len(prices), 4)
        self.assertEqual(prices, sorted(prices))
        self.assertEqual(prices[0], cat["price"]["min"])
        self.assertEqual(prices[-1], cat["price"]["max"])
        key = reply["items"][0]["key"]
        status, document = self.world.get(f"/offer/{key}")
        self.assertEqual(status, 200, document)
        self.assertIn("Злой кот с пищалкой", str(document))
        self.assertIn(self.world.get("/offer/1")[0], (400, 404))

    def test_23_sorts_and_pages(self):
        listing = dict(category="Игрушки", group="offer", per_page=50)
        prices = [item["price"]["min"] for page in (1, 2, 3)
                  for item in self.world.search(sort="price", page=page, **listing)["items"]]
        self.assertEqual(len(prices), 150)
        self.assertEqual(prices, sorted(prices))
        dear = [item["price"]["min"] for item in self.world.search(sort="price_desc", **listing)["items"]]
        self.assertEqual(dear, sorted(dear, reverse=True))
        keys = [item["key"] for page in (1, 2, 3) for item in self.world.search(page=page, **listing)["items"]]
        self.assertEqual(len(set(keys)), len(keys))

    def test_24_bad_arguments_are_named(self):
        for name, value in (("page", "0"), ("per_page", "x"), ("sort", "best"), ("price_from", "-1"), ("group", "shop"),
                            ("facets", "colour"), ("in_stock", "maybe")):
            status, reply = self.world.get("/search", **{name: value})
            self.assertEqual(status, 400, (name, value, reply))
            self.assertEqual(reply["error"]["argument"], name, reply)
        reply = self.world.search(text="кот", vendr="Norvik")
        self.assertTrue(any("vendr" in warning for warning in map(str, reply["warnings"])), reply["warnings"])

    def test_25_search_in_the_terminal(self):
        result = self.world.souk("search", "злой кот с пищалкой")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Злой кот с пищалкой", result.stdout)
        filtered = self.world.souk("search", "кот", "--filter", "category=Игрушки > Мягкие игрушки")
        self.assertEqual(filtered.returncode, 0, filtered.stderr)

    def test_26_debug_explains(self):
        reply = self.world.search(text="злой кот", debug=1)
        plain = self.world.search(text="злой кот")
        self.assertEqual(reply["result_digest"], plain["result_digest"])
        self.assertGreater(len(str(reply)), len(str(plain)))

    def test_30_one_shard_answers_as_eight(self):
        single = World(shards=1)
        self.addCleanup(single.close)
        # The same store: keys and times of first sight are part of an answer.
        for name in ("offers", "reports", "feeds"):
            shutil.copytree(self.world.data / name, single.data / name)
        shutil.copy(self.world.data / "market.toml", single.data)
        single.must_up()
        maker = queries.QueryMaker(self.offers, SEED)
        found = 0
        for number in range(QUERIES):
            pairs = maker.make()
            with self.subTest(seed=SEED, query=number, pairs=pairs):
                status, eight = self.world.get_pairs("/search", pairs)
                self.assertEqual(status, 200, eight)
                node_port = self.world.node_port(1 + number % NODES)
                direct = self.world.get_pairs("/search", pairs, port=node_port)[1]
                one = single.get_pairs("/search", pairs)[1]
                self.assertEqual(eight["total"], one["total"])
                self.assertEqual([i["key"] for i in eight["items"]], [i["key"] for i in one["items"]])
                self.assertEqual(eight["facets"], one["facets"])
                self.assertEqual(eight["result_digest"], one["result_digest"])
                self.assertEqual(eight["result_digest"], direct["result_digest"])
                found += eight["total"]["offers"] > 0
        self.assertGreater(found, QUERIES / 2)

    def walk(self, *pairs):
        """The keys of all pages by cursor, each page from another node, and the last of them."""
        keys, reply, pages = [], {"next_cursor": None}, 0
        while pages == 0 or reply["next_cursor"]:
            cursor = [("cursor", reply["next_cursor"])] if pages else []
            port = self.world.node_port(1 + pages % NODES)
            status, reply = self.world.get_pairs("/search", [*pairs, *cursor], port)
            self.assertEqual(status, 200, reply)
            keys += [item["key"] for item in reply["items"]]
            pages += 1
        return keys, reply

    def test_35_cursors_lead_through_every_offer_once(self):
        self.assertGreater(len(self.offers), 10000, "beyond what pages by number reach")
        for sort in ("relevance", "price"):
            keys, last = self.walk(("group", "offer"), ("facets", ""), ("per_page", "100"), ("sort", sort))
            self.assertEqual(len(keys), len(set(keys)))
            self.assertEqual(len(keys), last["total"]["offers"])
            self.assertEqual(len(keys), len(self.offers))

    def test_36_cursors_through_models_and_a_text(self):
        for pairs in ([("sort", "price_desc"), ("per_page", "100"), ("facets", "")],
                      [("text", "кот* \"злой кот\""), ("match", "any"), ("per_page", "3")],
                      [("text", "кот чайник"), ("match", "any"), ("totals", "at_least"), ("per_page", "37")]):
            keys, _ = self.walk(*pairs)
            self.assertEqual(len(keys), len(set(keys)))
            exact = dict(pairs) | {"totals": "exact", "per_page": "1"}
            total = self.world.get_pairs("/search", list(exact.items()))[1]["total"]
            self.assertEqual((len(keys), total["relation"]), (total["models"], "exact"), pairs)
            self.assertGreater(len(keys), 0, pairs)

    def test_40_a_second_up_builds_and_starts_nothing(self):
        def state():
            manifests = {f: f.stat().st_mtime_ns for f in (self.world.data / "generations").rglob("*")}
            return manifests, self.world.pids()

        before = state()
        self.world.must_up()
        self.assertEqual(state(), before)

    def test_50_a_dead_node_is_not_silent_and_up_heals(self):
        victim = next(p for p in self.world.processes() if p["role"] == "node" and p["shard"] == 3)
        os.kill(victim["pid"], signal.SIGKILL)

        def incomplete():
            status, reply = self.world.get("/search", text="кот")
            return status == 200 and not reply["complete"] and reply

        reply = wait_for(incomplete)
        self.assertEqual(reply["coverage"]["missing"], [3])
        self.assertEqual(reply["coverage"]["answered"], NODES - 1)
        dead = next(p for p in self.world.processes() if p["name"] == victim["name"])
        self.assertEqual(dead["state"], "dead")
        others = {name: pid for name, pid in self.world.pids().items() if name != victim["name"]}
        self.world.must_up()
        self.assertTrue(self.world.search(text="кот")["complete"])
        self.assertEqual({n: p for n, p in self.world.pids().items() if n != victim["name"]}, others)

    def test_60_down_leaves_no_process_and_up_starts_from_disk(self):
        generation = self.world.search()["generation"]
        before = self.world.search(text="кот")["result_digest"]
        self.assertEqual(self.world.souk("down").returncode, 0)
        self.assertEqual(self.world.living(), [])
        self.assertEqual(self.world.pids(), {})
        self.world.must_up()
        self.assertEqual(self.world.search()["generation"], generation)
        self.assertEqual(self.world.search(text="кот")["result_digest"], before)


if __name__ == "__main__":
    sys.exit(unittest.main())
