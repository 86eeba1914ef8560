"""Receivers of webhooks, on loopback: each answers as a test wants, and remembers what came."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[int], int]
"""The status for the post of a number, from 0; 0: no answer before the receiver ends."""


class Receiver:
    """A server that is posted to."""

    def __init__(self, answer: Answer = lambda number: 204) -> None:
        self.posts: list[tuple[dict[str, str], dict[str, Any], bytes]] = []
        """Headers, the detection, and the body as it came."""
        self.answer = answer
        self.over = threading.Event()
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                with owner._lock:
                    number = len(owner.posts)
                    owner.posts.append(({k.lower(): v for k, v in self.headers.items()}, json.loads(body), body))
                status = owner.answer(number)
                if not status:
                    owner.over.wait()
                    return
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def numbers(self) -> list[int]:
        """The numbers of the detections that came, in their order."""
        return [post[1]["number"] for post in self.posts]

    def close(self) -> None:
        """Ends the server."""
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
