# SPDX-License-Identifier: Apache-2.0
"""A small market whose processes the test itself starts, stops and kills, each on loopback addresses of its own."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from world import DIRECT, ROOT, wait_for

BIN = pathlib.Path(os.environ.get("SOUK_BIN") or ROOT / "build" / "release")
WORDS = ("лампа", "чайник", "кабель", "чехол", "робот")
LIBC = ctypes.CDLL(None)


def take_network():
    """(a /24 of 127/8 that no other test has, what keeps it): an abstract socket, which leaves no file."""
    for number in range(1, 100):
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0souk-test-net-{number}")
            return f"127.78.{number}", lock
        except OSError:
            lock.close()
    raise RuntimeError("no free test network")


def feed(shop, offers, price=100):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<yml_catalog date="2026-11-01 06:00"><shop>',
             f"<name>{shop}</name><company>{shop}</company><url>https://shop.example/</url>",
             '<currencies><currency id="RUB" rate="1"/></currencies>',
             '<categories><category id="1">Дом</category></categories><offers>']
    for number in range(1, offers + 1):
        word = WORDS[number % len(WORDS)]
        lines.append(
            f'<offer id="{number}"><url>https://shop.example/{number}</url><price>{price + number}</price>'
            f"<currencyId>RUB</currencyId><categoryId>1</categoryId><name>{word} {shop} {number}</name>"
            f"<description>Товар {number} по цене {price}</description></offer>")
    return "\n".join(lines + ["</offers></shop></yml_catalog>", ""])


def die_with_the_test():
    LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Process:
    """One of our programs. Its lines are what it has written to stderr, with the time at which they came."""

    def __init__(self, name, command, stdout):
        self.name = name
        with open(stdout, "ab") as out:
            self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                          preexec_fn=die_with_the_test)
        self.lines = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.child.stderr:
            with self.news:
                self.lines.append((time.monotonic(), line.decode(errors="replace").rstrip()))
                self.news.notify_all()

    def runs(self):
        return self.child.poll() is None

    def wait(self):
        code = self.child.wait(timeout=30)
        self.reader.join()
        self.child.stderr.close()
        return code

    def kill(self):
        if self.runs():
            self.child.send_signal(signal.SIGKILL)
        self.wait()

    def says(self, pattern, seconds=20):
        """Goes on as soon as such a line has come; false when none does."""
        with self.news:
            return self.news.wait_for(lambda: self.first(pattern) is not None, seconds)

    def first(self, pattern, since=0.0):
        """When the first line that has this pattern came, or None."""
        return next((at for at, line in list(self.lines) if at >= since and re.search(pattern, line)), None)


class TrustWorld:
    """clusters: shards of each. Nodes are c1-1, c1-2, …, c2-1, …"""

    def __init__(self, clusters=(2,), mode="mesh", balancers=1, offers=100):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="souk-trust-"))
        self.data = self.folder / "data"
        for name in ("haproxy", "logs"):
            (self.data / name).mkdir(parents=True)
        self.network, self.lock = take_network()
        self.nodes = {f"c{c}-{s}": f"{self.network}.{10 * c + s}"
                      for c, shards in enumerate(clusters, 1) for s in range(1, shards + 1)}
        self.balancers = [f"balancer-{b}" for b in range(1, balancers + 1)]
        self.processes = {}
        self.offers = offers
        (self.data / "topology.toml").write_text(self._topology(clusters, mode))
        shutil.copy(ROOT / "market.toml", self.data)

    def _topology(self, clusters, mode):
        text = 'version = 1\n[[data_centers]]\nname = "dc1"\n'
        for number, shards in enumerate(clusters, 1):
            text += f'[[clusters]]\nname = "c{number}"\nenvironment = "production"\nmode = "{mode}"\nshards = {shards}\n'
        for name, ip in self.nodes.items():
            cluster, shard = name.split("-")
            text += (f'[[nodes]]\nname = "{name}"\ncluster = "{cluster}"\ndata_center = "dc1"\n'
                     f'roles = ["shard", "meta"]\nshard = {shard}\npublic = "{ip}:8000"\npeer = "{ip}:8001"\n'
                     f'admin = "{ip}:8002"\nagent = "{ip}:8003"\n')
        text += f'[[snippets]]\nname = "snippet-1"\ndata_center = "dc1"\naddress = "{self.network}.2:8000"\n'
        text += f'environment = "production"\n[control]\nname = "control"\naddress = "{self.network}.3:8000"\n'
        for number, name in enumerate(self.balancers, 1):
            text += f'[[balancers]]\nname = "{name}"\ndata_center = "dc1"\nlisten = "{self.network}.{100 + number}:8000"\n'
        return text

    # --- addresses ---

    def public(self, node):
        return f"{self.nodes[node]}:8000"

    def admin(self, node):
        return f"{self.nodes[node]}:8002"

    def balancer(self, number=1):
        return f"{self.network}.{100 + number}:8000"

    # --- processes ---

    def run(self, program, *arguments):
        result = subprocess.run([BIN / program, *arguments, "--topology", self.data / "topology.toml"],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        if result.returncode != 0:
            raise AssertionError(f"{program} {arguments}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def start(self, name):
        if name in self.balancers:
            command = ["haproxy", "-db", "-f", self.data / "haproxy" / name / "haproxy.cfg"]
        else:
            kind = "souk-snippet" if name == "snippet-1" else "souk-control" if name == "control" else "souk-node"
            command = [BIN / kind, "--topology", self.data / "topology.toml", "--name", name, "--data", self.data]
        self.processes[name] = Process(name, command, self.data / "logs" / f"{name}.out")
        return self.processes[name]

    def kill(self, name):
        self.processes[name].kill()

    def terminate(self, name):
        self.processes[name].child.send_signal(signal.SIGTERM)

    def publish(self, price):
        """A generation in which every offer is new; gives its id once control has it as target."""
        for shop in ("alpha", "beta"):
            (self.data / f"{shop}.yml").write_text(feed(shop, self.offers, price), encoding="utf-8")
        feeds = [word for shop in ("alpha", "beta") for word in ("--feed", self.data / f"{shop}.yml")]
        self.run("souk-indexer", "ingest", "--data", self.data, *feeds)
        self.run("souk-indexer", "build", "--market", self.data / "market.toml", "--data", self.data)
        return self.run("souk-indexer", "publish", "--data", self.data).strip().splitlines()[-1]

    def up(self):
        self.start("control")
        wait_for(lambda: self.get(f"{self.network}.3:8000", "/ping")[0] == 200)
        generation = self.publish(100)
        self.start("snippet-1")
        for node in self.nodes:
            self.start(node)
        for name in self.balancers:
            self.run("soukctl", "haproxy", "render", "--balancer", name, "--out", self.data / "haproxy" / name)
            self.start(name)
        self.wait_until_whole()
        return generation

    def wait_until_whole(self):
        """Every node says so, and so does every balancer of every node."""
        for node in self.nodes:
            wait_for(lambda node=node: self.ping(node)[0] == 200)
        for number in range(1, len(self.balancers) + 1):
            wait_for(lambda number=number: self.search(self.balancer(number))[1].get("complete") is True)

    def close(self):
        ended = [f"{name}: {self.processes[name].wait()}" for name in self.processes if not self.processes[name].runs()]
        for process in reversed(self.processes.values()):
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.lock.close()
        if ended:
            raise AssertionError(f"ended by themselves: {', '.join(ended)}\n{self.logs()}")

    def logs(self):
        return "\n".join(f"{name}: {line}" for name, process in self.processes.items() for _, line in process.lines[-8:])

    # --- questions ---

    def get(self, address, path, pairs=()):
        """(status, JSON or text); (0, why) when there is no answer."""
        url = f"http://{address}{path}" + (f"?{urllib.parse.urlencode(pairs)}" if pairs else "")
        try:
            with DIRECT.open(url, timeout=15) as reply:
                return reply.status, read(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, read(error)
        except OSError as error:
            return 0, str(error)

    def search(self, address, **parameters):
        status, body = self.get(address, "/search", list(parameters.items()))
        return status, body if isinstance(body, dict) else {}

    def ping(self, node):
        """(status, reason)"""
        status, body = self.get(self.public(node), "/ping")
        return status, body["error"]["message"] if isinstance(body, dict) else body

    def metrics(self, node):
        """series with its labels -> value"""
        text = self.get(self.admin(node), "/metrics")[1]
        pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {series: float(value) for series, value in pairs}

    def metric_sum(self, family):
        """Over all living nodes and all labels."""
        return sum(value for node in self.nodes if self.processes[node].runs()
                   for series, value in self.metrics(node).items() if series.split("{")[0] == family)

    def access_log(self, node):
        text = (self.data / "logs" / f"{node}.out").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


def read(reply):
    text = reply.read().decode()
    return json.loads(text) if reply.headers.get_content_type() == "application/json" else text
