# SPDX-License-Identifier: Apache-2.0
"""Requests that nobody sane sends, directly to a node and through HAProxy: refused, with no sub-request and no pool task,
and one request never becomes two."""

import select
import socket
import sys
import unittest

from trust_world import TrustWorld

SHARDS = 2
HIDDEN = "GET /search?text=hidden HTTP/1.1\r\nHost: souk\r\n\r\n"  # what a second reader might take for a request
GET = "GET /search?text=%D0%BB%D0%B0%D0%BC%D0%BF%D0%B0 HTTP/1.1\r\nHost: souk\r\n"
POST = "POST /search HTTP/1.1\r\nHost: souk\r\n"
LENGTH = f"Content-Length: {len(HIDDEN)}\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
LAST_CHUNK = "0\r\n\r\n"


def target(text):
    return f"GET {text} HTTP/1.1\r\nHost: souk\r\n\r\n"


# name, bytes, the node's own answer
FRAMING = [
    ("chunked", POST + CHUNKED + "\r\n" + LAST_CHUNK, 400),
    ("chunked and a length", POST + CHUNKED + LENGTH + "\r\n" + LAST_CHUNK + HIDDEN, 400),
    ("a length and chunked", POST + "Content-Length: 5\r\n" + CHUNKED + "\r\n" + LAST_CHUNK + HIDDEN, 400),
    ("gzip and a length", POST + "Transfer-Encoding: gzip\r\n" + LENGTH + "\r\n" + HIDDEN, 400),
    ("an unknown coding", POST + "Transfer-Encoding: xchunked\r\n\r\n" + LAST_CHUNK + HIDDEN, 400),
    ("chunked, identity", POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + LAST_CHUNK + HIDDEN, 400),
    ("chunked twice", POST + CHUNKED + CHUNKED + "\r\n" + LAST_CHUNK, 400),
    ("chunked with a tab", POST + "Transfer-Encoding:\tchunked\t\r\n\r\n" + LAST_CHUNK, 400),
    ("a blank before the colon", POST + "Transfer-Encoding : chunked\r\n" + LENGTH + "\r\n" + HIDDEN, 400),
    ("chunked in HTTP/1.0", "POST /search HTTP/1.0\r\nHost: souk\r\n" + CHUNKED + "\r\n" + LAST_CHUNK + HIDDEN, 400),
    ("a chunk size over 64 bits", POST + CHUNKED + "\r\n10000000000000005\r\nhello\r\n" + LAST_CHUNK, 400),
    ("a signed chunk size", POST + CHUNKED + "\r\n+5\r\nhello\r\n" + LAST_CHUNK, 400),
    ("rubbish after a chunk", POST + CHUNKED + "\r\n5\r\nhelloXX" + LAST_CHUNK, 400),
    ("a bare LF in a chunk extension", POST + CHUNKED + "\r\n5;a\nhello\r\n" + LAST_CHUNK, 400),
    ("two equal lengths", POST + LENGTH + LENGTH + "\r\n" + HIDDEN, 400),
    ("two different lengths", POST + LENGTH + "Content-Length: 0\r\n\r\n" + HIDDEN, 400),
    ("a list of lengths", POST + "Content-Length: 5, 5\r\n\r\nhello", 400),
    ("a signed length", POST + "Content-Length: +5\r\n\r\nhello", 400),
    ("a negative length", POST + "Content-Length: -1\r\n\r\n" + HIDDEN, 400),
    ("a hexadecimal length", POST + "Content-Length: 0x5\r\n\r\nhello", 400),
    ("an empty length", POST + "Content-Length: \r\n\r\n" + HIDDEN, 400),
    ("a length over 64 bits", POST + "Content-Length: 18446744073709551621\r\n\r\nhello", 413),
    ("GET with a body", GET + LENGTH + "\r\n" + HIDDEN, 400),
    ("HEAD with a body", "HEAD /search HTTP/1.1\r\nHost: souk\r\n" + LENGTH + "\r\n" + HIDDEN, 400),
    ("no Host", "GET /search HTTP/1.1\r\n\r\n", 400),
    ("two Hosts", GET + "Host: other\r\n\r\n", 400),
    ("a list of Hosts", "GET /search HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    ("a Host with a path", "GET /search HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    ("a folded header", GET + "X: a\r\n b\r\n\r\n", 400),
    ("a blank before the first header", "GET /search HTTP/1.1\r\n Host: souk\r\n\r\n", 400),
    ("an empty header name", GET + ": a\r\n\r\n", 400),
    ("a header without a colon", GET + "nothing\r\n\r\n", 400),
    ("NUL in a value", GET + "X: a\0b\r\n\r\n", 400),
    ("a control character in a value", GET + "X: a\x01b\r\n\r\n", 400),
    ("a bare CR in a value", GET + "X: a\rb\r\n\r\n", 400),
    ("bare LF for all line ends", GET.replace("\r\n", "\n") + "\n", 400),
    ("CR CR LF", GET.replace("\r\n", "\r\r\n") + "\r\r\n", 400),
    ("HTTP/1.2", "GET /search HTTP/1.2\r\nHost: souk\r\n\r\n", 505),
    ("HTTP/2.0", "GET /search HTTP/2.0\r\nHost: souk\r\n\r\n", 505),
    ("no version", "GET /search\r\n\r\n", 400),
    ("another protocol", "GET /search FTP/1.1\r\nHost: souk\r\n\r\n", 400),
    ("an absolute target", target("http://evil.example/search"), 400),
    ("a fragment", target("/search#x"), 400),
    ("a blank in the target", target("/search?text=a b"), 400),
    ("a control character in the target", target("/search?text=a\x01"), 400),
    ("NUL in the target", target("/search?text=a\0"), 400),
    ("65 headers", GET + "".join(f"X{i}: a\r\n" for i in range(65)) + "\r\n", 431),
    ("a header of 9 KiB", GET + "X: " + "a" * 9216 + "\r\n\r\n", 431),
    ("a header of 100 KiB", GET + "X: " + "a" * 102400 + "\r\n\r\n", 431),
    ("a target of 9 KiB", target("/search?text=" + "a" * 9216), 414),
    ("10,000 filters", target("/search?" + "&".join(["vendor=a"] * 10000)), 414),
    ("a body over 64 KiB", POST + "Content-Length: 65537\r\n\r\n" + "a" * 65537, 413),
    ("a body of 10 GB to come", POST + "Content-Length: 10000000000\r\n\r\n", 413),
]

# HAProxy makes a sound request of these before it sends them on, so the node may answer it.
MADE_SOUND = {"bare LF for all line ends", "a folded header", "HTTP/1.2", "HTTP/2.0"}

ARGUMENTS = [
    ("text=%FF", "text"), ("text=%C0%AF", "text"), ("text=%ED%A0%80", "text"), ("text=%00", "text"), ("text=a%00b", "text"),
    ("text=%zz", "text"), ("text=%", "text"), ("text=%4", "text"), ("te%FFxt=a", None), ("te%00xt=a", None),
    ("text=" + "a" * 513, "text"), ("text=" + "+".join(f"w{i}" for i in range(33)), "text"),
    ("page=1000000000", "page"), ("page=99999999999999999999", "page"), ("page=0", "page"), ("page=-1", "page"),
    ("page=1001&per_page=10", "page"), ("per_page=1000000", "per_page"), ("page=1&page=2", "page"),
    ("&".join(["vendor=a"] * 800), None), ("&".join(f"param.p{i}=a" for i in range(400)), None),
    ("&".join(f"x{i}=a" for i in range(1000)), None), ("&".join(f"facets=param.p{i}" for i in range(100)), "facets"),
    ("facets=colour", "facets"), ("sort=best", "sort"), ("group=shop", "group"), ("in_stock=perhaps", "in_stock"),
    ("price_from=1e9", "price_from"), ("price_to=99999999999999999999", "price_to"), ("price_from=2&price_to=1", "price_from"),
    ("model=18446744073709551616", "model"),
]


def receive(connection, seconds):
    """More bytes; empty when the peer has closed or nothing comes for so long."""
    if not select.select([connection], [], [], seconds)[0]:
        return b""
    try:
        return connection.recv(65536)
    except ConnectionError:
        return b""


def take_status(buffer, bodiless=False):
    """(status of the first whole response in the buffer, the rest); (None, buffer) when there is none."""
    head, end, rest = buffer.partition(b"\r\n\r\n")
    if not end:
        return None, buffer
    lines = head.decode("latin1").lower().split("\r\n")
    length = next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), 0)
    length = 0 if bodiless else length
    if len(rest) < length:
        return None, buffer
    return int(lines[0].split()[1]), rest[length:]


def statuses(address, data, wanted=1):
    """Of all responses to these bytes: waits long for the wanted ones, and then a little for one too many."""
    host, port = address.split(":")
    found, buffer, bodiless = [], b"", data.startswith("HEAD") if isinstance(data, str) else False
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        try:
            connection.sendall(data if isinstance(data, bytes) else data.encode("latin1"))
        except ConnectionError:
            pass  # refused before all was sent; the answer may be there
        while True:
            status, buffer = take_status(buffer, bodiless)
            if status is not None:
                found.append(status)
                continue
            more = receive(connection, 10 if len(found) < wanted else 0.05)
            if not more:
                return found
            buffer += more


class HttpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = TrustWorld(clusters=(SHARDS,), mode="mesh")
        cls.addClassCleanup(cls.world.close)
        cls.world.up()
        cls.node = cls.world.public("c1-1")
        cls.balancer = cls.world.balancer()

    def work(self):
        """Sub-requests sent and pool tasks taken so far, in the whole cluster."""
        return (self.world.metric_sum("souk_meta_sub_requests_total"), self.world.metric_sum("souk_shard_searches_total"))

    def assert_work(self, before, whole_queries):
        more = SHARDS * whole_queries
        self.assertEqual(self.work(), (before[0] + more, before[1] + more))
        self.assertEqual(self.world.metric_sum("souk_shard_queued_searches"), 0)

    def tearDown(self):
        for node in self.world.nodes:
            self.assertEqual([line["query"] for line in self.world.access_log(node) if "hidden" in line["query"]], [])

    def test_10_framing_directly(self):
        for name, data, wanted in FRAMING:
            with self.subTest(name):
                before = self.work()
                self.assertEqual(statuses(self.node, data), [wanted])
                self.assert_work(before, 0)

    def test_11_framing_through_the_balancer(self):
        for name, data, _ in FRAMING:
            with self.subTest(name):
                before = self.work()
                found = statuses(self.balancer, data)
                self.assertEqual(len(found), 1, "one request, one answer")
                if name in MADE_SOUND and found == [200]:
                    self.assert_work(before, 1)
                else:
                    self.assertIn(found[0], (400, 405, 413, 414, 431, 505))
                    self.assert_work(before, 0)

    def test_12_framing_on_every_other_port(self):
        ip = self.world.nodes["c1-1"]
        for address in (f"{ip}:8001", f"{ip}:8002", f"{self.world.network}.2:8000", f"{self.world.network}.3:8000"):
            for name, data, wanted in FRAMING:
                if wanted == 413:
                    continue  # ports between our servers take larger bodies
                with self.subTest(name, address=address):
                    self.assertEqual(statuses(address, data), [wanted])

    def test_20_arguments(self):
        for way, address in (("directly", self.node), ("through the balancer", self.balancer)):
            for query, argument in ARGUMENTS:
                with self.subTest(query[:60], way=way):
                    before = self.work()
                    status, body = self.world.get(address, f"/search?{query}")
                    self.assertEqual(status, 400, body)
                    if argument:
                        self.assertEqual(body["error"]["argument"], argument, body)
                    self.assert_work(before, 0)
            for path in ("/offer/99999999999999999999999", "/offer/%00", "/offer/-1", "/offers", "/nothing/../search"):
                with self.subTest(path, way=way):
                    before = self.work()
                    self.assertIn(self.world.get(address, path)[0], (400, 404))
                    self.assert_work(before, 0)

    def test_21_raw_bytes_in_the_target(self):
        for address in (self.node, self.balancer):
            before = self.work()
            self.assertEqual(statuses(address, b"GET /search?text=\xff\xfe HTTP/1.1\r\nHost: souk\r\n\r\n"), [400])
            self.assert_work(before, 0)

    def test_30_pipelined_requests_are_answered_in_their_order(self):
        before = self.work()
        pair = target("/search?page=0") + target("/nothing")
        self.assertEqual(statuses(self.node, pair * 200, wanted=400), [400, 404] * 200)
        self.assert_work(before, 0)
        # What follows a refused head is not read.
        self.assertEqual(statuses(self.node, target("/nothing") + GET + CHUNKED + "\r\n" + HIDDEN, wanted=2), [404, 400])
        self.assert_work(before, 0)

    def test_40_slow_clients_are_let_go(self):
        before = self.work()
        half_head = GET.encode()
        half_body = f"{POST}Content-Length: 100\r\n\r\nhalf".encode()
        waiting = {}
        for name, address, data in (("head", self.node, half_head), ("body", self.node, half_body),
                                    ("drip", self.node, half_head), ("head at the balancer", self.balancer, half_head)):
            host, port = address.split(":")
            connection = socket.create_connection((host, int(port)), timeout=20)
            self.addCleanup(connection.close)
            connection.sendall(data)
            waiting[connection] = name
        drip = next(connection for connection, name in waiting.items() if name == "drip")
        ended = {}
        for _ in range(150):  # of 0.1 s
            for connection in select.select(list(waiting), [], [], 0.1)[0]:
                ended[waiting.pop(connection)] = take_status(receive(connection, 0))[0]
            if not waiting:
                break
            if drip in waiting:
                try:
                    drip.sendall(b"X")
                except ConnectionError:
                    pass
        self.assertEqual(waiting, {}, ended)
        self.assertEqual(set(ended.values()), {408}, ended)
        self.assertEqual(self.world.search(self.node)[0], 200, "nobody else waits for them")
        self.assert_work(before, 1)

    def test_50_a_query_is_one_line_in_the_access_log(self):
        before = {node: len(self.world.access_log(node)) for node in self.world.nodes}
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        data = f"GET /search?text=a%0Ab&x=%22%7D HTTP/1.1\r\nHost: souk\r\ntraceparent: {trace}\r\n\r\n"
        self.assertEqual(statuses(self.balancer, data), [200])
        new = [line for node in self.world.nodes for line in self.world.access_log(node)[before[node]:]]
        self.assertEqual([line["query"] for line in new], ["text=a%0Ab&x=%22%7D"])
        self.assertEqual(new[0]["traceparent"].split("-")[1], trace.split("-")[1])
        self.assertTrue(new[0]["complete"])


if __name__ == "__main__":
    sys.exit(unittest.main())
