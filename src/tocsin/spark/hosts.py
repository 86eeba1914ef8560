"""A shard stays in the worker that had it first: whichever worker Spark gives its next events to, asks that one.

Spark has several workers, and gives a task to any that is idle. A worker that has not seen a shard would have to make
it again from its ledger, which for a large shard takes longer than the micro-batch itself. So every worker listens on
a socket in a directory of its user's, and the state of a shard says which worker has it. If that one is gone, or has
gone on to another state, the answer is no, and the shard is made again.

What goes over the socket are bytes that are told apart by their lengths; nothing in them is run.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Final

from tocsin.stores.pieces import joined, parted

Answer = Callable[[list[bytes]], list[bytes] | None]
"""What a worker does when it is asked: the pieces of an answer, or None for no."""

PATIENCE: Final = 600.0
"""Seconds after which a worker that does not answer counts as gone."""

_LOCK: Final = threading.Lock()
_UNABLE: Final = (OSError, AttributeError, ValueError)
"""What is raised where there are no such sockets, or nobody listens."""
_HOST: list[int] = []
"""The process that listens: a fork of it does not."""


def address_of(process: int) -> str:
    """Where a worker of this user's listens."""
    home = Path(tempfile.gettempdir()) / f"tocsin-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    if home.stat().st_uid != os.getuid() or home.stat().st_mode & 0o077:
        raise PermissionError(f"{home} is open to others")
    return str(home / str(process))


def host(answer: Answer) -> None:
    """Listens from now on, if that is possible here: if not, every worker makes its shards by itself."""
    process = os.getpid()
    with _LOCK:
        if process not in _HOST:
            try:
                address = address_of(process)
                _delete_abandoned(Path(address).parent)
                listener = Listener(address, "AF_UNIX")
            except _UNABLE:
                return
            _HOST[:] = [process]
            threading.Thread(target=_listen, args=(listener, answer), name="tocsin-host", daemon=True).start()


def _delete_abandoned(home: Path) -> None:
    """Deletes the sockets of workers that have ended, and one that had this worker's number before."""
    for path in home.iterdir():
        if not Path(f"/proc/{path.name}").exists() or path.name == str(os.getpid()):
            path.unlink(missing_ok=True)


def _listen(listener: Listener, answer: Answer) -> None:
    while True:
        try:
            connection = listener.accept()
        except OSError:
            continue
        threading.Thread(target=_serve, args=(connection, answer), daemon=True).start()


def _serve(connection: Connection, answer: Answer) -> None:
    try:
        with connection:
            given = answer(parted(connection.recv_bytes()))
            connection.send_bytes(joined([] if given is None else given))
    except (OSError, EOFError):
        return  # who asked is gone, and will not miss it


def ask(process: int, question: list[bytes]) -> list[bytes] | None:
    """Asks another worker; None if it is gone, or says no."""
    try:
        with Client(address_of(process), "AF_UNIX") as connection:
            connection.send_bytes(joined(question))
            return (parted(connection.recv_bytes()) or None) if connection.poll(PATIENCE) else None
    except (*_UNABLE, EOFError):
        return None
