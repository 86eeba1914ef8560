"""What rules say about themselves, and what they do not say twice."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tocsin as tc
from tocsin.algebra.codec import from_json, to_json
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import SEVERITIES, Rule
from tocsin.cli import main
from tocsin.formats import events_from
from tocsin.planner.placement import ANYWHERE, KEYED, WHOLE, placements
from tocsin.rules.document_text import render_document
from tocsin.rules.documents import KEYS, read_document
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.runtime.ordered import Ordered
from tocsin.session import Session

FULL = """\
rules:
- name: r
  language: pretty
  expression: a as x followed by b as y
  suppress:
    by:
    - x.ip
    - y.ip
    for: 10 minutes
  severity: high
  tags:
  - attack.t1110
  description: what it is for
  references:
  - https://example.org
"""


def test_a_rules_file_says_it_and_is_written_again() -> None:
    (rule,) = read_document(FULL, "r.yaml").rules
    assert (rule.severity, rule.tags, rule.description) == ("high", ("attack.t1110",), "what it is for")
    assert render_document([rule], ["r"]) == FULL
    again = from_json(to_json(rule, "rule"), Rule, "rule")
    assert (again, again.description, again.references) == (rule, rule.description, rule.references)


def test_every_key_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    table = page.partition("## Every key of a rule")[2].partition("\n\n`name`")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == (*KEYS, "use")
    assert all(f"`{word}`" in table for word in SEVERITIES)


def test_the_session_of_the_page(tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"^\$ cat ([\w.]+)\n(.*?)(?=^\$ )", page, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(text)
    sessions = re.findall(r"^\$ tocsin (.*?)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(sessions) == 2
    for command, said in sessions:
        status = main(shlex.split(command))
        told = capsys.readouterr()
        assert (told.out or told.err) == said
        assert status == (0 if told.out else 1)


def test_every_rules_file_on_the_page_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    texts = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert texts
    for text in texts:
        kind, said = (
            ("ssh_failed", "5 times ssh_failed") if "use:" in text else ("failed", "many failures from 10.0.0.7")
        )
        events = [{"type": kind, "time": n * 10, "ip": "10.0.0.7"} for n in range(5)]
        session = Session(read_document(text, "rules.yaml"), Options())
        (found,) = session.detections(events_from(events))
        assert found.notification == said


RUN = "failed 3 times with the same ip within 1 minute"


@pytest.mark.parametrize(
    ("expression", "settings"),
    [
        (f"{RUN} once per failed.ip in 1 hour", {}),
        (f"{RUN} once per first(failed.ip) in 1 hour", {}),
        (RUN, {"suppress": {"by": "failed.ip", "for": "1 hour"}}),
        (f"({RUN}) where failed.ip != 'c' once per failed.ip in 1 hour", {}),
        (f"{RUN} once per failed.ip in 1 hour", {"condition": "failed.ip != 'c'"}),
    ],
)
def test_what_a_run_has_in_common_is_asked_for_as_of_an_event(expression: str, settings: dict[str, Any]) -> None:
    events = [{"type": "failed", "time": n, "ip": "ab"[n % 2], "user": n} for n in range(12)]
    select = {"ip": "failed.ip", "users": "count(failed.user)"}
    rule = tc.rule("r", expression, language="pretty", notify="from {failed.ip}", select=select, **settings)
    found = tc.detect(rule, events)
    assert [(one.data, one.notification) for one in found] == [
        ({"ip": ip, "users": 3}, f"from {ip}") for ip in ("a", "b")
    ]
    assert list(Session(rules_program([rule]), Options(engine="replay")).detections(events_from(events))) == found
    assert [each.kind for each in placements(rules_program([rule]))] == [KEYED]


def test_what_a_run_does_not_have_in_common_is_asked_for_of_one_of_them() -> None:
    with pytest.raises(tc.RuleError, match="stands for several events here"):
        tc.detect(tc.rule("r", RUN, language="pretty", notify="{failed.user}"), [])
    with pytest.raises(tc.RuleError, match="'ip' is not said to be of an event"):
        tc.rule("r", f"{RUN} once per ip in 1 hour", language="pretty")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("severity: hihg", "did you mean 'high'"),
        ("suppress: {by: x.ip}", "this has no 'for'"),
        ("suppress: 10 minutes", "says by what and for how long"),
        ("suppress: {for: 1 min, every: 0}", "this must be a whole number from 1 on"),
        ("suppress: {for: 1 min, every: 2, nth: 2}", "cannot stand together"),
        ("suppress: {by: z.ip, for: 1 min}", "there is no event variable 'z'"),
    ],
)
def test_what_cannot_be_meant(line: str, said: str) -> None:
    with pytest.raises(tc.RuleError, match=said):
        Session(read_document(f"rules:\n- name: r\n  language: eps\n  expression: x:a\n  {line}\n", "r.yaml"))


def test_what_a_rule_says_is_in_its_detections() -> None:
    rule = tc.rule("r", "x:a", severity="low", tags=["one", "two"])
    found = tc.detect(rule, [{"type": "a", "time": 1}])
    assert (found[0].severity, found[0].tags) == ("low", ("one", "two"))
    assert found.to_dicts()[0]["tags"] == ["one", "two"]


def test_what_is_said_of_a_rule_is_no_part_of_what_it_remembers() -> None:
    plain, said = tc.rule("r", "x:a ; y:b"), tc.rule("r", "x:a ; y:b", severity="low", description="d")
    before, after = tc.Live(plain), tc.Live(said)
    before.push({"type": "a", "time": 1})
    after.restore(before.snapshot())
    (found,) = after.push({"type": "b", "time": 2})
    assert found.severity == "low"


# -- suppression -------------------------------------------------------------------------------------------------------

SAME = [(0, "k"), (1, "k"), (2, "l"), (9, "k"), (10, "k"), (25, "l"), (26, "l"), (40, "k")]


def events(pairs: list[tuple[int, str]]) -> list[dict[str, Any]]:
    return [{"type": "a", "time": time, "ip": key, "id": f"{n}"} for n, (time, key) in enumerate(pairs)]


def told(rule: Rule, given: list[dict[str, Any]], engine: str) -> list[tuple[float, int]]:
    notes = Notes()
    session = Session(rules_program([rule]), Options(engine=engine))
    found = [(one.time_us / 1e6, one.suppressed) for one in session.detections(events_from(given), notes)]
    assert notes.suppressed.total() + len(found) == len(given)
    return found


@pytest.mark.parametrize("engine", ["local", "replay"])
@pytest.mark.parametrize(
    ("suppress", "expected"),
    [
        ({"by": "x.ip", "for": "10 s"}, [(0, 0), (2, 0), (10, 2), (25, 0), (40, 0)]),
        ({"for": "10 s"}, [(0, 0), (10, 3), (25, 0), (40, 1)]),
        ({"by": ["x.ip", "x.none"], "for": "1 hour"}, [(0, 0), (2, 0)]),
        ({"by": "x.ip", "for": "10 s", "every": 2}, [(1, 1), (10, 1), (26, 1)]),
        ({"by": "x.ip", "for": "10 s", "nth": 2}, [(1, 1), (26, 1)]),
        ({"for": "1 hour", "every": 3}, [(2, 2), (25, 2)]),
        ({"for": "1 hour", "nth": 1}, [(0, 0)]),
    ],
)
def test_one_of_a_key_in_a_length_of_time(suppress: Any, expected: list[Any], engine: str) -> None:
    assert told(tc.rule("r", "x:a", suppress=suppress), events(SAME), engine) == expected


def test_in_words() -> None:
    (rule,) = load_expression("a as x once per x.ip in 10 seconds", "pretty").rules
    assert told(rule, events(SAME), "local") == [(0, 0), (2, 0), (10, 2), (25, 0), (40, 0)]
    assert tc.rule("rule", "a as x once per x.ip in 10 seconds", language="pretty") == rule
    with pytest.raises(tc.RuleError, match="'once per' has no place in this"):
        tc.parse("a once in 10 seconds", "pretty")


STREAMS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from("kl")), max_size=25)


@given(STREAMS, st.integers(0, 25), st.integers(1, 12), st.sampled_from(({}, {"every": 2}, {"nth": 3})))
def test_every_runtime_tells_the_same(
    pairs: list[tuple[int, str]], cut: int, length: int, number: dict[str, int]
) -> None:
    """The plain meaning, the engine in batches, one by one, and after a restart; late events among them."""
    rule = tc.rule("r", "x:a", suppress={"by": "x.ip", "for": f"{length} s", **number})
    given_events = events(pairs)
    expected = told(rule, given_events, "replay")
    assert told(rule, given_events, "local") == expected
    arrivals = list(events_from(given_events))
    program = rules_program([rule])
    first, second = Ordered(program), Ordered(program)
    found = first.process(arrivals[:cut])
    second.restore(first.snapshot())
    found += [one for arrival in arrivals[cut:] for one in second.process([arrival])]
    assert [(one.time_us / 1e6, one.suppressed) for one in found] == expected


def test_other_rules_see_what_is_not_told() -> None:
    one = tc.rule("one", "x:a", suppress={"for": "1 hour"})
    two = tc.rule("two", "p:one ; q:one")
    found = tc.detect([one, two], events([(1, "k"), (2, "k")]))
    assert found.counts == {"one": 1, "two": 1}


def test_it_does_not_go_with_amendments() -> None:
    with pytest.raises(tc.UsageError, match="cannot be amended"):
        tc.detect(tc.rule("r", "x:a", suppress={"for": "1 hour"}), [], amend=True)


@pytest.mark.parametrize(
    ("pattern", "by", "kind"),
    [
        ("x:a", "x.ip", KEYED),
        ("x:a", "now", WHOLE),
        ("(x:a ; y:b)", "y.ip", KEYED),
        ("(x:a ; y:b)", "y.user", WHOLE),
    ],
)
def test_on_shards_what_is_told_once_comes_together(pattern: str, by: str, kind: str) -> None:
    condition = "x.ip == y.ip" if "y:" in pattern else None
    rule = tc.rule("r", pattern, condition=condition, context="unrestricted", suppress={"by": by, "for": "1 min"})
    (placement,) = placements(rules_program([rule]))
    assert placement.kind == kind
    assert placement.overlap is None
    assert kind != ANYWHERE


def test_what_it_suppresses_by_is_read_on_spark() -> None:
    pytest.importorskip("pyspark")
    from tocsin.spark.attributes import attributes_read

    rule = tc.rule("r", "x:a", select={"v": "x.v"}, suppress={"by": "x.ip", "for": "1 min"})
    assert attributes_read([rule]) == {"v", "ip"}


def test_times_as_dates() -> None:
    (found,) = tc.detect(
        tc.rule("r", "a ; b"),
        [{"type": "a", "time": "2026-01-02T03:04:05Z"}, {"type": "b", "time": "2026-01-02T03:04:05.25Z"}],
    )
    assert found.start == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert found.time == found.detected == datetime(2026, 1, 2, 3, 4, 5, 250_000, tzinfo=UTC)
