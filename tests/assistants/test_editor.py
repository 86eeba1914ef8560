"""What an editor is shown, without a protocol around it. `§` stands where the cursor is."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from tests.conformance.gallery import Need, needs
from tocsin.assistants.editor.completions import completions
from tocsin.assistants.editor.definitions import definitions, names_at
from tocsin.assistants.editor.diagnostics import diagnose
from tocsin.assistants.editor.hovers import hover
from tocsin.assistants.editor.outlines import outline
from tocsin.assistants.editor.samples import sample
from tocsin.assistants.editor.standard_form import in_standard_form
from tocsin.assistants.editor.vocabulary import Vocabulary, vocabulary_of
from tocsin.assistants.editor.workspace import Knowledge, rules_files
from tocsin.errors import TextError
from tocsin.languages import languages, parse

SCRIPT = """\
event down(long link, string name)
event up(long link)
event gone(long link)
rule outage [5*min] {
  x:down ; y:up when x.link == y.link
  ==> notify gone(x.link)
}
enable outage
"""
FILE = """\
rules:
  - name: outage
    language: gem
    expression: "{x:down ; y:alarm} ! (u:up when u.state == 'ok')"
    condition: x.link == y.link && len(x.name) > 3
    window: 10 sec
  - name: handover
    language: core
    expression: |
      A = {down, up}
      [down];[alarm in A];[closed]
"""
REQUESTS = """\
request hot {
  event: x:temp & y:pressure
  condition: x.t > 30
}
"""


HEAD = "rules:\n  - name: r\n    language: {}\n"


def known() -> Vocabulary:
    seen = {"types": {"alarm": {"count": 3, "attributes": {"level": "7"}}}}
    return vocabulary_of([outline(SCRIPT, "r.gem"), outline(FILE, "r.yaml"), outline(REQUESTS, "r.eps")], seen)


def cursor(text: str) -> tuple[str, int, int]:
    """A text without its `§`, and the line and column where that stood."""
    assert text.count("§") == 1
    before = text[: text.index("§")]
    return text.replace("§", ""), before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def shown(text: str, file: str) -> dict[str, Any]:
    plain, line, column = cursor(text)
    return hover(plain, file, line, column, known().record())


def offered(text: str, file: str) -> list[str]:
    plain, line, column = cursor(text)
    return [each.label for each in completions(plain, file, line, column, known())]


# -- diagnostics -------------------------------------------------------------------------------------------------


def test_every_fault_is_shown_where_it_stands() -> None:
    wrong = FILE.replace("y:alarm}", "y:alarm)").replace("window: 10 sec", "window: soon") + "  - {name: x}\n"
    found = diagnose(wrong, "r.yaml")["faults"]
    assert [(each["line"], each["column"]) for each in found] == [(4, 35), (12, 5)]
    assert "'}'" in found[0]["expected"]


@pytest.mark.parametrize(("text", "file"), [(SCRIPT, "r.gem"), (FILE, "r.yaml"), (REQUESTS, "r.eps")])
def test_what_is_right_has_no_errors(text: str, file: str) -> None:
    assert [each for each in diagnose(text, file)["faults"] if each["severity"] == "error"] == []


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("rules: [a.yaml]\nsource: x\n", "pipeline.yaml"),
        ("rules: a.gem\ncases:\n  - name: x\n", "a.test.yaml"),
        ("rules:\n  - name: x\ncases:\n  - name: y\n", "a.test.yaml"),
        ("services:\n  web: {image: x}\n", "compose.yml"),
        ("a: [", "x.yaml"),
        ("hello", "x.txt"),
    ],
)
def test_other_files_are_left_alone(text: str, file: str) -> None:
    assert diagnose(text, file) == {"faults": [], "outline": {"events": [], "rules": []}}
    assert in_standard_form(text, file) == {"text": None}
    assert hover(text, file, 1, 1, known().record()) == {"text": ""}


def test_sigma_is_a_file_of_rules() -> None:
    text = "title: t\nlogsource: {product: windows}\ndetection:\n  selection: {a: 1}\n  condition: nothing\n"
    assert diagnose(text, "r.yml")["faults"][0]["line"] == 5


def test_yaml_that_is_none_is_told() -> None:
    (fault,) = diagnose(FILE + "  - name: [\n", "r.yaml")["faults"]
    assert fault["message"].startswith("this is not YAML")


def test_faults_of_a_file_that_is_loaded_stand_at_the_command(tmp_path: Path) -> None:
    (tmp_path / "other.gem").write_text("event a(\nevent b\n")
    text = 'event c\nload "other.gem"\n'
    found = diagnose(text, str(tmp_path / "main.gem"))["faults"]
    assert [each["line"] for each in found] == [2] * len(found)
    assert f"{tmp_path / 'other.gem'}:" in found[0]["message"]


# -- outlines ----------------------------------------------------------------------------------------------------


def test_an_outline_has_what_is_declared_named_and_detected() -> None:
    found = outline(SCRIPT, "r.gem")
    events = {(each["name"], each["how"]): each for each in found["events"]}
    assert events["down", "declared"]["attributes"] == {"link": "long", "name": "string"}
    assert events["up", "declared"]["line"] == 2
    assert ("gone", "named by outage") in events
    assert len(found["events"]) == 6
    (rule,) = found["rules"]
    assert (rule["name"], rule["line"], rule["language"]) == ("outage", 4, "gem")
    assert rule["meaning"].startswith("(down (x), and then, ending later, up (y)) where")


def test_one_rule_that_is_wrong_does_not_hide_the_others() -> None:
    found = outline(FILE.replace("y:alarm}", "y:"), "r.yaml")
    assert [each["name"] for each in found["rules"]] == ["handover"]
    assert {each["name"] for each in found["events"]} == {"down", "alarm", "closed"}


def test_a_script_that_is_wrong_still_declares() -> None:
    found = outline(SCRIPT.replace("y.link", "y."), "r.gem")
    assert {each["name"]: each["attributes"] for each in found["events"]} == {
        "down": {"link": "long", "name": "string"},
        "up": {"link": "long"},
        "gone": {"link": "long"},
    }
    assert [(each["name"], each["line"]) for each in found["rules"]] == [("outage", 4)]


def test_what_was_known_of_a_file_stays_known_while_it_is_wrong() -> None:
    knowledge = Knowledge()
    knowledge.note("r.eps", outline(REQUESTS, "r.eps"))
    knowledge.note("r.eps", outline(REQUESTS.replace("x.t > 30", "x."), "r.eps"), is_wrong=True)
    assert knowledge.vocabulary().types["temp"].attributes == {"t": ""}
    knowledge.note("r.eps", outline("", "r.eps"))
    assert "temp" not in knowledge.vocabulary().types


def test_a_sample_tells_types_and_attributes(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"type": "a", "time": 1, "data": {"v": 1.5}}\nnonsense\n{"type": "a", "time": 2, "w": "x"}\n')
    found = sample([str(path), str(tmp_path / "none.jsonl")])
    assert found["types"] == {"a": {"count": 2, "attributes": {"v": "1.5", "w": '"x"'}}}
    assert len(found["troubles"]) == 1


def test_the_files_of_a_workspace(tmp_path: Path) -> None:
    for name in ("a.gem", "b/c.yaml", "b/c.test.yaml", ".git/d.gem", "node_modules/e.gem", "f.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("event a\n")
    (tmp_path / "out.gem").symlink_to(tmp_path / "a.gem")
    (tmp_path / "bad.eps").write_bytes(b"\xff")
    assert [Path(path).name for path, _ in rules_files([str(tmp_path)])] == ["a.gem", "c.yaml"]


# -- hovers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "file", "says"),
    [
        (FILE.replace("x:down", "x:d§own"), "r.yaml", "an event of type **down**: declared in r.gem:1"),
        (FILE.replace("; y:alarm", "§; y:alarm"), "r.yaml", "rule **outage**: down (x), and then, ending later, alarm (y), with no"),
        (FILE.replace("u.state", "u.st§ate"), "r.yaml", "u is up"),
        (FILE.replace("len(", "le§n("), "r.yaml", "the length of a text or a list"),
        (FILE.replace("x.name", "x.na§me"), "r.yaml", "name: string"),
        (FILE.replace("x.link", "x.li§nk"), "r.yaml", "link: long"),
        (FILE.replace("[alarm in", "[al§arm in"), "r.yaml", "alarm, as the next of down or up"),
        (FILE.replace("window:", "win§dow:"), "r.yaml", "how old an event may be"),
        (FILE.replace("{x:down", "{§x:down"), "r.yaml", "gem, generic; window 10s"),
        (SCRIPT.replace("x:down", "x:do§wn"), "r.gem", "- link: long\n- name: string"),
        (SCRIPT.replace("rule outage", "ru§le outage"), "r.gem", "gem, generic; window 5m"),
        (SCRIPT.replace("gone(x.link", "gone(x.l§ink"), "r.gem", "x is down"),
        (REQUESTS.replace("x.t", "x.§t"), "r.eps", "x is temp"),
        (REQUESTS.replace("y:pressure", "y:pres§sure"), "r.eps", "an event of type **pressure**: named by hot"),
        (SCRIPT.replace("y.link", "y.").replace("x:down", "x:do§wn"), "r.gem", "an event of type **down**"),
    ],
)  # fmt: skip
def test_a_hover_says_what_stands_there(text: str, file: str, says: str) -> None:
    assert says in shown(text, file)["text"]


@pytest.mark.parametrize(
    ("language", "expression", "says"),
    [
        ("python", 'tc.event("do§wn").then(tc.event("up"))', "down, and after it is over up"),
        ("pretty", "down th§en up within 5 minutes", "(down, and after it is over up), all of it within 5m"),
        ("global", "down ; N§OT alarm ; up", "down, and surely after it up, with no alarm between"),
        ("sel", "down -> !al§arm -> up", "an event of type **alarm**"),
        ("core", "[down] ; [u§p(link = 7)]", "up where this.link == 7"),
        ("eps", "TimesEq(3, do§wn, link)", "an event of type **down**"),
        ("gem", "{down ; up} §! alarm", "down, and then, ending later, up, with no alarm between"),
    ],
)
def test_a_hover_speaks_every_notation(language: str, expression: str, says: str) -> None:
    assert says in shown(HEAD.format(language) + f"    expression: |\n      {expression}\n", "r.yaml")["text"]


def test_a_hover_is_about_the_smallest_part() -> None:
    found = shown(FILE.replace("u.state", "u.st§ate"), "r.yaml")
    assert (found["line"], found["column"], found["end"]) == (4, 50, 57)


@pytest.mark.parametrize("need", needs(), ids=lambda need: need.name)
def test_rules_of_the_gallery_are_right_and_told_in_every_notation(need: Need) -> None:
    written = {language: each for language, each in need.notations.items() if "expression" in each}
    assert len(written) > 1
    for language, each in written.items():
        text = HEAD.format(language) + "    expression: |\n" + indent(each["expression"], " " * 6) + "\n"
        settings = [key for key in ("condition", "window", "context", "run") if key in each]
        text += "".join(f"    {key}: {json.dumps(each[key])}\n" for key in settings)
        assert [fault for fault in diagnose(text, "r.yaml")["faults"] if fault["severity"] == "error"] == []
        assert "rule **r**" in hover(text, "r.yaml", 5, 8, known().record())["text"], text


# -- completions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "rest", "first"),
    [
        ("gem", "    expression: x:down ; y:up when x.§", ["link", "name"]),
        ("gem", "    expression: x:down ; y:up\n    condition: x.link == y.§", ["link", "state"]),
        ("gem", "    expression: down ; alarm when alarm.§", ["link", "level"]),
        ("sel", "    expression: 'x:down -> y:up if x.na§'", ["link", "name"]),
        ("eps", "    expression: \"x:down ; y:up\"\n    select:\n      a: y.§", ["link", "state"]),
        ("pretty", "    expression: |\n      down as q\n      then up where q.§", ["link", "name"]),
        ("core", "    expression: '[down(§'", ["link", "name"]),
        ("core", "    expression: '[o:down] ; [up(link = o.§'", ["link", "name"]),
        ("global", "    expression: x:down ; y:up\n    condition: y.§", ["link", "state"]),
        ("python", "    expression: |\n      d, u = tc.event('down'), tc.event('up', 'z')\n      d.then(u).where(d.§", ["link", "name"]),
        ("python", "    expression: |\n      tc.event('up', 'z').where(z.§", ["link", "state"]),
        ("gem", "    expression: x:down ; y:up when $§", ["x", "y"]),
        ("gem", "    expression: x:down ; §", ["x", "down", "up"]),
        ("gem", "    expression: x:down\n    condition: §", ["x", "down"]),
        ("gem", "    expression: a\n    con§", ["name: ", "language: "]),
        ("gem", "    expression: a\n    context: §", ["unrestricted", "generic"]),
        ("gem", "    expression: a\n    severity: §", ["informational", "low"]),
        ("§", "    expression: a\n", sorted(languages())[:2]),
        ("gem", "    expression: a\n    by: §", ["link", "name"]),
    ],
)  # fmt: skip
def test_what_a_rules_file_may_go_on_with(language: str, rest: str, first: list[str]) -> None:
    assert offered(HEAD.format(language) + rest, "r.yaml")[: len(first)] == first


@pytest.mark.parametrize(
    ("text", "file", "first"),
    [
        (SCRIPT + "§", "r.gem", ["event", "rule"]),
        (SCRIPT + "rule q {\n  z:down when z.§", "r.gem", ["link", "name"]),
        (SCRIPT + "rule q {\n  z:down ==> notify gone(@§", "r.gem", ["z"]),
        ("request r {\n  event: z:down ; up\n  condition: z.§\n}\n", "r.eps", ["link", "name"]),
        ("request r {\n  §\n}\n", "r.eps", ["request", "event"]),
        ("request r {\n  event: z:down ; §\n}\n", "r.eps", ["z", "down"]),
    ],
)
def test_what_a_script_may_go_on_with(text: str, file: str, first: list[str]) -> None:
    assert offered(text, file)[: len(first)] == first


@pytest.mark.parametrize("language", sorted(languages()))
def test_types_functions_and_operators_are_offered_in_every_language(language: str) -> None:
    found = offered(HEAD.format(language) + "    expression: §", "r.yaml")
    assert {"down", "alarm", "len", "matches"} <= set(found)
    assert len(found) == len(set(found))


def test_nothing_is_offered_elsewhere() -> None:
    assert offered("services:\n  §\n", "compose.yaml") == []
    assert offered(HEAD.format("gem") + "    expression: x:a when x.§", "r.yaml") == []


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a:" * 50_000, "(" * 50_000, " " * 100_000, "as " * 30_000, "tc.event(" * 10_000]
)
@pytest.mark.parametrize("language", ["gem", "pretty", "python", "core"])
def test_hostile_lines_are_completed(language: str, text: str) -> None:
    for rest in (f"    expression: {text}§", f"    expression: §{text}", f"    expression: |\n      {text}\n      §"):
        assert isinstance(offered(HEAD.format(language) + rest, "r.yaml"), list)


# -- definitions -------------------------------------------------------------------------------------------------


def test_names_under_the_cursor() -> None:
    assert names_at("  x:down ; 'door open' ; a-b", 6) == ["down"]
    assert names_at("  x:down ; 'door open' ; a-b", 17) == ["door open", "door"]
    assert names_at("  x:down ; 'door open' ; a-b", 26) == ["a-b", "a"]
    assert names_at("", 1) == []


def test_definitions_are_declarations_and_rules() -> None:
    outlines = [outline(FILE, "r.yaml"), outline(SCRIPT, "r.gem")]
    places = [(each["file"], each["line"]) for each in definitions(["outage"], outlines)]
    assert places == [("r.yaml", 2), ("r.gem", 4)]
    assert [(each["file"], each["line"]) for each in definitions(["x", "up"], outlines)] == [("r.gem", 2)]
    assert definitions(["closed"], outlines) == []


# -- the standard form -------------------------------------------------------------------------------------------


def test_scripts_are_written_as_fmt_does() -> None:
    assert in_standard_form("event   a\nrule r{a==>notify b}", "r.gem")["text"].startswith("event a\nrule r {\n")
    with pytest.raises(TextError):
        in_standard_form("event (", "r.gem")


def test_expressions_of_a_rules_file_are_written_where_they_stand() -> None:
    text = """\
rules:   # ours
  - name: one
    language: gem
    expression: "x:a  ;   y:b"   # a comment
    window:   5 min
  - {name: two, language: sel, expression: 'a->b'}
  - name: three
    language: gem
    expression: "a when a.k == 'ok'"
  - name: four
    language: pretty
    expression: |
      a   then b
"""
    made = in_standard_form(text, "r.yaml")["text"]
    assert made == text.replace("x:a  ;   y:b", "x:a ; y:b").replace("a->b", "a -> b").replace(
        "\"a when a.k == 'ok'\"", 'a when a.k == "ok"'
    )
    assert in_standard_form(made, "r.yaml")["text"] == made


@pytest.mark.parametrize(
    "expression", ["'a   ; b'", "a   ; b", '"a   ; b"', "!a", "'it''s  ; b'", '"a  ; \\"b\\""', "a  ; b # no"]
)
def test_the_standard_form_means_the_same(expression: str) -> None:
    text = f"rules:\n  - {{name: x, language: gem, expression: a}}\n  - name: r\n    language: gem\n    expression: {expression}\n"
    made = in_standard_form(text, "r.yaml")["text"]
    assert made.startswith("rules:\n  - {name: x, language: gem, expression: a}\n")
    if "a" in expression and "it" not in expression and expression != "!a":
        before, after = (yaml.safe_load(each)["rules"][1]["expression"] for each in (text, made))
        assert parse(before, "gem") == parse(after, "gem")
        assert "  " not in after
