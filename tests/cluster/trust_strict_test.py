# SPDX-License-Identifier: Apache-2.0
"""Two strict clusters behind one balancer: a dead node takes its whole cluster out and nobody sees a part of an answer; a
node that is told to stop is missed by nobody. Tests run in the order of their names."""

import sys
import time
import unittest
import urllib.parse

from trust_load import Load
from trust_world import TrustWorld
from world import wait_for

PATH = "/search?" + urllib.parse.urlencode({"text": "лампа", "facets": "vendor"})
SECOND = 50  # requests


class StrictTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = TrustWorld(clusters=(2, 2), mode="strict")
        cls.addClassCleanup(cls.world.close)
        cls.world.up()
        cls.digest = cls.world.search(cls.world.balancer(), text="лампа", facets="vendor")[1]["result_digest"]
        cls.haproxy = cls.world.processes["balancer-1"]

    def load(self):
        return Load(self.world.balancer(), PATH, rate=SECOND)

    def wait_for_replies(self, load, count):
        target = load.count() + count
        wait_for(lambda: load.count() >= target)

    def said(self, what, server, since):
        return self.haproxy.first(f"Server nodes/{server} is {what}", since)

    def assert_whole_or_refused(self, replies):
        for reply in replies:
            if reply.status == 200:
                self.assertIs(reply.body["complete"], True, reply)
                self.assertEqual(reply.body["result_digest"], self.digest, reply)
            else:
                self.assertEqual((reply.status, reply.body["error"]["code"]), (503, "unavailable"), reply)

    def test_10_a_killed_node_takes_its_cluster_out(self):
        with self.load() as load:
            self.wait_for_replies(load, SECOND)
            killed = time.monotonic()
            self.world.kill("c1-2")
            status, reply = self.world.search(self.world.public("c1-1"))
            self.assertEqual(status, 503, "at once, not in part")
            self.assertIn("shard 2 is missing", reply["error"]["message"])
            status, reason = wait_for(lambda: (lambda ping: ping if ping[0] == 503 else None)(self.world.ping("c1-1")))
            self.assertEqual(reason, "c1-2 is gone")
            for server in ("c1-1", "c1-2"):
                wait_for(lambda server=server: self.said("DOWN", server, killed))
            out = time.monotonic()
            self.wait_for_replies(load, SECOND)
            partial = self.refused_by("c1-1")
            self.wait_for_replies(load, 2 * SECOND)
            self.assertEqual(self.refused_by("c1-1"), partial, "nobody is sent there any more")
        self.assert_whole_or_refused(load.replies)
        refused = load.failed()
        print(f"\n    {len(refused)} of {load.count()} GETs were refused; the node refused {partial:.0f}", file=sys.stderr)
        self.assertEqual([reply for reply in refused if reply.sent < killed or reply.sent > out], [])
        checks = {line.split("status: ")[-1] for at, line in list(self.haproxy.lines)
                  if at > killed and "Health check for server nodes/c1-1 failed" in line and "code: 503" in line}
        self.assertEqual(checks, {"2/3 UP.", "1/3 UP.", "0/2 DOWN."}, "three checks until it is out")
        for node in ("c2-1", "c2-2"):
            self.assertEqual(self.world.ping(node)[0], 200, "the other cluster has nothing to do with it")

    def refused_by(self, node):
        """503s of the node itself; the balancer asks another one before it passes any on."""
        return self.world.metrics(node)['souk_meta_queries_total{code="unavailable"}']

    def test_20_its_return_heals_without_anybodys_help(self):
        back = time.monotonic()
        with self.load() as load:
            self.world.start("c1-2")
            for server in ("c1-1", "c1-2"):
                wait_for(lambda server=server: self.said("UP", server, back))
            before = {node: self.world.metrics(node)['souk_meta_queries_total{code="ok"}'] for node in self.world.nodes}
            wait_for(lambda: all(self.world.metrics(node)['souk_meta_queries_total{code="ok"}'] > count
                                 for node, count in before.items()))
        self.assert_whole_or_refused(load.replies)
        self.assertEqual(load.failed(), [])

    def test_30_a_rolling_restart_of_all_nodes_loses_no_get(self):
        with self.load() as load:
            for node in self.world.nodes:
                with self.subTest(node=node):
                    self.restart(node)
            self.wait_for_replies(load, SECOND)
        self.assert_whole_or_refused(load.replies)
        self.assertEqual(load.failed(), [])
        print(f"\n    {load.count()} GETs, none failed", file=sys.stderr)

    def restart(self, node):
        begin = time.monotonic()
        cluster = [name for name in self.world.nodes if name.split("-")[0] == node.split("-")[0]]
        self.world.terminate(node)
        wait_for(lambda: self.world.ping(node) == (503, "this node is stopping"))
        status, reply = self.world.search(self.world.public(node), text="лампа", facets="vendor")
        self.assertEqual((status, reply["result_digest"]), (200, self.digest), "it serves on")
        other = next(name for name in cluster if name != node)
        wait_for(lambda: self.world.ping(other) == (503, f"{node} is stopping"))
        self.assertEqual(self.world.processes[node].wait(), 0)
        for name in cluster:
            self.assertIsNotNone(self.said("DOWN", name, begin), f"{name} was out before {node} ended")
        restarted = time.monotonic()
        self.world.start(node)
        for name in cluster:
            wait_for(lambda name=name: self.said("UP", name, restarted))


if __name__ == "__main__":
    sys.exit(unittest.main())
