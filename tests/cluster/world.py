# SPDX-License-Identifier: Apache-2.0
"""A market of real processes, started through ./souk in a folder of its own."""

import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build" / "release"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def free_port(nodes=8):
    """A base port whose whole family (topology init's) is free now; below the range that the system hands out itself."""
    for _ in range(200):
        base = random.randrange(20000, 32000)
        family = [base, base + 201, base + 202, base + 203, base + 204]
        family += [base + kind + i for kind in (0, 100, 300, 400) for i in range(1, nodes + 1)]
        sockets = []
        try:
            for port in family:
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return base
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise RuntimeError("no free family of ports")


class World:
    def __init__(self, shards=8):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="souk-cluster-"))
        self.data = self.folder / "data"
        self.shards = shards
        self.port = free_port(shards)
        if shards != 8:
            self.data.mkdir()
            self.init_topology()

    def init_topology(self):
        command = [BIN / "soukctl", "topology", "init", "--port", str(self.port), "--shards", str(self.shards)]
        subprocess.run(command + ["--out", self.data / "topology.toml"], check=True, stdout=subprocess.DEVNULL)

    def souk(self, *arguments):
        """Runs ./souk COMMAND --data DATA ARGUMENTS and gives its result, whatever the exit code is."""
        command = [ROOT / "souk", arguments[0], "--data", self.data, *arguments[1:]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False)

    def up(self, *feeds):
        arguments = [word for feed in feeds for word in ("--feed", str(feed))]
        return self.souk("up", "--detach", "--port", str(self.port), *arguments)

    def must_up(self, *feeds):
        result = self.up(*feeds)
        if result.returncode != 0:
            raise AssertionError(f"up failed ({result.returncode}):\n{result.stdout}\n{result.stderr}\n{self.logs()}")
        return result

    def logs(self):
        """The last lines of every log: what one wants to see when a test fails."""
        texts = []
        for log in sorted((self.data / "logs").glob("*.log")):
            lines = log.read_text(errors="replace").splitlines()[-5:]
            texts.append(f"{log.name}:\n  " + "\n  ".join(lines))
        return "\n".join(texts)

    def processes(self):
        return json.loads(self.souk("status", "--json").stdout)["processes"]

    def pids(self):
        return {file.stem: int(file.read_text()) for file in (self.data / "run").glob("*.pid")}

    def living(self):
        """Command lines of all processes on this machine that name this data folder."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if any(word.startswith(bytes(self.data)) for word in words):
                    found.append(b" ".join(words).decode(errors="replace"))
        return found

    def get(self, path, port=None, **parameters):
        """(status, JSON). A list value repeats its parameter; param_X stands for param.X."""
        pairs = []
        for name, value in parameters.items():
            name = "param." + name[6:] if name.startswith("param_") else name
            pairs += [(name, each) for each in (value if isinstance(value, list) else [value])]
        return self.get_pairs(path, pairs, port)

    def get_pairs(self, path, pairs, port=None):
        url = f"http://127.0.0.1:{port or self.port}{path}?{urllib.parse.urlencode(pairs)}"
        try:
            with DIRECT.open(url, timeout=30) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def search(self, port=None, **parameters):
        status, reply = self.get("/search", port, **parameters)
        if status != 200:
            raise AssertionError(f"/search {parameters}: {status} {reply}")
        return reply

    def node_port(self, number):
        return self.port + number

    def latest(self):
        return (self.data / "generations" / "LATEST").read_text().strip()

    def report(self, shop):
        return json.loads((self.data / "reports" / f"{shop}.json").read_text())

    def close(self):
        if (self.data / "run").is_dir():
            self.souk("down")
        left = self.living()
        shutil.rmtree(self.folder, ignore_errors=True)
        if left:
            raise AssertionError("processes are left: " + "; ".join(left))


def wait_for(condition, seconds=30):
    """Polls until the condition gives something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        time.sleep(0.1)
