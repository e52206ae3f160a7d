# SPDX-License-Identifier: Apache-2.0
"""Open-loop load: requests are sent when they are due, however long the answers before them take."""

import dataclasses
import http.client
import json
import threading
import time


@dataclasses.dataclass
class Reply:
    sent: float
    status: int  # 0 = no answer
    body: dict
    problem: str = ""


class Load:
    """GETs of one path at a steady rate over keep-alive connections; from the first with-line to the end of the block."""

    THREADS = 16

    def __init__(self, address, path, rate):
        self.host, port = address.split(":")
        self.port = int(port)
        self.path = path
        self.rate = rate
        self.replies = []
        self._lock = threading.Lock()
        self._next = 0
        self._stop = threading.Event()

    def __enter__(self):
        self._begin = time.monotonic()
        self._threads = [threading.Thread(target=self._run) for _ in range(self.THREADS)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=15)
        while True:
            with self._lock:
                due = self._begin + self._next / self.rate
                self._next += 1
            if self._stop.wait(max(0.0, due - time.monotonic())):
                break
            self.replies.append(self._ask(connection))
        connection.close()

    def _ask(self, connection):
        sent = time.monotonic()
        try:
            connection.request("GET", self.path)
            reply = connection.getresponse()
            return Reply(sent, reply.status, json.loads(reply.read()))
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            return Reply(sent, 0, {}, f"{type(error).__name__}: {error}")

    def count(self):
        return len(self.replies)

    def failed(self):
        return [reply for reply in list(self.replies) if reply.status != 200]
