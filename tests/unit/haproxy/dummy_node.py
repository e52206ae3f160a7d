# SPDX-License-Identifier: Apache-2.0
"""A node that does what a test tells it: HTTP on one port, the agent's line on another, all on one address."""

import socket
import socketserver
import threading


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # a connection that the test cut


class DummyNode:
    """search, ping and ping_any are statuses; search may be "close" (reads the request, then hangs up)."""

    def __init__(self, name, ip):
        self.name, self.ip = name, ip
        self.search, self.ping, self.ping_any = 200, 200, 200
        self.weight = 100
        self.requests = []  # (method, headers) of what is not /ping
        self.pings = 0
        self.lock = threading.Lock()
        self.connections = set()
        self.http = self._listen(self._serve_http, 0)
        self.agent = self._listen(self._serve_agent, 0)
        self.port, self.agent_port = self.http.server_address[1], self.agent.server_address[1]

    def _listen(self, serve, port):
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                serve(self.request)

        server = _Server((self.ip, port), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return server

    def _serve_agent(self, connection):
        connection.sendall(b"up %d%%\n" % self.weight)

    def _serve_http(self, connection):
        with self.lock:
            self.connections.add(connection)
        try:
            with connection.makefile("rb") as stream:
                while self._answer_one(connection, stream):
                    pass
        finally:
            with self.lock:
                self.connections.discard(connection)

    def _answer_one(self, connection, stream):
        line = stream.readline()
        if not line:
            return False
        method, target, _ = line.decode().split(" ")
        headers = {}
        while (line := stream.readline().strip()):
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        stream.read(int(headers.get("content-length", 0)))
        if target == "/ping?level=any":
            status = self.ping_any
        elif target == "/ping":
            self.pings += 1
            status = self.ping
        else:
            with self.lock:
                self.requests.append((method, headers))
            status = self.search
        if status == "close":
            connection.shutdown(socket.SHUT_RDWR)
            return False
        head = f"HTTP/1.1 {status} X\r\nX-Server: {self.name}\r\nContent-Length: {len(self.name)}\r\n\r\n"
        connection.sendall((head + self.name).encode())
        return True

    def die(self):
        """As after kill -9: nothing listens, every connection is broken."""
        for server in (self.http, self.agent):
            if server:
                server.shutdown()
                server.server_close()
        self.http = self.agent = None
        with self.lock:
            for connection in self.connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # it ended by itself

    def live(self):
        self.http = self._listen(self._serve_http, self.port)
        self.agent = self._listen(self._serve_agent, self.agent_port)
