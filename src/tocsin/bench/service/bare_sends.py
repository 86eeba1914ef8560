"""The least that tells many: the same bytes to every socket, one `send` each.

    python -m tocsin.bench.service.bare_sends LISTENERS BYTES

It waits for that many connections; for each line on its standard input it then sends once to all of them.
"""

from __future__ import annotations

import socket
import sys
from contextlib import suppress


def main(listeners: int, size: int) -> None:
    """Sends when it is told to."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    connections = [listener.accept()[0] for _ in range(listeners)]
    for each in connections:
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    piece = b"event: detection\n" + b"." * max(0, size - 19) + b"\n\n"
    for _ in sys.stdin:
        with suppress(ConnectionError):  # at the end
            for each in connections:
                each.send(piece)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
