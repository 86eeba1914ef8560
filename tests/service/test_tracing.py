"""Traces: a collector on loopback is sent what the service does."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.service.processes import ServiceProcess


def test_a_collector_is_told_what_the_service_does(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry is not installed")
    bodies: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    service = ServiceProcess(tmp_path, f"tracing: http://127.0.0.1:{server.server_port}/v1/traces\n")
    try:
        service.start()
        service.ask("pair", "a ; b")
        service.send({"type": "a"}, {"type": "b"})
        service.detections(rule="pair")
        assert service.stop() == 0  # then all of it was sent
    finally:
        service.kill()
        server.shutdown()
        server.server_close()
    told = b"".join(bodies)
    for name in (b"POST /v1/events", b"POST /v1/requests", b"commit", b"evaluate", b"tocsin"):
        assert name in told
