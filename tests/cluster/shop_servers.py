# SPDX-License-Identifier: Apache-2.0
"""Shops' web servers, good and bad, on loopback."""

import gzip
import http.server
import io
import threading
import time
import zipfile

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<yml_catalog date="2026-11-01 06:00"><shop><name>{shop}</name><company>{shop}</company><url>https://shop.example/</url>
<currencies><currency id="RUB" rate="1"/></currencies>
<categories><category id="1">Toys</category></categories>
<offers>
"""
OFFER = """<offer id="{id}" available="true"><url>https://shop.example/{shop}/{id}</url><price>{price}</price>
<currencyId>RUB</currencyId><categoryId>1</categoryId><name>{shop} toy {id}</name></offer>
"""
TAIL = "</offers></shop></yml_catalog>\n"


def feed(shop, offers, price=100):
    body = "".join(OFFER.format(shop=shop, id=number, price=price) for number in range(1, offers + 1))
    return (HEAD.format(shop=shop) + body + TAIL).encode()


def zipped(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, feed("zipped", 3))
    return out.getvalue()


def bomb():
    """256 MiB of blanks within a feed in a quarter of a megabyte."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as packed:
        packed.write(HEAD.format(shop="bomb").encode())
        for _ in range(256):
            packed.write(b" " * (1 << 20))
    return out.getvalue()


def bad_bodies():
    """What can be wrong with a feed's bytes: kind of the feed's error -> body."""
    good = feed("bad", 3)
    return {
        "truncated": good[: len(good) // 2],
        "xml_malformed": good.replace(b"<name>bad toy 2", b"<name>bad < toy 2"),
        "not_a_feed": b"<!DOCTYPE html><html><body>Service unavailable</body></html>",
        "empty_body": b"  \n",
        "no_valid_offers": feed("bad", 0),
        "bad_encoding": good.replace(b"toy 1", b"\xcf\xf0\xe8"),
        "unsupported_encoding": good.replace(b"UTF-8", b"EBCDIC"),
        "dtd_entity_forbidden": good.replace(
            b"<yml_catalog", b'<!DOCTYPE yml_catalog [<!ENTITY x SYSTEM "file:///etc/passwd">]><yml_catalog', 1
        ),
        "undefined_entity": good.replace(b"toy 1", b"toy &ndash; 1"),
        "trailing_junk": good + b"<!-- --> Notice: undefined index",
        "junk_before_xml": b"Warning: mysql_connect()\n" + good,
        "missing_shop": b'<?xml version="1.0"?><yml_catalog date="2026-11-01 06:00"></yml_catalog>',
        "bad_gzip": b"\x1f\x8b\x08\x00" + b"\xff" * 200,
        "truncated_gzip": gzip.compress(good)[:-20],
        "bad_zip": b"PK\x03\x04" + b"\x00" * 100,
        "zip_entries": zipped("a.xml", "b.xml"),
    }


class ShopServers:
    """Sends pages by path; behave(path) -> function(handler) that writes an answer of its own."""

    def __init__(self, address="127.0.0.1"):
        servers = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with servers.lock:
                    servers.asked[self.path] = servers.asked.get(self.path, 0) + 1
                    page = servers.pages.get(self.path)
                if page is None:
                    self.send_error(404)
                elif callable(page):
                    page(self)
                else:
                    self.send(page)

            def send(self, body, length=None):
                self.send_response(200)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_):
                pass  # a client that goes away in the middle is what is tested

        self.lock = threading.Lock()
        self.pages, self.asked = {}, {}
        self.closing = threading.Event()
        self.server = Server((address, 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def url(self, path):
        host, port = self.server.server_address[:2]
        return f"http://{host}:{port}{path}"

    def put(self, path, page):
        with self.lock:
            self.pages[path] = page

    def close(self):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    # Servers that never come to an end.

    def never_answers(self, _):
        self.closing.wait()

    def stops_in_the_middle(self, handler):
        handler.send(feed("slow", 3)[:500], 100_000)
        handler.wfile.flush()
        self.closing.wait()

    def trickles(self, handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while not self.closing.wait(1):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    # Faults of the fetch: kind of the error -> page.

    def fetch_faults(self):
        def status(code):
            return lambda handler: handler.send_error(code)

        def redirect(path):
            def answer(handler):
                handler.send_response(302)
                handler.send_header("Location", path)
                handler.send_header("Content-Length", "0")
                handler.end_headers()

            return answer

        def short(handler):
            handler.send(feed("bad", 3), len(feed("bad", 3)) + 1000)
            handler.close_connection = True

        return {
            "http_404": status(404),
            "http_500": status(500),
            "short_body": short,
            "too_many_redirects": redirect("/fetch/too_many_redirects"),
            "bad_redirect": redirect("file:///etc/passwd"),
        }
