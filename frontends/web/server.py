"""The server of the page: a few files, one stream of events and two kinds of requests."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from ..shared.setup import SetupError
from ..shared.texts import LANGUAGES
from .actions import RequestError
from .sessions import Session, Sessions

SLOWEST = 20.0  # seconds in which a request has to arrive
PULSE = 10.0  # seconds between two signs of life on a stream
COOKIE = "extremum"
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
PAGES = {
    "/": "index.html",
    "/style.css": "style.css",
    "/app.js": "app.js",
    "/board.js": "board.js",
    "/controls.js": "controls.js",
    "/keys.js": "keys.js",
    "/icon.svg": "icon.svg",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """Serves the page to the hosts' names it is known by."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self, address: tuple[str, int], sessions: Sessions, names: frozenset[str], most: int, largest: int
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.sessions = sessions
        self.names = names
        self.largest = largest  # bytes of a request
        self._places = threading.BoundedSemaphore(most)
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection a thread, if there is one left."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def service_actions(self) -> None:
        """Between requests, send home the engines that nobody uses."""
        self.sessions.sweep()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle is no news."""


class _BadRequestError(Exception):
    """A request that cannot be read."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "Extremum"
    sys_version = ""
    timeout = SLOWEST

    def do_GET(self) -> None:
        """Send a file, the texts, or the stream of events."""
        path = self.path.partition("?")[0]
        if not self._is_ours():
            return
        if path in PAGES:
            name = PAGES[path]
            body = files(__package__).joinpath("page").joinpath(name).read_bytes()
            self._send(HTTPStatus.OK, body, TYPES[name.rpartition(".")[2]])
        elif path == "/texts.json":
            self._send_json(HTTPStatus.OK, LANGUAGES)
        elif path == "/events":
            self._stream()
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def do_POST(self) -> None:
        """Open a session, act in it, or hand over its record."""
        works: dict[str, Callable[[Any], None]] = {"/session": self._open, "/do": self._do, "/sgf": self._record}
        if not self._is_ours() or not self._is_same_origin():
            return None
        work = works.get(self.path)
        if work is None:
            return self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
        try:
            return work(self._body())
        except _BadRequestError as error:
            return self._refuse(error.status, str(error))

    def _open(self, request: Any) -> None:
        if self._session() is not None:
            return self._send_json(HTTPStatus.OK, {})
        key = self.server.sessions.open()
        if key is None:
            return self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "full")
        cookie = f"{COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict"
        return self._send_json(HTTPStatus.OK, {}, {"Set-Cookie": cookie})

    def _do(self, request: Any) -> None:
        session = self._session()
        if session is None:
            return self._refuse(HTTPStatus.GONE, "asleep")
        try:
            session.act(request)
        except SetupError as error:  # a person's choice, which the page explains
            return self._send_json(HTTPStatus.OK, {"error": str(error), "values": error.values})
        except RequestError as error:
            return self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        return self._send_json(HTTPStatus.OK, {})

    def _record(self, request: Any) -> None:
        session = self._session()
        text = None if session is None else session.record()
        if text is None:
            return self._refuse(HTTPStatus.GONE, "asleep" if session is None else "engine_gone")
        return self._send_json(HTTPStatus.OK, {"sgf": text})

    def _stream(self) -> None:
        """Send what is new until the browser or the session leaves."""
        session = self._session()
        if session is None:
            return self._refuse(HTTPStatus.GONE, "asleep")
        self.close_connection = True
        self._head(HTTPStatus.OK, "text/event-stream", {"Connection": "close"})
        version, told = -1, 0
        while True:
            news = session.watch(version, told, PULSE)
            if news is None:
                self.wfile.write(b": still here\n\n")
                continue
            version, told, values = news
            name = "state" if values else "asleep"
            self.wfile.write(f"event: {name}\ndata: {json.dumps(values)}\n\n".encode())
            if not values:
                return None

    def _session(self) -> Session | None:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return None
        return None if cookie is None else self.server.sessions.find(cookie.value)

    def _is_ours(self) -> bool:
        """A page elsewhere whose name was made to point here must get nothing."""
        host = self.headers.get("Host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        if name.strip("[]").lower() in self.server.names:
            return True
        self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name")
        return False

    def _is_same_origin(self) -> bool:
        """Only our own page may act."""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "same-origin")
        if origin in (None, f"http://{self.headers.get('Host')}") and site in ("same-origin", "none"):
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "the request comes from another page")
        return False

    def _body(self) -> Any:
        """The values of a request."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json":
            raise _BadRequestError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a request is application/json")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            raise _BadRequestError(HTTPStatus.LENGTH_REQUIRED, "a request tells its length")
        largest = self.server.largest
        if len(length) > 12 or int(length) > largest:
            raise _BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {largest} bytes")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise _BadRequestError(HTTPStatus.BAD_REQUEST, "the request is no JSON") from error

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        """Say why in one line, and hang up: what was not read must not be taken for the next request."""
        self.close_connection = True
        self._send_json(status, {"error": text}, {"Connection": "close"})

    def _send_json(self, status: HTTPStatus, values: object, more: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(values).encode(), "application/json", more)

    def _send(self, status: HTTPStatus, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self._head(status, kind, {"Content-Length": str(len(body)), **(more or {})})
        self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": f"{kind}; charset=utf-8"} | HEADERS | more).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *values: object) -> None:  # noqa: A002, the library's name
        """Nobody reads about single requests."""
