"""`tocsin detect --amend`: the session in the docs, what is written, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tocsin as tc
from tests.cli.conftest import Run

PAGE = Path(__file__).parents[2] / "docs" / "events.md"
RULE = ("-e", "down as d unless (up as u where u.link == d.link) within 2 minutes", "--lang", "pretty")


def session() -> tuple[dict[str, str], str]:
    """The files and the output of the session that the page records."""
    (block,) = re.findall(r"### Amendments.*?```console\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    said = dict(zip(parts[::2], parts[1::2], strict=True))
    (command,) = (each for each in said if each.startswith("tocsin"))
    assert command == "tocsin detect rules.yaml --events events.jsonl --amend"
    return {each.removeprefix("cat "): text for each, text in said.items() if each != command}, said[command]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in session()[0].items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("engine", ["local", "replay"])
def test_the_session_in_the_docs(engine: str, files: Path, tocsin: Run) -> None:
    asked = ("detect", files / "rules.yaml", "--events", files / "events.jsonl", "--amend", "--engine", engine)
    assert tocsin(*asked).out == session()[1]


def test_a_table_says_what_was_amended(files: Path, tocsin: Run) -> None:
    asked = ("detect", files / "rules.yaml", "--events", files / "events.jsonl", "--amend", "--format", "table")
    assert tocsin(*asked).out.splitlines()[-1].endswith("e1      retracted because of e4 r1-r2 is down")


def test_a_picture_shows_what_stands(files: Path, tocsin: Run) -> None:
    picture = files / "picture.svg"
    tocsin("detect", files / "rules.yaml", "--events", files / "events.jsonl", "--amend", "--svg", picture)
    assert "4 events · 1 detection ·" in picture.read_text()


def test_an_amendment_is_no_event(files: Path, tocsin: Run) -> None:
    out = tocsin("detect", files / "rules.yaml", "--events", files / "events.jsonl", "--amend").out
    (files / "again.jsonl").write_text(out)
    done = tocsin("detect", "-e", "link_down", "--lang", "eps", "--events", files / "again.jsonl")
    assert (done.code, "again.jsonl:3:1: an amendment of a detection is no event" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--amend", "--order", "delay:5 sec"), "rule 'rule' runs under delay:5*sec, which puts events in order"),
        (("--amend", "--late", "ignore"), "late events are ignored: then they amend nothing"),
        (("--amend", "--budget", "rows=3"), "what a budget drops cannot be looked at again"),
        (("--amend", "--engine", "spark"), "on Spark what is reported stays"),
        (("--amend-for", "5 min"), "--amend-for goes with --amend"),
        (("--amend", "--amend-for", "soon"), "how late an event may be: "),
    ],
)
def test_what_is_refused(options: tuple[str, ...], reason: str, files: Path, tocsin: Run) -> None:
    done = tocsin("detect", *RULE, "--events", files / "events.jsonl", *options)
    assert (done.code, reason in done.err) == (1, True), done.err


def test_from_python(files: Path) -> None:
    found = tc.detect(files / "rules.yaml", str(files / "events.jsonl"), amend=True)
    assert found.to_dicts() == [json.loads(line) for line in session()[1].splitlines()]
    assert found.counts == {"link_down": 1}
    first, _, last = found
    assert isinstance(last, tc.Amendment)
    assert (last.amends, last.change, last.because, last.detection.events) == (first.id, "retracted", "e4", ("e1",))
    assert found.to_arrow()["change"].to_pylist() == [None, None, "retracted"]
    assert found.to_polars()["because"].to_list() == [None, None, "e4"]
    assert "retracted because of e4 r1-r2 is down" in found._repr_html_()
    assert len(tc.detect(files / "rules.yaml", str(files / "events.jsonl"), amend="1 min")) == 2, "too late to amend"
