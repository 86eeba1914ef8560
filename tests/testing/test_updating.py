"""--update: what was found is written where it belongs, all else stays, and the file then passes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.testing.building import file_of, outcomes
from tocsin.testing.updates import updated

HEAD = """\
# about this file
rules:
  - {name: pair, language: eps, expression: "x:a ; y:b", window: 1 min, notify: "{x.v}: #1"}   # a rule
cases:
"""
CASES = {
    "missing": ('  - name: one   # first\n    given: |\n      1 a v="x\\"y"\n      2 b v=no\n\n    # kept\n', "\n    # kept\n"),
    "asked": ("  - name: one\n    expect: update   # say\n    given: [1 a v=1, {z: 2 b}]\n", "   # say\n"),
    "block": ("  - name: one\n    given: [1 a v=1, {2b: 2 b}]\n    expect:\n      # gone\n      - [1]\n      - {rule: pair}\n\n# kept\n", "\n\n# kept\n"),
    "by rule": ("  - name: one\n    given: [1 a v=1, 2 b]\n    expect:\n      pair:\n        - [1]\n    within_delay: 3 s # kept\n", "\n    within_delay: 3 s # kept\n"),
    "flow": ("  - {name: one, expect: 7, given: [1 a v=1, 2 b]}\n", ", given: [1 a v=1, 2 b]}\n"),
    "flow, missing": ("  - {name: one, given: [1 a v=1, 2 b]}  # kept\n", "}  # kept\n"),
    "nothing": ("  - name: one\n    expect: [[1, 2]]\n    given: [1 b v=1, 2 a]\n", "    expect: none\n    given: [1 b v=1, 2 a]\n"),
    "dates": ('  - name: one\n    given: [2026-11-15T20:00:00Z a v=1, "2026-11-15T20:00:01.5Z b"]\n', "time: 2026-11-15T20:00:01.5Z"),
    "last": ("  - name: one\n    given: [1 a, 2 b]\n  - name: two\n    given: []\n    expect: none", "\n  - name: two\n    given: []\n    expect: none"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_what_was_found_is_expected_then(kind: str, tmp_path: Path) -> None:
    text, kept = CASES[kind]
    file = file_of(tmp_path, HEAD + text)
    found = outcomes(file.cases[0])[0].found
    assert len(found) == (kind != "nothing")
    made = updated(file, {"one": found})
    assert made.startswith(HEAD)
    assert kept in made
    assert "# gone" not in made
    again = file_of(tmp_path, made)
    assert all(each.is_good for case in again.cases for each in outcomes(case))
    assert updated(again, {"one": found}) == made
    for case in yaml.safe_load(made)["cases"]:
        assert "expect" in case


def test_a_detection_is_written_so_that_another_is_noticed(tmp_path: Path) -> None:
    file = file_of(tmp_path, HEAD + CASES["asked"][0])
    made = updated(file, {"one": outcomes(file.cases[0])[0].found})
    assert (
        'expect:\n      - {rule: pair, events: [1, z], time: 2.0, data: {"x.v": 1}, notification: "1: #1"}   # say'
        in made
    )
