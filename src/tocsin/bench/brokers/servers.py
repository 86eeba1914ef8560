"""Brokers as processes of ours: started, killed, started again on the same port with what they kept.

with Nats(folder) as broker: ...    with Mosquitto(folder) as broker: ...    with Kafka(folder) as broker: ...
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tocsin.bench.brokers.jars import BROKER, jars
from tocsin.bench.peers.jars import Unavailable

STARTING: Final = 60.0
"""Seconds after which a broker that does not answer has failed to start."""
_PLACES: Final = os.pathsep.join(("/usr/sbin", "/usr/local/sbin"))
"""Where Debian puts servers, and a person's path may not lead."""


class Broker(ABC):
    """A broker on a port of this machine, with a directory of its own."""

    scheme: str

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, path: str, query: str = "") -> str:
        """The address of a topic or subject."""
        return f"{self.scheme}://127.0.0.1:{self.port}/{path}{f'?{query}' if query else ''}"

    @abstractmethod
    def command(self) -> list[str]:
        """What runs it; `Unavailable` if that is not here."""

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        command = self.command()
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        begun = time.monotonic()
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() - begun > STARTING:
                self.kill()
                last = (self.folder / "log").read_text(errors="replace")[-500:]
                raise Unavailable(f"{command[0]} does not start: {last}")
            time.sleep(0.02)

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Ends it as a person would, so that it keeps all it was told to."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """Kills it, as a power failure would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()


class Nats(Broker):
    """NATS with JetStream, which keeps its streams in files."""

    scheme = "nats"

    def command(self) -> list[str]:
        """`nats-server`, of Debian's package of that name."""
        store = str(self.folder / "streams")
        return [_tool("nats-server"), "--addr", "127.0.0.1", "--port", str(self.port), "--jetstream", "-sd", store]


class Mosquitto(Broker):
    """Mosquitto, which keeps its sessions, and everything that they have not acknowledged."""

    scheme = "mqtt"

    def command(self) -> list[str]:
        """`mosquitto`, of Debian's package of that name."""
        store = self.folder / "store"
        store.mkdir(exist_ok=True)
        settings = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "persistence true"]
        settings += [f"persistence_location {store}/", "autosave_interval 1"]
        settings += ["max_queued_messages 0", "max_inflight_messages 1000"]
        if os.getuid() == 0:
            settings.append("user root")  # it would become a user who may not write here
        (self.folder / "mosquitto.conf").write_text("\n".join(settings) + "\n")
        return [_tool("mosquitto"), "-c", str(self.folder / "mosquitto.conf")]


class Kafka(Broker):
    """Kafka in KRaft mode: one process that is broker and controller."""

    scheme = "kafka"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._controller = free_port()

    def command(self) -> list[str]:
        """Java, with the jars of Maven's."""
        java = _tool("java")
        classes = str(jars(BROKER) / "*")
        settings = self.folder / "server.properties"
        if not settings.exists():
            settings.write_text(self._settings())
            form = [
                java,
                *_SMALL,
                "-cp",
                classes,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                _CLUSTER,
                "-c",
                str(settings),
            ]
            subprocess.run(form, check=True, capture_output=True, timeout=STARTING)
        return [java, *_SMALL, "-cp", classes, "kafka.Kafka", str(settings)]

    def _settings(self) -> str:
        here = f"127.0.0.1:{self.port}"
        controller = f"127.0.0.1:{self._controller}"
        told = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@{controller}",
            "listeners": f"PLAINTEXT://{here},CONTROLLER://{controller}",
            "advertised.listeners": f"PLAINTEXT://{here}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": str(self.folder / "logs"),
            "num.partitions": "2",
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "share.coordinator.state.topic.replication.factor": "1",
            "share.coordinator.state.topic.min.isr": "1",
        }
        return "".join(f"{name}={value}\n" for name, value in told.items())


_CLUSTER: Final = "MkU3OEVBNTcwNTJENDM2Qg"
_SMALL: Final = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""To Java: a broker for a minute need not be compiled well."""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _tool(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=_PLACES)
    if found is None:
        package = "openjdk-17-jre-headless" if name == "java" else name
        raise Unavailable(f"{name} is not installed: apt-get install {package}")
    return found
