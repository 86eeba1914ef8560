"""An editor that speaks the Language Server Protocol with a real `tocsin lsp`, a message at a time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.assistants.commands import COMMAND, environment

Message = dict[str, Any]


class Editor:
    """Starts the server, opens and changes documents, asks; keeps what comes meanwhile."""

    def __init__(self, root: Path, arguments: Sequence[str] = (), options: Message | None = None) -> None:
        self.root = root
        self._number = 0
        self._versions: dict[str, int] = {}
        self._kept: list[Message] = []
        command = [*COMMAND, "lsp", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._server = subprocess.Popen(command, cwd=root, env=environment(), **pipes)
        self.capabilities = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": root.as_uri(), "name": "rules"}],
                "capabilities": {},
                "initializationOptions": options,
            },
        )["capabilities"]
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.ask("shutdown", None)
            self.tell("exit", None)
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        """Closes the connection; the server has to end by itself."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        try:
            self._server.wait(60)
        finally:
            self._server.kill()
            self._server.wait()
            self._server.stdout.close()

    @property
    def code(self) -> int | None:
        """How the server ended."""
        return self._server.returncode

    # -- documents -------------------------------------------------------------------------------------------------

    def open(self, name: str, text: str) -> list[Message]:
        """Opens a document; gives what is wrong with it."""
        self._versions[name] = 1
        item = {"uri": self.uri(name), "languageId": "tocsin", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(name)

    def change(self, name: str, text: str) -> list[Message]:
        """Puts another text into a document; gives what is wrong with that."""
        self._versions[name] += 1
        item = {"uri": self.uri(name), "version": self._versions[name]}
        self.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": text}]})
        return self.diagnostics(name)

    def diagnostics(self, name: str) -> list[Message]:
        """What is wrong with the present version of a document."""

        def is_meant(message: Message) -> bool:
            found = message.get("params", {})
            is_told = message.get("method") == "textDocument/publishDiagnostics" and found["uri"] == self.uri(name)
            return is_told and found.get("version") == self._versions[name]

        told: list[Message] = self.wait(is_meant)["params"]["diagnostics"]
        return told

    def at(self, name: str, line: int, character: int) -> Message:
        """A place in a document, as the protocol counts."""
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}}

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    # -- messages --------------------------------------------------------------------------------------------------

    def ask(self, method: str, params: object) -> Any:
        """A request; gives its result."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def tell(self, method: str, params: object) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def wait(self, is_meant: Callable[[Message], bool]) -> Message:
        """The next message that is meant; the others are kept."""
        for message in self._kept:
            if is_meant(message):
                self._kept.remove(message)
                return message
        while not is_meant(message := self._receive()):
            self._kept.append(message)
        return message

    def _send(self, message: Message) -> None:
        assert self._server.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._server.stdin.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        self._server.stdin.flush()

    def _receive(self) -> Message:
        assert self._server.stdout is not None
        length = 0
        while line := self._server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has gone"
        message: Message = json.loads(self._server.stdout.read(length))
        return message
