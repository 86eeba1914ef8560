"""The health check of the container, as Docker runs it, against a server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

HEALTH = Path(__file__).resolve().parents[2] / "docker/health.py"


class Answers(BaseHTTPRequestHandler):
    """Answers with the status that the path names."""

    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    listening = HTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=listening.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{listening.server_port}"
    listening.shutdown()
    thread.join()
    listening.server_close()


def asked(address: str) -> tuple[int, str]:
    """How the check ends, and what it says."""
    surroundings = {"TOCSIN_HEALTH": address, "http_proxy": "http://127.0.0.1:1"}
    done = subprocess.run([sys.executable, str(HEALTH)], env=surroundings, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_what_answers_is_well(server: str) -> None:
    assert asked(f"{server}/200") == (0, "")


def test_what_says_that_it_is_not_is_not(server: str) -> None:
    code, said = asked(f"{server}/503")
    assert code == 1
    assert "503" in said or "Service Unavailable" in said


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/", "nonsense", "http://["])
def test_what_cannot_be_asked_is_not(address: str) -> None:
    code, said = asked(address)
    assert code == 1
    assert said.startswith(address)


@pytest.mark.parametrize("address", ["", "none"])
def test_what_has_nothing_to_ask_is_well(address: str) -> None:
    assert asked(address) == (0, "")
