"""PostgreSQL as a process of ours, with a cluster of its own that keeps what it is told (`fsync` is on).

with Postgresql(folder) as server: open_store(server.store_url("a_schema"))
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tocsin.bench.brokers.servers import STARTING, Broker
from tocsin.bench.peers.jars import Unavailable

PASSWORD: Final = "of-the-tests-alone"
_DEBIAN: Final = Path("/usr/lib/postgresql")
_UNPRIVILEGED: Final = "nobody"
"""Who it runs as where we are root, whom it refuses."""


class Postgresql(Broker):
    """PostgreSQL on a port of 127.0.0.1."""

    scheme = "postgresql"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.programs = _programs()
        self._temporary: Path | None = None
        self.data = folder / "data"

    def store_url(self, schema: str) -> str:
        """Where a store can be, apart from all others."""
        return f"postgresql://tocsin:{PASSWORD}@127.0.0.1:{self.port}/postgres?schema={schema}"

    def command(self) -> list[str]:
        """`postgres`, of Debian's package of that name; the first time its cluster is made."""
        if not self.data.exists():
            self._make()
        settings = (
            f"port={self.port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.data}",
            "fsync=on",
            "shared_buffers=32MB",
            "max_wal_size=256MB",
        )
        postgres = str(self.programs / "postgres")
        return [*_as_somebody(), postgres, "-D", str(self.data), *(word for each in settings for word in ("-c", each))]

    def _make(self) -> None:
        if os.getuid() == 0:  # others may not enter the folders of root
            self._temporary = Path(tempfile.mkdtemp(prefix="tocsin-postgresql-"))
            shutil.chown(self._temporary, _UNPRIVILEGED)
            self.data = self._temporary / "data"
        secret = self.data.with_name("password")
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        made = [str(self.programs / "initdb"), "--username=tocsin", "--auth=scram-sha-256", "--encoding=UTF8"]
        made += ["--no-locale", "--no-sync", f"--pwfile={secret}", "-D", str(self.data)]
        done = subprocess.run([*_as_somebody(), *made], capture_output=True, text=True, timeout=STARTING, cwd="/")
        if done.returncode:
            raise Unavailable(f"initdb cannot make a cluster: {done.stderr[-500:]}")

    def answers(self) -> bool:
        """Whether it takes connections, and does not recover or stop."""
        asked = [str(self.programs / "pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={self.port}"]
        return subprocess.run(asked, check=False).returncode == 0

    def stop(self) -> None:
        """Ends it as an administrator would who does not wait for sessions to end."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """Kills it and all processes of its sessions, as a power failure would."""
        if self._process is not None:
            sessions = _children(self._process.pid)
            self._process.kill()
            self._process.wait()
            self._process = None
            for each in sessions:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            while any(_is_alive(each) for each in sessions):  # they hold memory that the next one would find in use
                time.sleep(0.01)

    def remove(self) -> None:
        """Kills it, and leaves nothing behind."""
        self.kill()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def _programs() -> Path:
    """Where the programs of the newest version are, which Debian keeps off everybody's path."""
    found = sorted(_DEBIAN.glob("*/bin/postgres"), key=lambda each: float(each.parts[-3]))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("postgres")
    if elsewhere is None:
        raise Unavailable("postgresql is not installed: apt-get install postgresql")
    return Path(elsewhere).parent


def _as_somebody() -> list[str]:
    if os.getuid() != 0:
        return []
    drop = shutil.which("setpriv")
    if drop is None:
        raise Unavailable("PostgreSQL does not run as root, and setpriv (of util-linux) is not installed")
    return [drop, f"--reuid={_UNPRIVILEGED}", f"--regid={_group()}", "--clear-groups"]


def _group() -> str:
    return grp.getgrgid(pwd.getpwnam(_UNPRIVILEGED).pw_gid).gr_name


def _children(parent: int) -> list[int]:
    """The processes that another one has started, as Linux tells."""
    told = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(each) for each in told.read_text().split()] if told.exists() else []


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
