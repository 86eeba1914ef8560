"""`tocsin translate`: files of every kind, what is kept, and refusals at their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.translation.comparing import python_rules
from tocsin.rules.loader import load_file

RULES = """\
rules:
- name: pair
  language: gem
  expression: a ; b
  condition: a.n < b.n
  window: 1 hour
  order: guaranteed:5*min
  notify: "{d}"
  select: {d: b.n - a.n}
- name: idle
  language: sel
  expression: a -> b
  enabled: false
"""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "rules.yaml"
    path.write_text(RULES)
    return path.name


def test_every_setting_is_kept(tocsin: Run, rules: str) -> None:
    done = tocsin("translate", rules, "--to", "pretty", "--output", "out.yaml")
    assert (done.code, done.out) == (0, "")
    one, other = load_file(Path("out.yaml")).rules
    was = load_file(Path(rules)).rules[0]
    assert (one.condition, one.window, one.order, one.notify, one.select) == (
        was.condition, was.window, was.order, was.notify, was.select,
    )  # fmt: skip
    assert (one.language, str(one.context), other.context) == ("pretty", "generic", None)
    assert "enabled: false" in Path("out.yaml").read_text()


def test_a_translation_detects_what_its_source_does(tocsin: Run, events: str) -> None:
    text = "a ; b"
    source = tocsin("detect", "-e", text, "--lang", "gem", "--events", events)
    assert len(source.records) == 2
    for target in ("sel", "eps", "global", "pretty", "gem"):
        kind = "eps" if target == "eps" else "yaml"
        tocsin("translate", "-e", text, "--lang", "gem", "--to", target, "--output", f"{target}.{kind}")
        assert tocsin("detect", f"{target}.{kind}", "--events", events).out == source.out


def test_python_runs(tocsin: Run, events: str) -> None:
    done = tocsin("translate", "-e", "a ; b", "--lang", "gem", "--to", "python", "--output", "rules.py")
    assert done.code == 0
    (rule,) = python_rules(Path("rules.py").read_text())
    assert (rule.name, str(rule.context)) == ("rule", "generic")


def test_a_rule_that_does_not_run_has_no_python(tocsin: Run, rules: str) -> None:
    done = tocsin("translate", rules, "--to", "python")
    assert done.code == 1
    assert "Python has no way to write a rule that does not run: 'idle'" in done.err


def test_definitions_stay_before_their_expression(tocsin: Run) -> None:
    done = tocsin("translate", "-e", "D = [A] [B]\n[D] ; [C]", "--lang", "core", "--to", "core")
    assert (done.code, done.err) == (0, "")
    assert "expression: |-\n    D = [A] [B]\n    [D] ; [C]\n" in done.out


def test_a_run_is_kept_and_not_lost(tocsin: Run) -> None:
    Path("r.yaml").write_text("rules: [{name: r, language: core, expression: '[x:A]', run: again}]")
    assert "run: again" in tocsin("translate", "r.yaml", "--to", "core").out
    done = tocsin("translate", "r.yaml", "--to", "sel")
    assert done.code == 1
    assert "r.yaml:1:48: SEL has no way to write an automaton with the run 'again' (CORE)" in done.err


def test_every_refusal_is_shown_at_its_place(tocsin: Run) -> None:
    Path("r.yaml").write_text(
        "rules:\n- name: one\n  language: gem\n  expression: a ; (b + [5*sec])\n"
        "- name: two\n  language: pretty\n  expression: >\n    any event then b\n"
    )
    done = tocsin("translate", "r.yaml", "--to", "sel")
    assert (done.code, done.out) == (1, "")
    first, *rest = done.err.splitlines()
    assert first.startswith("r.yaml:4:19: SEL has no way to write a timer that begins with what it waits for")
    assert rest[0] == "    expression: a ; (b + [5*sec])"
    assert rest[1].strip() == "^" * 13
    assert rest[2].startswith("  nearest in sel: a -> b delta 5 seconds - but it begins where it ends")
    assert "r.yaml:7:15: SEL has no way to write any event (GEM's `*`)" in done.err
    assert "no law brings this construct to SEL" in done.err


SCRIPT = """\
event a(long n)
event r(long n)
rule r [1*min] { a when a.n > 1 ==> notify r(a.n) }
enable r
"""


def test_a_script_that_notifies_by_its_own_name(tocsin: Run, events: str) -> None:
    Path("r.gem").write_text(SCRIPT)
    done = tocsin("translate", "r.gem", "--to", "sel", "--output", "r.yaml")
    assert done.code == 0
    assert "no longer have the source 'self'" in done.err
    own, made = (tocsin("detect", name, "--events", events).records for name in ("r.gem", "r.yaml"))
    assert len(own) == 1
    assert [{key: one[key] for key in one if key != "source"} for one in own] == made


def test_what_only_a_script_can_do_is_refused(tocsin: Run) -> None:
    Path("r.gem").write_text(SCRIPT.replace("notify r(a.n)", "enable r; forward a") + "a 'x' [00:00 1/1/2026] (3)\n")
    done = tocsin("translate", "r.gem", "--to", "pretty")
    assert done.code == 1
    for what in ("the action 'enable'", "the action 'forward'", "a statement of a GEM script (raise)"):
        assert what in done.err
    stays = tocsin("translate", "r.gem", "--to", "gem")
    assert stays.code == 0
    assert "forward a" in stays.out


def test_a_declared_time_is_no_text(tocsin: Run) -> None:
    Path("r.gem").write_text(SCRIPT.replace("event a(long n)", "event a(long n, time t)"))
    done = tocsin("translate", "r.gem", "--to", "sel")
    assert done.code == 1
    assert "that 't' of 'a' is a time" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "sell"], "did you mean 'sel'?"),
        (["--to", "gem", "--output", "x.txt"], "rules in gem are written to *.gem, *.yaml or *.yml, not to *.txt"),
        (["--to", "gem", "--output", "x"], "has no ending that says what kind of file it is"),
        (["--to", "gem", "--time-model", "3g"], "'3g' is not a time model"),
        (["--to", "gem", "--output", "x.gem"], "GEM has no way to write a rule with"),
    ],
)
def test_what_cannot_be_meant_is_refused(tocsin: Run, arguments: list[str], message: str) -> None:
    done = tocsin("translate", "-e", "a ; b", "--lang", "gem", *arguments)
    assert done.code == 1
    assert message in done.err


def test_a_rule_with_faults_is_refused_first(tocsin: Run) -> None:
    done = tocsin("translate", "-e", "a -> !b", "--lang", "sel", "--to", "gem")
    assert done.code == 1
    assert "an outer end is fluid" in done.err


def test_the_time_model_decides(tocsin: Run) -> None:
    words = ("translate", "-e", "{a ; b} ! c", "--lang", "gem", "--to", "sel")
    assert tocsin(*words).code == 0
    assert tocsin(*words, "--time-model", "interval").code == 1
    assert tocsin(*words, "--time-model", "2g:1 s").code == 1


def test_a_callback_stays_in_eps(tocsin: Run) -> None:
    Path("r.eps").write_text('request r {\n  event: a ; b\n  callback: "http://host/x"\n}\n')
    assert 'callback: "http://host/x"' in tocsin("translate", "r.eps", "--to", "eps").out
    done = tocsin("translate", "r.eps", "--to", "gem")
    assert (done.code, done.err.splitlines()[0]) == (1, "r.eps:1:1: GEM has no way to write a callback: rule 'r'")


def test_one_refusal_does_not_block_the_file(tocsin: Run) -> None:
    Path("r.yaml").write_text(
        "rules:\n- {name: one, language: gem, expression: 'a ; (b + [5*sec])'}\n"
        "- {name: two, language: pretty, expression: a followed by b}\n"
        "- {name: three, language: pretty, expression: one followed by b}\n"
    )
    done = tocsin("translate", "r.yaml", "--to", "sel", "--output", "out.yaml")
    assert done.code == 1
    assert "r.yaml:2:47: SEL has no way" in done.err
    assert "rule 'three' uses 'one', which is left out" in done.err
    assert "out.yaml: what can be said of 3 rules in sel" in done.err
    assert Path("out.yaml").read_text() == "rules:\n- name: two\n  language: sel\n  expression: a -> b\n"
