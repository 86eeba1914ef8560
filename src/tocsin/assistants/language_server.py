"""The Language Server Protocol around what an editor is shown of rules, on standard input and output (`tocsin lsp`)."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, Final

from tocsin.assistants.answering_process import AnsweringProcess, Unanswered
from tocsin.assistants.editor.completions import (
    ATTRIBUTE,
    FUNCTION,
    OPERATOR,
    SETTING,
    TYPE,
    VALUE,
    VARIABLE,
    completions,
)
from tocsin.assistants.editor.definitions import definitions, names_at
from tocsin.assistants.editor.workspace import Knowledge, rules_files
from tocsin.errors import MissingDependency, TocsinError

try:
    from lsprotocol import types
    from pygls import uris
    from pygls.lsp.server import LanguageServer
    from pygls.workspace import PositionCodec, TextDocument
except ImportError:
    raise MissingDependency("pygls", "lsp") from None

SECONDS: Final = 10.0
"""How long a question of an editor may take."""

KINDS: Final = {
    TYPE: types.CompletionItemKind.Event,
    ATTRIBUTE: types.CompletionItemKind.Field,
    VARIABLE: types.CompletionItemKind.Variable,
    FUNCTION: types.CompletionItemKind.Function,
    OPERATOR: types.CompletionItemKind.Operator,
    SETTING: types.CompletionItemKind.Property,
    VALUE: types.CompletionItemKind.EnumMember,
}
_TRIGGERS: Final = [".", "@", "$", "?"]


class RulesServer(LanguageServer):
    """A language server for files of rules: it knows what their outlines tell, and asks for everything else."""

    def __init__(self, process: AnsweringProcess, samples: Sequence[str]) -> None:
        super().__init__("tocsin", version("tocsin"))
        self.process, self.samples = process, list(samples)
        self.knowledge = Knowledge()
        self.turn = asyncio.Lock()
        self.told: dict[str, int | None] = {}
        """Which version of each open document was looked at last."""
        self.tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: str, **given: object) -> dict[str, Any]:
        """Asks without holding up what the editor says meanwhile."""
        return await asyncio.to_thread(self.process.ask, question, **given)

    @property
    def codec(self) -> PositionCodec:
        """How this editor counts characters."""
        return self.workspace.position_codec

    def place(self, document: TextDocument, position: types.Position) -> tuple[int, int]:
        """A position as people count: line and column from 1, in characters."""
        found = self.codec.position_from_client_units(document.source.split("\n"), position)
        return found.line + 1, found.character + 1

    def range(self, lines: list[str], line: int, column: int, end: int) -> types.Range:
        """A stretch of a line as this editor counts; what is behind the end of it is shown at its last character."""
        length = len(lines[line - 1].rstrip("\r")) if line <= len(lines) else 0
        first = max(1, min(column, length))
        stretch = [types.Position(line - 1, each - 1) for each in (first, max(first + 1, end))]
        return self.codec.range_to_client_units(lines, types.Range(*stretch))

    def start(self, work: Any) -> None:
        """Starts something that nobody waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


# -- what is wrong -----------------------------------------------------------------------------------------------


async def _diagnose(ls: RulesServer, uri: str) -> None:
    """Looks at a document as it is when its turn comes, and tells what is wrong with that version; each once."""
    async with ls.turn:
        document = ls.workspace.text_documents.get(uri)
        if document is None or ls.told.get(uri) == document.version:
            return
        # It may change while it is looked at: this is what the answer is about.
        text, path, asked = document.source, document.path, document.version
        ls.told[uri] = asked
        try:
            found = await ls.ask("diagnose", text=text, file=path)
            ls.knowledge.note(path, found["outline"], any(_is_error(each) for each in found["faults"]))
            faults = found["faults"]
        except TocsinError as error:
            faults = [{"line": 1, "column": 1, "end": 2, "severity": "warning", "message": str(error)}]
    told = [_diagnostic(ls, text.split("\n"), fault) for fault in faults]
    if uri in ls.told:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, told, asked))


def _is_error(fault: dict[str, Any]) -> bool:
    return bool(fault["severity"] == "error")


def _diagnostic(ls: RulesServer, lines: list[str], fault: dict[str, Any]) -> types.Diagnostic:
    severity = types.DiagnosticSeverity.Error if _is_error(fault) else types.DiagnosticSeverity.Warning
    expected = f"expected {fault['expected']}" if fault.get("expected") else ""
    message = "\n".join(filter(None, (fault["message"], expected, fault.get("hint"))))
    where = ls.range(lines, fault["line"], fault["column"], fault["end"])
    return types.Diagnostic(where, message, severity=severity, source="tocsin")


def on_open(ls: RulesServer, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    ls.told.pop(params.text_document.uri, None)
    ls.start(_diagnose(ls, params.text_document.uri))


def on_change(ls: RulesServer, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    ls.start(_diagnose(ls, params.text_document.uri))


def on_close(ls: RulesServer, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed: its faults are nobody's any more."""
    ls.told.pop(params.text_document.uri, None)
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


def on_initialized(ls: RulesServer, params: types.InitializedParams) -> None:
    """The editor is ready: the rest of the workspace is read, for what its rules define and its events hold."""
    ls.start(_read_workspace(ls))


def on_initialize(ls: RulesServer, params: types.InitializeParams) -> None:
    """The editor may name samples of events, from the root of the workspace."""
    options = params.initialization_options
    names = options.get("events", []) if isinstance(options, dict) else []
    root = ls.workspace.root_path or "."
    ls.samples += [os.path.join(root, name) for name in names if isinstance(name, str)]


async def _read_workspace(ls: RulesServer) -> None:
    folders = [path for each in ls.workspace.folders.values() if (path := uris.to_fs_path(each.uri)) is not None]
    roots = folders or ([ls.workspace.root_path] if ls.workspace.root_path else [])
    if ls.samples:
        try:
            ls.knowledge.sample = await ls.ask("sample", files=ls.samples)
        except TocsinError as error:
            ls.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"sample of events: {error}"))
    files = await asyncio.to_thread(lambda: list(rules_files(roots)))
    for path, text in files:
        if path not in ls.knowledge.outlines:
            try:
                ls.knowledge.note(path, await ls.ask("outline", text=text, file=path))
            except TocsinError:
                continue  # it tells of itself when it is opened
    types_known, many = len(ls.knowledge.vocabulary().types), "" if len(files) == 1 else "s"
    told = f"tocsin knows {types_known} types of events; {len(files)} file{many} of rules read"
    ls.window_log_message(types.LogMessageParams(types.MessageType.Info, told))


# -- what is asked -----------------------------------------------------------------------------------------------


async def on_hover(ls: RulesServer, params: types.HoverParams) -> types.Hover | None:
    """What stands under the cursor, in words."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    line, column = ls.place(document, params.position)
    text, known = document.source, ls.knowledge.vocabulary().record()
    try:
        told = await ls.ask("hover", text=text, file=document.path, line=line, column=column, vocabulary=known)
    except TocsinError:
        return None
    if not told["text"]:
        return None
    where = None
    if "line" in told:
        where = ls.range(text.split("\n"), told["line"], told["column"], told["end"])
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, told["text"]), where)


def on_completion(ls: RulesServer, params: types.CompletionParams) -> types.CompletionList:
    """What can be written here, the likeliest first."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    line, column = ls.place(document, params.position)
    found = completions(document.source, document.path, line, column, ls.knowledge.vocabulary())
    items = [
        types.CompletionItem(each.label, kind=KINDS[each.kind], detail=each.told or None, sort_text=f"{number:05}")
        for number, each in enumerate(found)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def on_definition(ls: RulesServer, params: types.DefinitionParams) -> list[types.Location]:
    """Where the rule or the class of events under the cursor is defined."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    line, column = ls.place(document, params.position)
    lines = document.source.split("\n")
    names = names_at(lines[line - 1] if line <= len(lines) else "", column)
    found = []
    for each in definitions(names, ls.knowledge.outlines.values()):
        position = types.Position(each["line"] - 1, each["column"] - 1)
        uri = uris.from_fs_path(each["file"])
        if uri is not None:
            found.append(types.Location(uri, types.Range(position, position)))
    return found


async def on_formatting(ls: RulesServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The document in the standard form; one with a fault stays as it is, and the fault is told already."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    text = document.source
    try:
        made = (await ls.ask("format", text=text, file=document.path))["text"]
    except Unanswered:
        return []
    except TocsinError as error:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))
        return []
    if made is None or made == text:
        return []
    end = types.Position(text.count("\n") + 1, 0)
    return [types.TextEdit(types.Range(types.Position(0, 0), end), made)]


_FEATURES: Final[dict[str, Callable[..., Any]]] = {
    types.INITIALIZE: on_initialize,
    types.INITIALIZED: on_initialized,
    types.TEXT_DOCUMENT_DID_OPEN: on_open,
    types.TEXT_DOCUMENT_DID_CHANGE: on_change,
    types.TEXT_DOCUMENT_DID_CLOSE: on_close,
    types.TEXT_DOCUMENT_HOVER: on_hover,
    types.TEXT_DOCUMENT_DEFINITION: on_definition,
    types.TEXT_DOCUMENT_FORMATTING: on_formatting,
}


def server_of(process: AnsweringProcess, samples: Sequence[str]) -> RulesServer:
    """The server with all that it offers."""
    server = RulesServer(process, samples)
    for name, feature in _FEATURES.items():
        server.feature(name)(feature)
    options = types.CompletionOptions(trigger_characters=_TRIGGERS)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, options)(on_completion)
    return server


def serve(samples: Sequence[str]) -> None:
    """Answers on standard input and output until the editor leaves."""
    process = AnsweringProcess(SECONDS)
    wire = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # the server closes it; standard output stays open
    try:
        server_of(process, samples).start_io(sys.stdin.buffer, wire)
    finally:
        process.close()
