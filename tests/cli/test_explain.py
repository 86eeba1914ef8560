"""`tocsin explain`: what it shows, where it writes, and what it refuses; and where each rule would run on Spark."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.rules.test_templates import BRUTE
from tocsin.cli import main

RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host"}
- {name: hot, language: eps, expression: "t:temp", condition: "t.v > 30"}
- {name: loose, language: eps, expression: "x:a ; z:c"}
- {name: old, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: chronicle}
- {name: tick, language: eps, expression: "every(0/0/0 0:05:00)"}
"""


def test_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    assert main(["explain", str(tmp_path / "rules.yaml"), "--engine", "spark"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. many shards, by a.host, b.host",
        "   sent there: events of type a, b",
        "   rule pair: by a.host, b.host",
        "2. many shards, events anywhere",
        "   sent there: events of type temp",
        "   rule hot: about single events: they may be anywhere",
        "3. one shard",
        "   sent there: events of type a, b, c",
        "   rule loose: no attribute is equal in all its events",
        "   rule old: no attribute is equal in all its events",
        "4. one shard",
        "   sent there: all events",
        "   rule tick: it has time events, which have no attributes",
    ]


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    assert main(["explain", str(tmp_path / "rules.yaml"), "--engine", "spark", "--json"]) == 0
    (pair, *_) = json.loads(capsys.readouterr().out)
    assert (pair["kind"], pair["key"]) == ("keyed", {"a": "host", "b": "host"})


def test_bad_rules_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-e", "a ;", "--lang", "eps", "--engine", "spark"]) == 1
    assert "<expression>:1:" in capsys.readouterr().err


def test_the_graph_is_shown_by_default(tocsin: Run) -> None:
    Path("rules.yaml").write_text(RULES)
    done = tocsin("explain", "rules.yaml")
    assert done.code == 0
    assert done.out.startswith("5 rules over 5 types of events: ")
    assert "  hot: eps, generic; no window, state bounded; Spark shards: many, anywhere\n" in done.out
    assert "p1 x:a ; y:b: chronicle" in done.out
    assert "if x.host == y.host: => old\n" in done.out


def test_automata_are_shown_with_the_graph(tocsin: Run) -> None:
    done = tocsin("explain", "-e", "[A] ; [B]", "--lang", "core", "--run", "again")
    assert "automaton of rule: 3 states, run 'again'\n" in done.out
    assert "runs beside the network, with a memory of its own: its run is 'again', one at a time\n" in done.out


def test_why_a_rule_has_a_memory_of_its_own(tocsin: Run) -> None:
    for words, why in (
        (
            ["a , b", "--lang", "global", "--time-model", "2g:1 sec"],
            "nodes of the network that remember have no 2g stamps",
        ),
        (["a ; b", "--lang", "eps", "--context", "cumulative"], "its context is 'cumulative'"),
    ):
        said = f"runs beside the network, with a memory of its own: {why}\n"
        assert said in tocsin("explain", "-e", *words).out


def test_why_a_rule_runs_on_the_plain_meaning(tocsin: Run) -> None:
    told = tocsin("explain", "-e", "!b at [10, 20]", "--lang", "sel").out
    assert "runs on the plain meaning: a window in which nothing has to occur\n" in told


def test_pictures_are_written_beside_the_text(tocsin: Run) -> None:
    done = tocsin("explain", "-e", "a ; b", "--lang", "eps", "--plan", "--svg", "p.svg", "--mermaid", "p.mmd")
    assert done.out.startswith("rule rule (no window, state unbounded)\n  when b arrives\n")
    ElementTree.parse("p.svg")
    assert Path("p.mmd").read_text().startswith("flowchart LR\n")


def test_mermaid_instead_of_the_text(tocsin: Run) -> None:
    assert tocsin("explain", "-e", "a ; b", "--lang", "eps", "--mermaid").out.startswith("flowchart LR\n")


def test_json_has_the_graph_and_the_plans(tocsin: Run) -> None:
    done = tocsin("explain", "-e", "x:a ; y:b", "--lang", "eps", "--condition", "x.k == y.k", "--plan", "--json")
    record = json.loads(done.out)
    assert [(each["rule"], each["runs"], each["bounded"]) for each in record["rules"]] == [("rule", "searched", False)]
    assert [(each["start"], each["late"]) for each in record["plans"]] == [("b arrives", False), ("a arrives", True)]
    assert record["plans"][0]["steps"][0]["by"] == ["same k as b"]
    assert {node["kind"] for graph in record["graphs"] for node in graph["nodes"]} == {"type", "step", "rule"}


def test_what_can_be_cut_off_a_rule_and_what_not(tocsin: Run) -> None:
    done = tocsin("explain", "-e", "{a ; c} ! b", "--lang", "gem", "--cuts")
    assert done.out.splitlines() == [
        "Rule 'rule' (generic): 2 parts can be cut off.",
        "  cut  a ; c   [a, c]   not in shares: no attribute is equal in all its events",
        "  cut  {a ; c} ! b (with b between)   [a, b, c]   "
        "not in shares: what may have to be absent lies between events of any key",
        "  no   a, b: 'b' must be absent between two events, and they are not both in the part",
        "  no   b, c: 'b' must be absent between two events, and they are not both in the part",
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["x:*", "--lang", "gem"], "rule 'rule' takes events of any type: none may be held back"),
        (["[A];[B]", "--lang", "core"], "an automaton looks at every event of its states' domains"),
        (["a", "--lang", "eps"], "one event alone may be needed, so nothing of its type could be held back"),
        (["a 3 times within 1 min", "--lang", "pretty"], "what counts here is what came right before"),
        (["(!b -> a) in 1 minute", "--lang", "sel"], "an absence that reaches up to the edge of a window"),
        (["((a , b) , a)", "--lang", "global"], "an event may be used up by one of its operators and still wait"),
    ],
)
def test_a_rule_without_cuts_runs_whole_and_says_why(words: list[str], why: str, tocsin: Run) -> None:
    out = tocsin("explain", "-e", *words, "--cuts").out
    assert "runs whole.\n" in out
    assert why in out


def test_cuts_as_json(tocsin: Run) -> None:
    (record,) = json.loads(tocsin("explain", "-e", "{a ; c} ! b", "--lang", "gem", "--cuts", "--json").out)["rules"]
    assert (record["rule"], record["context"]) == ("rule", "generic")
    shared = {"key": {}, "undivided": "no attribute is equal in all its events"}
    assert record["cuts"][0] == {"text": "a ; c", "types": ["a", "c"], "patterns": ["a ; c"], "absent": [], **shared}
    assert record["cuts"][1]["absent"] == ["b"]
    assert [each["text"] for each in record["uncut"]] == ["a, b", "b, c"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-e", "a", "--lang", "eps", "--automaton"], "no rule here is an automaton"),
        (["-e", "a", "--lang", "eps", "--json", "--mermaid"], "both write to standard output"),
        (["--mermaid", "rules.yaml"], "'rules.yaml' would be a file of rules"),
        (["-e", "a", "--lang", "eps", "--svg", "x.gem"], "'x.gem' would be a file of rules"),
        (["-e", "a", "--lang", "eps", "--run", "again"], "a run is a matter of the core language"),
        (["-e", "a", "--lang", "eps", "--svg", "no/such/folder.svg"], "no/such/folder.svg: No such file"),
        ([], "no rules given"),
        (["-e", "a", "--lang", "eps", "--cuts", "--svg", "x.svg"], "--cuts is text or JSON"),
    ],
)
def test_what_cannot_be_shown_is_refused(words: list[str], message: str, tocsin: Run) -> None:
    Path("rules.yaml").write_text(RULES)
    done = tocsin("explain", *words)
    assert (done.code, message in done.err) == (1, True)
    assert Path("rules.yaml").read_text() == RULES


def test_no_rules_at_all(tocsin: Run) -> None:
    Path("empty.gem").write_text("event a()\n")
    done = tocsin("explain", "empty.gem", "--svg", "none.svg", "--mermaid", "none.mmd")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "0 rules over 0 types of events: 0 parts between them, none shared.",
    )
    assert tocsin("explain", "empty.gem", "--plan").code == 0


def test_a_script_that_enables_nothing_is_explained_too(tocsin: Run) -> None:
    Path("rules.gem").write_text("event a()\nevent b()\nevent c()\nrule r { a ; b ==> notify c }\n")
    assert "not enabled at the start" in tocsin("explain", "rules.gem").out


def test_explain_shows_a_template_once(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(BRUTE)
    for options in ((), ("--plan",)):
        assert tocsin("explain", "r.yaml", *options).out.splitlines()[:6] == [
            "templates",
            "  brute(type, n = 5, span = 1 minute)",
            "    ${type} ${n} times with the same ip within ${span}",
            "      ssh: brute(ssh_failed, 2)",
            "      web: brute(span = 30 seconds, type = http_401, n = 3)",
            "",
        ]
    (shown,) = json.loads(tocsin("explain", "r.yaml", "--json").out)["templates"]
    assert shown["uses"]["ssh"] == "brute(ssh_failed, 2)"
    (tmp_path / "r.yaml").write_text("rules: [{name: r, language: eps, expression: a ; b}]")
    assert "templates" not in tocsin("explain", "r.yaml").out
