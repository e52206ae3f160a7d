# SPDX-License-Identifier: Apache-2.0
"""What goes wrong is said in one clear line, and nothing that is served changes."""

import pathlib
import socket
import subprocess
import sys
import unittest

from world import World

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE yml_catalog SYSTEM "shops.dtd">
<yml_catalog date="2026-11-01 06:00"><shop><name>{shop}</name><company>{shop}</company><url>https://shop.example/</url>
<currencies><currency id="RUB" rate="1"/></currencies>
<categories><category id="1">Toys</category></categories>
<offers>
"""
OFFER = """<offer id="{id}" available="true"><url>https://shop.example/{id}</url><price>{price}</price>
<currencyId>RUB</currencyId><categoryId>1</categoryId><name>{name} {id}</name></offer>
"""
TAIL = "</offers></shop></yml_catalog>\n"


def feed(shop, name, count, price="100"):
    return HEAD.format(shop=shop) + "".join(OFFER.format(id=i, name=name, price=price) for i in range(1, count + 1)) + TAIL


class StartTest(unittest.TestCase):
    """Each case has a world of its own that must not come up."""

    def setUp(self):
        self.world = World(shards=1)
        self.addCleanup(self.world.close)

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        line = result.stderr.strip().splitlines()[-1]
        for word in words:
            self.assertIn(word, line)
        self.assertEqual(self.world.living(), [])

    def test_a_taken_port_is_named_and_nothing_stays_up(self):
        for offset, role in ((0, "haproxy"), (1, "node"), (101, "node"), (201, "snippet"), (202, "control")):
            port = self.world.port + offset
            with self.subTest(role=role, offset=offset), socket.socket() as taken:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                taken.bind(("127.0.0.1", port))
                taken.listen()
                self.assert_refused(self.world.up(), role, str(port))

    def test_a_folder_that_cannot_be_written_is_named(self):
        good = self.world.data
        self.world.data = good / "topology.toml"  # a file
        result = self.world.up()
        self.assert_refused(result, str(self.world.data))
        self.world.data = pathlib.Path("/proc/souk")
        result = self.world.up()
        self.assert_refused(result, "/proc/souk")
        self.world.data = good

    def test_a_first_start_with_nothing_but_a_bad_feed_fails(self):
        bad = self.world.folder / "alpha.yml"
        bad.write_text("<html><body>502 Bad Gateway</body></html>")
        result = self.world.up(bad)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("alpha", result.stdout + result.stderr)
        self.assertEqual(self.world.living(), [])

    def test_a_full_disk_is_said_and_with_more_room_up_goes_on(self):
        disk = self.world.folder / "disk"
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True, check=False)
        if mount.returncode != 0:
            self.skipTest("needs the right to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.world.data = disk / "data"
        self.addCleanup(self.world.souk, "down")
        for size in ("4m", "12m", "24m"):
            subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)
            self.assert_refused(self.world.up(), "souk-indexer", str(self.world.data))
            self.assertFalse((self.world.data / "generations" / "LATEST").exists())
        subprocess.run(["mount", "-o", "remount,size=1g", disk], check=True)
        self.world.must_up()
        self.assertGreater(self.world.search()["total"]["offers"], 19000)

    def test_bad_usage_is_named(self):
        for arguments, word in ((("up", "--port", "x"), "--port"), (("up", "--fed", "x"), "--fed"), (("up", "--feed"), "--feed")):
            result = self.world.souk(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(word, result.stderr)


class FeedTest(unittest.TestCase):
    """One small market; every bad feed leaves the shop's earlier offers as they were."""

    @classmethod
    def setUpClass(cls):
        cls.world = World(shards=1)
        cls.addClassCleanup(cls.world.close)
        cls.alpha = cls.write("alpha.yml", feed("Alpha", "robot", 5))
        cls.beta = cls.write("beta.yml", feed("Beta", "rocket", 3))
        cls.world.must_up(cls.alpha, cls.beta)

    @classmethod
    def write(cls, name, text):
        path = cls.world.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def offers(self, text):
        return self.world.search(text=text)["total"]["offers"]

    def assert_refused(self, text, kind, line=None):
        before = self.world.search()["generation"]
        result = self.world.must_up(self.write("alpha.yml", text))
        self.assertIn("refused", result.stdout + result.stderr)
        report = self.world.report("alpha")
        self.assertEqual(report["feed_error"]["kind"], kind, report)
        if line is not None:
            self.assertEqual(report["feed_error"]["line"], line, report)
        self.assertTrue(report["feed_error"]["message"], report)
        self.assertEqual(self.offers("robot"), 5)
        self.assertEqual(self.offers("rocket"), 3)
        self.assertEqual(self.world.search()["generation"], before)

    def test_a_truncated_feed_is_refused(self):
        text = feed("Alpha", "robot", 50)
        self.assert_refused(text[: len(text) // 2], "truncated")

    def test_a_page_that_is_no_feed_is_refused(self):
        self.assert_refused("<html><body>Not found</body></html>", "not_a_feed", 1)

    def test_a_declared_entity_is_refused(self):
        text = feed("Alpha", "robot", 5).replace(
            '<!DOCTYPE yml_catalog SYSTEM "shops.dtd">',
            '<!DOCTYPE yml_catalog [\n<!ENTITY passwords SYSTEM "file:///etc/passwd">\n]>')
        self.assert_refused(text.replace("robot 1", "robot &passwords;"), "dtd_entity_forbidden", 3)

    def test_a_feed_without_a_valid_offer_is_refused(self):
        self.assert_refused(feed("Alpha", "robot", 2, price="0"), "no_valid_offers")

    def test_a_feed_that_is_not_there_is_refused(self):
        result = self.world.must_up(f"alpha={self.world.folder / 'missing.yml'}")
        self.assertIn("refused", result.stdout + result.stderr)
        self.assertEqual(self.offers("robot"), 5)

    def test_one_bad_offer_is_reported_and_the_others_come(self):
        text = feed("Gamma", "kite", 4).replace("<price>100</price>", "<price>abc</price>", 1)
        self.world.must_up(self.write("gamma.yml", text))
        report = self.world.report("gamma")
        self.assertEqual((report["offers"]["accepted"], report["offers"]["rejected"]), (3, 1), report)
        error = report["errors"][0]
        self.assertEqual((error["id"], error["kind"]), ("1", "bad_price"), report)
        self.assertIn(error["line"], (7, 8), report)
        self.assertEqual(self.offers("kite"), 3)

    def test_new_offers_of_a_shop_replace_its_old_ones(self):
        self.world.must_up(self.write("delta.yml", feed("Delta", "drum", 2)))
        self.assertEqual(self.offers("drum"), 2)
        self.world.must_up(self.write("delta.yml", feed("Delta", "trumpet", 3)))
        self.assertEqual((self.offers("drum"), self.offers("trumpet")), (0, 3))
        self.assertEqual(self.offers("rocket"), 3)


if __name__ == "__main__":
    sys.exit(unittest.main())
