"""A service that keeps requests for notification as the real one does over HTTP, as far as saving a rule needs it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FAULT = {"code": "bad-expression", "message": "unexpected 'bad'", "line": 1, "column": 1, "end": 4}


class Service:
    """Listens on a free port while it is entered; remembers what was asked of it."""

    key = "tk_allowed"

    def __init__(self, moved: str | None = None) -> None:
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.requests: dict[str, dict[str, Any]] = {}
        self.moved = moved
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, method: str, path: str, key: str, body: dict[str, Any]) -> tuple[int, object]:
        """The status and what is said."""
        self.asked.append((method, path, body))
        plain, _, query = path.partition("?")
        if key not in (f"Bearer {self.key}", "Bearer tk_reader"):
            return 401, {"faults": [{"code": "unknown-key", "message": "there is no such key"}]}
        if key == "Bearer tk_reader" and method != "GET":
            return 403, {"faults": [{"code": "not-allowed", "message": "this key may only read"}]}
        if body.get("expression") == "bad":
            return 422, {"faults": [FAULT]}
        if query == "dry_run=1" and method == "POST":
            return 200, {"cost": {"state": "bounded"}}
        name = plain.rpartition("/")[2] if plain.startswith("/v1/requests/") else f"r{len(self.requests) + 1}"
        if method == "POST":
            self.requests[name] = {"id": name, "version": 1, "document": body}
            return 201, self.requests[name]
        if name not in self.requests:
            return 404, {"faults": [{"code": "unknown-request", "message": "there is no such request"}]}
        if method == "PUT":
            self.requests[name] = {"id": name, "version": self.requests[name]["version"] + 1, "document": body}
        return 200, self.requests[name]


def _handler_of(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            body = json.loads(self.rfile.read(length) or b"{}")
            if service.moved is not None:
                self.send_response(307)
                self.send_header("Location", service.moved)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            status, said = service.answer(self.command, self.path, self.headers.get("Authorization", ""), body)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the names that the server looks for

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
