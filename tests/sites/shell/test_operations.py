"""`tocsin sites` and `tocsin trace`, asked while sites are at work in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.sites.asked_worlds import event, program
from tests.sites.shell.deployments import SECOND, Together, memory_url
from tocsin.cli import main


@pytest.fixture
def together() -> Iterator[Together]:
    made = Together(memory_url())
    yield made
    made.close()


def said(together: Together, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """What a command prints while the sites go on."""
    codes: list[int] = []
    verb, *rest = words
    thread = threading.Thread(target=lambda: codes.append(main([verb, "--broker", together.url, *rest])))
    thread.start()
    together.until(lambda: bool(codes))
    thread.join()
    output = capsys.readouterr()
    return codes[0], output.out, output.err


def detecting(together: Together) -> None:
    """A rule at C over events of A and B, and its detection."""
    guest = together.guest()
    together.request("C", program("a -> b"))
    together.announce(guest, {"sa": ("A", ["a"]), "sb": ("B", ["b"])})
    now = 1_700_000_000
    guest.reporter("A").report(event("a", "sa", "a1", now))
    guest.reporter("B").report(event("b", "sb", "b1", now + 1))
    guest.reporter("A").beat("sa", (now + 5) * SECOND)
    guest.reporter("B").beat("sb", (now + 5) * SECOND)
    together.until(lambda: bool(together.told["C"]))


def test_status_says_who_is_there_and_what_runs(together: Together, capsys: pytest.CaptureFixture[str]) -> None:
    detecting(together)
    code, out, _ = said(together, capsys, "sites", "status")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")][1:4] == ["A", "B", "C"]
    assert "sources\n" in out
    code, out, _ = said(together, capsys, "sites", "status", "--json")
    status = json.loads(out)
    assert [part["rules"] for part in status["parts"]] == [["rule"]]
    assert all(link["bytes"] > 0 for link in status["links"])


def test_what_is_blocked_is_said_with_the_reason(together: Together, capsys: pytest.CaptureFixture[str]) -> None:
    detecting(together)
    _, out, _ = said(together, capsys, "sites", "blocked")
    assert out == "nothing is blocked\n"
    guest = together.guests[0]
    guest.reporter("B").report(event("b", "sb", "b2", 1_700_000_060))
    site = together.sites["C"].site
    together.until(lambda: bool(site.blocked))
    _, out, _ = said(together, capsys, "sites", "blocked")
    assert "source 'sa' at 'A' has told of nothing since 2023-11-14T22:13:25Z" in out
    together.kill("A")
    together.until(lambda: site.now - site.neighbours.peers["A"].heard > 2 * SECOND)
    _, out, err = said(together, capsys, "sites", "blocked")
    assert "site 'A' has not been heard of for" in out
    assert "tocsin: site 'A' does not answer" in err


def test_a_rule_is_moved_and_a_site_drained(together: Together, capsys: pytest.CaptureFixture[str]) -> None:
    detecting(together)
    code, out, _ = said(together, capsys, "sites", "move", "rule", "B")
    assert code == 0
    assert out.endswith("of rule: moved from 'C' to 'B'\n")
    assert said(together, capsys, "sites", "move", "rule", "B")[1] == "'rule' runs at 'B' already\n"
    code, out, _ = said(together, capsys, "sites", "drain", "B")
    assert (code, out.endswith("of rule: moved from 'B' to 'A'\n")) == (0, True)
    code, _, err = said(together, capsys, "sites", "move", "rule", "Z")
    assert (code, err) == (1, "tocsin: there is no site 'Z'; sites: A, B, C\n")


def test_a_detection_is_traced(together: Together, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    detecting(together)
    one = together.detections("C")[0]
    svg = tmp_path / "trail.svg"
    code, out, _ = said(together, capsys, "trace", one.id[:8], "--svg", str(svg))
    assert code == 0
    assert out.startswith(f"detection {one.id} of rule 'rule'\n")
    assert "a sa/a1  2023-11-14T22:13:20Z  born at A  [A/a #1, A -> C, " in out
    assert fromstring(svg.read_text()).tag.endswith("svg")
    code, out, _ = said(together, capsys, "trace", one.id, "--json")
    assert {each["event"]["site"] for each in json.loads(out)["trail"]["from"]} == {"A", "B"}
    code, _, err = said(together, capsys, "trace", "nothing")
    assert (code, err) == (1, "tocsin: no site remembers a detection 'nothing'; asked: A, B, C\n")


def test_a_plan_is_shown_beside_what_was_measured(together: Together, capsys: pytest.CaptureFixture[str]) -> None:
    detecting(together)
    words = ("-e", "a -> b", "--lang", "sel", "--sink", "C")
    code, out, err = said(together, capsys, "sites", "plan", "--policy", "near-sources", *words)
    assert (code, err) == (0, "")
    assert out.startswith("policy near-sources, told at C\n  rule at C\n")
    assert "beside what all streams that run cause now\nfrom  to " in out
    code, out, _ = said(together, capsys, "sites", "plan", "--policy", "central", "--json", *words)
    planned = json.loads(out)
    assert (planned["policy"], planned["rules"][0]["site"]) == ("central", "C")
    assert planned["compared"]["total"].keys() >= {"predicted", "measured", "factor"}


def test_what_runs_is_explained(together: Together, capsys: pytest.CaptureFixture[str]) -> None:
    detecting(together)
    code, out, _ = said(together, capsys, "sites", "explain", "rule")
    assert code == 0
    first, *rest = out.splitlines()
    assert first.startswith("rule rule runs at C as rule/")
    assert rest[:2] == ["  takes A/a from A", "  takes B/b from B"]
    code, _, err = said(together, capsys, "sites", "explain", "rul")
    assert (code, err) == (1, "tocsin: no rule 'rul' runs at any site; rules that run: rule; did you mean 'rule'?\n")
    code, out, _ = said(together, capsys, "sites", "explain", "-e", "{a -> b -> c} in 10 sec", "--lang", "sel")
    assert code == 0
    assert "can be cut off, and run elsewhere:" in out


def test_where_no_site_is_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    url = memory_url()
    assert main(["sites", "status", "--broker", url]) == 1
    assert "no site is heard there: start one" in capsys.readouterr().err
