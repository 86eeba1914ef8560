"""The yardstick, the meaning and the engine agree: the workloads are judged by answers before they are judged by speed."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tocsin.algebra.patterns import Both, Either, Primitive, Sequence
from tocsin.bench import extra_figures, plans
from tocsin.bench.columns import Answer, answer, prepared, run
from tocsin.bench.door import FIGURES, door
from tocsin.bench.engine import measure_workload, table_of
from tocsin.bench.extra_figures import FURTHER
from tocsin.bench.instances import SharedTrees, held_in
from tocsin.bench.loops import LOOPS
from tocsin.bench.measurement import measure
from tocsin.bench.memory import main as memory_of
from tocsin.bench.papers import Papers, measure_papers, pictures, report
from tocsin.bench.records import Record, Target
from tocsin.bench.trees import SHAPES, measure_arrival
from tocsin.bench.workloads import WORKLOADS, checksum, delayed, table
from tocsin.cli import main
from tocsin.commands import bench
from tocsin.languages import languages
from tocsin.runtime.logs import detections

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True, scope="module")
def _what_others_left() -> Iterator[None]:
    """A measurement begins with a collection, which would go through all that the tests before have left each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


# -- answers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_plain_meaning_lists_what_the_loop_lists(name: str) -> None:
    loop, meaning = measure(name, scale=0.4, tries=1)
    assert (meaning.matches, meaning.checksum) == (loop.matches, loop.checksum)


def test_there_is_something_to_compare() -> None:
    assert all(measure(name, scale=0.5, tries=1)[0].matches for name in ("W1", "W2", "W3", "W6", "W7", "W8"))


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_engine_lists_what_the_loop_lists(name: str) -> None:
    record = measure_workload(name, scale=0.01, tries=1, keys=20 if name == "W8" else 50)  # W8 wants many of one
    assert record.agrees
    assert record.matches > 0


@pytest.mark.parametrize("name", FIGURES)
def test_what_comes_through_the_door_is_what_the_engine_finds(name: str) -> None:
    (record,) = door([name], scale=0.01, tries=1)
    assert record.agrees
    assert record.matches > 0


def test_a_batch_may_end_anywhere() -> None:
    given = table("dense", 700, keys=8)
    wanted = LOOPS["W2"](given.rows())
    for size in (1, 7, 699, 700, 5000):
        found = answer(run(prepared(WORKLOADS["W2"].rules), given, size), given)
        assert found == Answer(len(wanted), checksum(wanted))


def test_late_events_are_the_same_events() -> None:
    given = table("wide", 500)
    some = delayed(given)
    assert sorted(some.rows()) == given.rows()
    assert (some.times != given.times).any()
    assert (some.arrivals[1:] >= some.arrivals[:-1]).all()


@pytest.mark.parametrize(
    "name",
    ["late", "selective", "push", "by-100", "many", "constants", "identical", "linear", "rules", "repeat", "heartbeat"],
)
def test_further_figures_have_the_right_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra_figures, "REQUESTS", 20)
    monkeypatch.setattr(extra_figures, "table_of", lambda each, scale: table_of(each, scale, keys=20))
    found = FURTHER[name](0.004 if name in ("late", "linear") else 0.01, 1)
    assert found.agrees
    assert found.matches > 0


def test_the_rules_that_are_planned_are_of_all_languages_and_fire() -> None:
    session = plans.planned(plans.rules_text(len(plans.WRITTEN)))
    assert {rule.language for rule in session.program.rules} == set(languages())
    found = {one.rule for one in detections(session.program, plans.a_few_events())}
    assert found == {rule.name for rule in session.program.rules}


def test_memory_is_told_for_a_process_of_its_own() -> None:
    told = memory_of(3000)
    assert told["agrees"] is True
    assert isinstance(told["peak"], float)
    assert told["peak"] > 0


# -- records --------------------------------------------------------------------------------------------------------


def record(ratio: float, target: Target | None, agrees: bool = True) -> Record:
    return Record("W1", 10, 1, 1, 0.5, ratio, "x", target, agrees, False)


@pytest.mark.parametrize(
    ("ratio", "target", "agrees", "verdict"),
    [
        (8.0, Target(8, 15), True, "ok"),
        (7.9, Target(8, 15), True, "below"),
        (301.0, Target(300, at_most=True), True, "above"),
        (10.0, Target(300, at_most=True), True, "ok"),
        (1.0, None, True, "-"),
        (99.0, Target(8), False, "WRONG"),
    ],
)
def test_a_verdict_is_one_word(ratio: float, target: Target | None, agrees: bool, verdict: str) -> None:
    assert record(ratio, target, agrees).verdict == verdict


# -- the command ----------------------------------------------------------------------------------------------------


def test_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "W4", "late", "--scale", "0.01", "--tries", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found] == ["W4", "late"]
    assert all(one["agrees"] is True for one in found)
    assert {"events", "matches", "checksum", "cpu_seconds", "ratio", "unit", "target", "compiled"} <= found[0].keys()
    assert found[0]["target"] == {"value": 8, "goal": 15, "at_most": False}


def test_figures_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "W2", "--scale", "0.01", "--tries", "1"]) == 0
    out = capsys.readouterr().out
    assert "compiled" in out.lower() or "INTERPRETED" in out
    assert "x the loop" in out


def test_the_plain_meaning_is_a_suite_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "replay", "W1", "--scale", "0.2", "--json"]) == 0
    assert [one["contender"] for one in json.loads(capsys.readouterr().out)] == ["loop", "replay"]


def test_a_wrong_answer_is_exit_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "measure_workload", lambda *_, **__: record(9.0, Target(8), agrees=False))
    assert main(["bench", "W1"]) == 1
    told = capsys.readouterr()
    assert "WRONG" in told.out
    assert "not those of the yardstick" in told.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["W99"], "W99"),
        (["engine", "w1"], "engine has W1 W2"),
        (["replay", "late"], "replay has W1"),
        (["papers", "W1"], "papers has no parts"),
        (["--scale", "0"], "scale"),
        (["--scale", "nan"], "scale"),
        (["--tries", "0"], "at least one"),
        (["engine", "--svg", "out"], "--svg goes with papers"),
    ],
)
def test_what_there_is_not_is_refused(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 2
    assert told in capsys.readouterr().err


# -- the papers -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def papers() -> Papers:
    """The figures, measured once."""
    return measure_papers(0.05, 1)


def test_figures_2_to_5_step_by_step(papers: Papers) -> None:
    phases = papers.phases
    assert [(phase.instances, phase.marked) for phase in phases] == [(8, 0), (8, 5), (8, 7), (5, 4)]
    assert {phase.rows for phase in phases} == {4}


def test_trees_hold_what_is_reckoned() -> None:
    one, two, three, four = (Primitive(name) for name in ("E1", "E2", "E3", "E4"))
    tree = Both((Both((one, two)), Either((three, four))))
    trees = SharedTrees({"AP": tree}, {"AP": lambda _: False})
    for kind in ("E1", "E3", "E2", "E2", "E4", "E3", "E1"):
        trees.arrive(kind)
    assert trees.held == held_in(tree, {"E1": 2, "E2": 2, "E3": 2, "E4": 1})


def test_a_sequence_combines_with_what_came_before() -> None:
    trees = SharedTrees({"AP": Sequence((Primitive("E1"), Primitive("E2")))}, {"AP": lambda _: False})
    for kind in ("E2", "E1", "E2", "E1"):
        trees.arrive(kind)
    assert trees.held == 5


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_last_event_of_a_tree_is_notified_once(shape: object) -> None:
    point = measure_arrival(shape, 4, 2, 1)  # type: ignore[arg-type]
    assert (point.notifications, point.stored, point.rows) == (1, 6, 7)


def test_pictures_are_well_formed_and_say_what_they_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "papers", "--scale", "0.05", "--tries", "1", "--svg", str(tmp_path / "new")]) == 0
    out = capsys.readouterr().out
    assert "Fig. 7" in out
    assert "Section 9" in out
    files = sorted((tmp_path / "new").iterdir())
    assert [file.name for file in files] == ["eps-fig7.svg", "eps-fig8.svg", "eps-height.svg", "eps-held.svg"]
    for file in files:
        root = ElementTree.fromstring(file.read_bytes())
        assert root.tag == f"{SVG}svg"
        texts = [text.text for text in root.iter(f"{SVG}text")]
        assert "microseconds" in texts or "held" in texts


def test_the_papers_as_json_and_words(papers: Papers) -> None:
    assert json.loads(json.dumps(papers.as_json()))["sharing"][0]["shared"] > 0
    assert len(pictures(papers)) == 4
    assert "AP1" in report(papers)


# -- texts ----------------------------------------------------------------------------------------------------------

SIGMA = """\
title: {title}
logsource: {{category: process_creation, product: windows}}
detection:
    selection:
        Image|endswith: '{image}'
        CommandLine|contains: {words}
    condition: selection
"""


def test_rules_about_texts_find_what_their_guards_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for title, image, words in (("One", r"\CMD.exe", "[shadows, /C]"), ("Two", r"\net.exe", "[user]")):
        (tmp_path / f"{title}.yml").write_text(SIGMA.format(title=title, image=image, words=words))
    (tmp_path / "not_sigma.yml").write_text("rules: nothing")
    assert main(["bench", "W10", "W10-one", "--sigma", str(tmp_path), "--scale", "0.01", "--tries", "1", "--json"]) == 0
    all_of_them, one = json.loads(capsys.readouterr().out)
    assert all_of_them["agrees"]
    assert one["agrees"]
    assert all_of_them["matches"] > one["matches"] > 0
    assert all_of_them["details"]["files not read"] == 1


def test_rules_about_texts_have_to_be_somewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "W10"]) == 2
    assert "--sigma" in capsys.readouterr().err
    assert main(["bench", "W10", "--sigma", str(tmp_path)]) == 1
    assert "no Sigma files" in capsys.readouterr().err
