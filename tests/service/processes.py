"""Real services for tests: `tocsin serve` in a process of its own, on a free port, spoken to over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tocsin.service.client import Client

PATIENCE = 60.0
COMMAND = [sys.executable, "-c", "import sys; from tocsin.cli import main; sys.exit(main())"]


class ServiceProcess:
    """A service that runs until it is stopped or killed; it can be started again on the same store."""

    def __init__(self, home: Path, settings: str = "", *arguments: str, store: str | None = None) -> None:
        self.home, self._arguments = home, arguments
        self.store = store or str(home / "tocsin.db")
        self._settings = home / "serve.yaml"
        self._settings.write_text(settings or "snapshots: {entries: 50}\n")
        self.key = self.url = ""
        self.port = 0
        """Where it listens; 0 takes a free port at each start."""
        self.said: list[str] = []
        self.head: dict[str, str] = {}
        """Of the last raw answer."""
        self.process: subprocess.Popen[str] | None = None

    def start(self, *more: str) -> ServiceProcess:
        """Starts it, and waits until it takes events."""
        self.begin(*more)
        self.wait()
        return self

    def begin(self, *more: str) -> None:
        """Starts it."""
        where = ["--config", str(self._settings), "--store", self.store, "--port", str(self.port)]
        self.said = []
        self.process = subprocess.Popen(
            [*COMMAND, "serve", *self._arguments, *more, *where],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._hear, args=(stream,), daemon=True).start()

    def _hear(self, stream: Any) -> None:
        with stream:
            for line in stream:
                self.said.append(line.rstrip("\n"))

    def wait(self) -> None:
        """Waits until it says what to try, which is the last thing it says at its start."""
        deadline = time.monotonic() + PATIENCE
        while not (told := "\n".join(self.said)) or "\ntry: " not in told:
            assert self.process is not None
            assert self.process.poll() is None, told
            assert time.monotonic() < deadline, told
            time.sleep(0.02)
        found = re.search(r"listening on (\S+)", told)
        assert found is not None
        self.url = found[1]
        if key := re.search(r"told this once: (\S+)", told):
            self.key = key[1]

    @property
    def client(self) -> Client:
        """Whoever asks it, with the operator's key."""
        return Client(self.url, self.key)

    def kill(self) -> None:
        """Ends it at once, as a power failure would."""
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> int:
        """Ends it in order; its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    # -- what tests say often ------------------------------------------------------------------------------------------

    def send(self, *events: dict[str, Any]) -> dict[str, Any]:
        """Sends events in one body."""
        answer: dict[str, Any] = self.client.call("POST", "/v1/events", list(events))
        return answer

    def ask(self, name: str, expression: str, language: str = "eps", **more: Any) -> dict[str, Any]:
        """Asks to be notified."""
        document = {"name": name, "language": language, "expression": expression, "window": "1 hour", **more}
        answer: dict[str, Any] = self.client.call("POST", "/v1/requests", document)
        return answer

    def detections(self, count: int = 1, **query: Any) -> list[dict[str, Any]]:
        """Detections, once there are so many."""
        return until(lambda: self.client.call("GET", "/v1/detections", limit=1000, **query)["items"], count)

    def raw(
        self, path: str, body: bytes = b"", kind: str = "application/json", method: str = "POST", **headers: str
    ) -> tuple[int, Any]:
        """The status and the answer to a body as it is."""
        import http.client
        from urllib.parse import urlsplit

        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
        head = {"Authorization": f"Bearer {self.key}", "Content-Type": kind, **headers}
        try:
            connection.request(method, path, body, head)
            answer = connection.getresponse()
            data = answer.read()
            self.head = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, json.loads(data) if data and self.head["content-type"] == "application/json" else None
        finally:
            connection.close()


def until(look: Any, count: int = 1) -> Any:
    """What is seen, once there is enough of it."""
    deadline = time.monotonic() + PATIENCE
    while len(found := look()) < count:
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found
