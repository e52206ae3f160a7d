#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The rendered configuration in a real HAProxy, before nodes that do what the test tells them.

Usage: balancer_test.py SOUKCTL [unittest's arguments]. Exit code 77 when there is no haproxy.
"""

import http.client
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from dummy_node import DummyNode

IP = "127.77.14.1"
SOUKCTL = None
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def free_port():
    with socket.socket() as probe:
        probe.bind((IP, 0))
        return probe.getsockname()[1]


def topology_text(port, nodes, mode):
    """One cluster a node: HAProxy does not care, and every node can hold shard 1."""
    text = 'version = 1\n[[data_centers]]\nname = "dc1"\n'
    for node in nodes:
        text += f'[[clusters]]\nname = "c-{node.name}"\nenvironment = "production"\nmode = "{mode}"\nshards = 1\n'
        text += f'[[nodes]]\nname = "{node.name}"\ncluster = "c-{node.name}"\ndata_center = "dc1"\n'
        text += f'roles = ["shard", "meta"]\nshard = 1\npublic = "{IP}:{node.port}"\nagent = "{IP}:{node.agent_port}"\n'
        text += f'peer = "127.77.14.2:{node.port}"\nadmin = "127.77.14.3:{node.port}"\n'
    text += '[control]\nname = "control"\naddress = "127.77.14.4:1"\n'
    return text + f'[[balancers]]\nname = "b1"\ndata_center = "dc1"\nlisten = "{IP}:{port}"\n'


class Balancer:
    """A haproxy process; lines are what it has written, with the time of each."""

    def __init__(self, folder, nodes, mode):
        self.port = free_port()
        (folder / "topology.toml").write_text(topology_text(self.port, nodes, mode))
        render = [SOUKCTL, "haproxy", "render", "--topology", folder / "topology.toml", "--balancer", "b1"]
        subprocess.run([*render, "--out", folder], check=True)
        self.command = ["haproxy", "-db", "-f", folder / "haproxy.cfg"]
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.append((time.monotonic(), line))

    def down_at(self, server):
        """When this server was said to be down, or None."""
        return next((at for at, line in self.lines if f"Server {server} is DOWN" in line), None)

    def ask(self, method="GET", headers=None):
        """(status, node that answered, body); a connection of its own."""
        connection = http.client.HTTPConnection(IP, self.port, timeout=10)
        try:
            connection.request(method, "/search?text=x", body=b"{}" if method == "POST" else None, headers=headers or {})
            reply = connection.getresponse()
            return reply.status, reply.getheader("X-Server"), reply.read()
        finally:
            connection.close()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()


class BalancerTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="souk-balancer-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, names, mode="mesh"):
        self.nodes = [DummyNode(name, IP) for name in names]
        for node in self.nodes:
            self.addCleanup(node.die)
        self.balancer = Balancer(self.folder, self.nodes, mode)
        self.addCleanup(self.balancer.close)
        self.wait_for(self.answers)
        for node in self.nodes:
            self.wait_for(lambda node=node: node.pings > 0)

    def wait_for(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, f"not within {seconds} s; {self.balancer.lines}")
            time.sleep(0.02)

    def answers(self):
        try:
            return self.balancer.ask()[0] == 200
        except OSError:
            return False

    def forget(self):
        for node in self.nodes:
            node.requests.clear()

    def seen(self, method):
        return sum(1 for node in self.nodes for seen, _ in node.requests if seen == method)

    def test_a_killed_node_is_out_after_three_refused_checks(self):
        self.start(["n1", "n2"])
        dead, alive = self.nodes
        pings = alive.pings
        dead.die()
        killed = time.monotonic()
        self.wait_for(lambda: self.balancer.down_at("nodes/n1") is not None)
        # The other node is checked each second: at most once before the first refused check, once until the third.
        self.assertLessEqual(alive.pings - pings, 2)
        print(f"out after {self.balancer.down_at('nodes/n1') - killed:.2f} s")
        dead.live()
        self.wait_for(lambda: self.balancer.ask()[1] == "n1")

    def test_nobody_sees_that_a_node_was_killed(self):
        self.start(["n1", "n2", "n3"])
        self.forget()
        statuses = [self.balancer.ask()[0] for _ in range(20)]
        self.nodes[0].die()
        statuses += [self.balancer.ask()[0] for _ in range(100)]
        self.assertEqual(set(statuses), {200})
        # Users' refused connections put it out before the checks could.
        self.wait_for(lambda: self.balancer.down_at("nodes/n1") is not None)

    def test_a_get_is_asked_once_more_and_a_post_never(self):
        self.start(["n1", "n2"])
        for fault in (503, "close"):
            self.nodes[0].search = fault
            self.forget()
            self.assertEqual({self.balancer.ask()[0] for _ in range(40)}, {200}, fault)
            self.assertEqual(len(self.nodes[1].requests), 40)
            self.assertGreater(len(self.nodes[0].requests), 0)
            self.forget()
            statuses = [self.balancer.ask("POST")[0] for _ in range(40)]
            self.assertEqual(self.seen("POST"), 40, fault)
            failed = len(self.nodes[0].requests)
            self.assertGreater(failed, 0)
            self.assertEqual(statuses.count(200), 40 - failed)
            self.assertEqual(statuses.count(503 if fault == 503 else 502), failed)

    def test_one_retry_is_all(self):
        self.start(["n1", "n2", "n3"])
        for node in self.nodes:
            node.search = 503
        self.forget()
        self.assertEqual({self.balancer.ask()[0] for _ in range(20)}, {503})
        self.assertEqual(self.seen("GET"), 40)

    def test_too_many_requests_is_passed_on(self):
        self.start(["n1", "n2"])
        for node in self.nodes:
            node.search = 429
        self.forget()
        self.assertEqual({self.balancer.ask()[0] for _ in range(20)}, {429})
        self.assertEqual(self.seen("GET"), 20)

    def test_in_mesh_whoever_can_answers_in_part(self):
        self.start(["n1", "n2"])
        for node in self.nodes:
            node.ping = 503
        self.nodes[0].ping_any = 503
        for server in ("nodes/n1", "nodes/n2", "nodes_degraded/n1"):
            self.wait_for(lambda server=server: self.balancer.down_at(server) is not None)
        self.assertEqual({self.balancer.ask()[:2] for _ in range(20)}, {(200, "n2")})
        self.nodes[0].ping = 200
        self.wait_for(lambda: self.balancer.ask()[1] == "n1")
        self.assertEqual({self.balancer.ask()[1] for _ in range(20)}, {"n1"}, "one that can answer in full is enough")

    def test_in_strict_nobody_does(self):
        self.start(["n1", "n2"], "strict")
        for node in self.nodes:
            node.ping = 503
        self.wait_for(lambda: all(self.balancer.down_at(f"nodes/{node.name}") for node in self.nodes))
        self.forget()
        status, _, body = self.balancer.ask()
        self.assertEqual((status, b'"unavailable"' in body), (503, True))
        self.assertEqual(self.seen("GET"), 0)
        for node in self.nodes:
            node.ping = 200
        self.wait_for(self.answers)

    def test_nodes_say_their_weight(self):
        self.start(["n1", "n2"])
        for light, heavy in ((0, 1), (1, 0)):
            self.nodes[light].weight, self.nodes[heavy].weight = 2, 100

            def share():
                self.forget()
                for _ in range(100):
                    self.balancer.ask()
                return len(self.nodes[light].requests)

            # Ideal are 2 of 100.
            self.wait_for(lambda: share() < 20)
            self.assertLess(share(), 20)

    def test_request_ids_are_the_balancers_and_traces_the_users(self):
        self.start(["n1"])
        self.forget()
        self.balancer.ask(headers={"X-Request-Id": "forged", "traceparent": TRACE})
        self.balancer.ask()
        (_, first), (_, second) = self.nodes[0].requests
        self.assertEqual(first["traceparent"], TRACE)
        self.assertNotIn("traceparent", second)
        self.assertRegex(first["x-request-id"], "^[0-9a-f-]{36}$")
        self.assertNotEqual(first["x-request-id"], second["x-request-id"])

    def test_a_taken_port_is_an_error(self):
        self.start(["n1"])
        second = subprocess.run(self.balancer.command, capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(second.returncode, 1)
        self.assertIn("cannot bind socket (Address already in use)", second.stderr)


if __name__ == "__main__":
    if shutil.which("haproxy") is None:
        print("haproxy is not installed")
        sys.exit(77)
    SOUKCTL = sys.argv.pop(1)
    unittest.main()
