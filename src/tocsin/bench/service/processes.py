"""The processes that are measured: `tocsin serve` and what stands beside it, what they use, and what they say."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Final, Self

from tocsin.bench.service.bodies import Address
from tocsin.errors import TocsinError
from tocsin.service.client import Client

PATIENCE: Final = 60.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_USER, _SYSTEM = 11, 12
"""Where `/proc/PID/stat` has the times, counted from behind the name."""
_SERVE: Final = "import sys; from tocsin.cli import main; sys.exit(main())"
_LISTENING: Final = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")
_KEY: Final = re.compile(r"told this once: (\S+)")


class Process:
    """A process that says where it listens, on loopback, until the block ends."""

    def __init__(self, command: Sequence[str], last: str = "listening on") -> None:
        self._said: list[str] = []
        self._last, self._ready = last, threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        threading.Thread(target=self._hear, args=(self._process.stdout,), daemon=True).start()

    def _hear(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._said.append(line.rstrip("\n"))
                if self._last in line:
                    self._ready.set()
        self._ready.set()

    def __enter__(self) -> Self:
        self._ready.wait(PATIENCE)
        if _LISTENING.search(self.said) is None:
            self.stop()
            raise TocsinError(f"what is measured did not begin to listen; it said: {self.said or 'nothing'}")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def said(self) -> str:
        """What it has said so far."""
        return "\n".join(self._said)

    @property
    def address(self) -> Address:
        """Where it takes events."""
        found, key = _LISTENING.search(self.said), _KEY.search(self.said)
        assert found is not None
        return Address(int(found[1]), "" if key is None else key[1])

    def tell(self, line: str) -> None:
        """Says something to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def cpu(self) -> float:
        """Seconds of user and system time so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS

    def memory(self) -> int:
        """Bytes that are resident."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * _PAGE

    def stop(self) -> None:
        """Ends it in order."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


_SETTINGS: Final = """\
remember: {remember}
deliveries: {{allowed_networks: [127.0.0.0/8]}}
access: {{rates: {{requests: 1000000, requests_at_once: 1000000}}}}
"""


class ServiceProcess(Process):
    """`tocsin serve` on a store of its own."""

    def __init__(self, home: Path, remember: str = "1 h") -> None:
        home.mkdir(exist_ok=True)
        settings, self.store = home / "serve.yaml", home / "tocsin.db"
        settings.write_text(_SETTINGS.format(remember=remember))
        where = ["--config", str(settings), "--store", str(self.store), "--port", "0"]
        super().__init__(["-c", _SERVE, "serve", *where], last="try: ")

    @property
    def client(self) -> Client:
        """Whoever asks it, with the operator's key."""
        to = self.address
        return Client(f"http://127.0.0.1:{to.port}", to.key)

    def figure(self, name: str) -> int:
        """One of its figures, as `/metrics` has it."""
        told: Any = self.client.call("GET", "/metrics")
        found = re.search(rf"^{re.escape(name)} (\S+)$", told, re.MULTILINE)
        return 0 if found is None else int(float(found[1]))

    def settle(self) -> None:
        """Waits until all that it keeps was evaluated."""
        deadline = time.monotonic() + PATIENCE * 5
        while self.figure("tocsin_processed_position") < self.figure("tocsin_log_position"):
            if time.monotonic() > deadline:
                raise TocsinError("the service does not come to the end of what was sent")
            time.sleep(0.05)


class ReferenceChain(Process):
    """uvicorn, msgspec and a group commit, and nothing else."""

    def __init__(self, home: Path, notify: str = "") -> None:
        home.mkdir(exist_ok=True)
        self.store = home / "reference.db"
        super().__init__(["-m", "tocsin.bench.service.reference_chain", str(self.store), notify])


class BareSends(Process):
    """Bytes to many sockets, one `send` each, and nothing else."""

    def __init__(self, listeners: int, size: int) -> None:
        super().__init__(["-m", "tocsin.bench.service.bare_sends", str(listeners), str(size)])
