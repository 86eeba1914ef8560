"""The server for editors: a real `tocsin lsp`, spoken to as an editor does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.editors import Editor

DECLARED = "event down(long link, string name)\nevent up(long link)\n"
FILE = """\
rules:
  - name: flap
    language: gem
    expression: "x:down ;   y:up"
    condition: x.link == y.link
    window: 5 min
"""
FORMATTING = {"tabSize": 2, "insertSpaces": True}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    root = tmp_path_factory.mktemp("workspace")
    (root / "events.gem").write_text(DECLARED)
    (root / "sample.jsonl").write_text('{"type": "alarm", "time": 1, "data": {"level": 3}}\n')
    (root / "more.jsonl").write_text('{"type": "closed", "time": 1, "data": {"by": "bob"}}\n')
    arguments = ["--stdio", "--events", str(root / "sample.jsonl")]
    with Editor(root, arguments, {"events": ["more.jsonl"]}) as made:
        told = made.wait(lambda message: message.get("method") == "window/logMessage")
        assert told["params"]["message"] == "tocsin knows 4 types of events; 1 file of rules read"
        yield made


def labels(editor: Editor, name: str, line: int, character: int) -> list[str]:
    found = editor.ask("textDocument/completion", editor.at(name, line, character))
    return [each["label"] for each in found["items"]]


def test_it_says_what_it_can(editor: Editor) -> None:
    can = editor.capabilities
    assert can["hoverProvider"]
    assert can["definitionProvider"]
    assert can["documentFormattingProvider"]
    assert can["completionProvider"]["triggerCharacters"] == [".", "@", "$", "?"]


def test_faults_are_published_and_go_away(editor: Editor) -> None:
    (fault,) = editor.open("faults.yaml", FILE.replace(";   y", "; ; y"))
    assert fault["range"] == {"start": {"line": 3, "character": 26}, "end": {"line": 3, "character": 27}}
    assert (fault["severity"], fault["source"]) == (1, "tocsin")
    assert fault["message"] == "unexpected ';'\nexpected an event"
    assert editor.change("faults.yaml", FILE) == []
    (doubt,) = editor.change("faults.yaml", FILE.replace("    window: 5 min\n", ""))
    assert (doubt["severity"], "give it a window" in doubt["message"]) == (2, True)


def test_places_are_counted_as_the_protocol_does(editor: Editor) -> None:
    (fault,) = editor.open("wide.yaml", FILE.replace('"x:down', "\"'\N{GRINNING FACE}' ; ; x:down"))
    assert fault["range"]["start"] == {"line": 3, "character": 24}  # two units for what lies beyond the first plane
    (fault,) = editor.change("wide.yaml", FILE.replace("y.link", "y."))
    assert fault["range"] == {"start": {"line": 4, "character": 26}, "end": {"line": 4, "character": 27}}


def test_of_many_changes_the_last_one_counts(editor: Editor) -> None:
    editor.open("quick.yaml", FILE)
    uri = editor.uri("quick.yaml")
    for version in range(2, 30):
        item = {"uri": uri, "version": version}
        text = FILE if version == 29 else FILE.replace("x:down", "x:" * version)
        editor.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": text}]})
    last = editor.wait(
        lambda message: message.get("params", {}).get("uri") == uri and message["params"].get("version") == 29
    )
    assert last["params"]["diagnostics"] == []


def test_a_hover_has_the_meaning_in_words(editor: Editor) -> None:
    editor.open("hover.yaml", FILE)
    found = editor.ask("textDocument/hover", editor.at("hover.yaml", 3, 20))
    text = found["contents"]["value"]
    assert "an event of type **down**: declared in events.gem:1" in text
    assert "- link: long\n- name: string" in text
    assert "rule **flap**: down (x), and then, ending later, up (y); only where `x.link == y.link`" in text
    assert found["range"]["start"] == {"line": 3, "character": 19}
    assert editor.ask("textDocument/hover", editor.at("hover.yaml", 0, 0)) is None


def test_completion_knows_the_workspace_and_the_samples(editor: Editor) -> None:
    text = FILE + "  - name: next\n    language: gem\n    expression: y:alarm when y.\n"
    editor.open("complete.yaml", text)
    assert labels(editor, "complete.yaml", 8, len("    expression: y:alarm when y.")) == ["level"]
    assert labels(editor, "complete.yaml", 4, len("    condition: x.")) == ["link", "name"]
    everything = labels(editor, "complete.yaml", 8, len("    expression: "))
    assert {"down", "up", "alarm", "closed", "flap", "when", "len"} <= set(everything)
    editor.change("complete.yaml", text.replace("y:alarm when y.", "y:closed when y."))
    assert labels(editor, "complete.yaml", 8, len("    expression: y:closed when y.")) == ["by"]


def test_a_definition_is_found_in_another_file(editor: Editor) -> None:
    editor.open("definition.yaml", FILE + "  - {name: more, language: gem, expression: flap ; up}\n")
    (found,) = editor.ask("textDocument/definition", editor.at("definition.yaml", 3, 30))
    assert (found["uri"], found["range"]["start"]) == (editor.uri("events.gem"), {"line": 1, "character": 0})
    found = editor.ask("textDocument/definition", editor.at("definition.yaml", 6, 46))
    assert {
        "uri": editor.uri("definition.yaml"),
        "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 4}},
    } in found
    assert not editor.ask("textDocument/definition", editor.at("definition.yaml", 0, 0))


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("format.yaml", FILE, FILE.replace(";   y", "; y")),
        ("format.gem", "event   a( long v )\n\n\n// b\nenable  r", "event a(long v)\n\n// b\nenable r\n"),
        ("format.eps", "request r {\n event:a;b\n}\n", "request r {\n  event: a ; b\n}\n"),
    ],
)
def test_documents_are_formatted(editor: Editor, name: str, text: str, made: str) -> None:
    editor.open(name, text)
    asked: dict[str, Any] = {"textDocument": {"uri": editor.uri(name)}, "options": FORMATTING}
    (edit,) = editor.ask("textDocument/formatting", asked)
    assert edit["newText"] == made
    editor.change(name, made)
    assert not editor.ask("textDocument/formatting", asked)
    editor.change(name, text + "\n(((")
    assert not editor.ask("textDocument/formatting", asked) or name == "format.yaml"


def test_hostile_documents_are_answered(editor: Editor) -> None:
    editor.open("hostile.gem", "")
    for text in (
        "(" * 100_000,
        "rule r {" * 2_000,
        "event a(" + "long a, " * 2_000,
        'load "hostile.gem"\n',
        "\0\x7f\ufeff",
        "a" * 500_000,
    ):
        assert editor.change("hostile.gem", text)
        editor.ask("textDocument/hover", editor.at("hostile.gem", 0, 5))
        labels(editor, "hostile.gem", 0, 5)
    assert [each["severity"] for each in editor.change("hostile.gem", DECLARED)] == [2, 2]  # declared and never used


def test_files_of_others_are_left_alone(editor: Editor) -> None:
    assert editor.open("compose.yaml", "services:\n  web: {image: [}\n") == []
    assert labels(editor, "compose.yaml", 1, 2) == []


def test_a_document_that_is_closed_has_no_faults(editor: Editor) -> None:
    editor.open("closed.yaml", "rules:\n  - name: x\n")
    uri = editor.uri("closed.yaml")
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    told = editor.wait(lambda message: message.get("params", {}).get("uri") == uri)
    assert told["params"]["diagnostics"] == []


def test_it_ends_when_the_editor_leaves(tmp_path: Path) -> None:
    with Editor(tmp_path) as leaving:
        leaving.open("a.yaml", FILE)
    assert leaving.code == 0


def test_it_ends_when_the_editor_is_gone(tmp_path: Path) -> None:
    gone = Editor(tmp_path)
    gone.hang_up()
    assert gone.code == 0
