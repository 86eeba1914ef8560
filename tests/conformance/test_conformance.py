"""Every case in every runtime: the floor that nothing may fall below."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.cases import Case, all_cases, mismatch
from tests.conformance.runtimes import RUNTIMES, UNSUPPORTED, commanded
from tocsin.errors import TocsinError

CASES = all_cases()


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case, runtime: str, tmp_path: Path) -> None:
    missing = case.languages & UNSUPPORTED.keys()
    if missing:
        with pytest.raises(TocsinError, match="language"):
            RUNTIMES[runtime](case, tmp_path)
        pytest.skip(UNSUPPORTED[missing.pop()])
    if case.error is not None:
        with pytest.raises(TocsinError) as caught:
            RUNTIMES[runtime](case, tmp_path)
        assert case.error in str(caught.value)
        return
    assert mismatch(case, RUNTIMES[runtime](case, tmp_path)) is None


@pytest.mark.parametrize("name", ["eps/fig6-recent", "gem/friday-13th", "gem/wrong-weekday-is-an-error"])
def test_the_command_line_gives_the_same(name: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == name)
    if case.error is not None:
        with pytest.raises(TocsinError):
            commanded(case, tmp_path)
        return
    assert mismatch(case, commanded(case, tmp_path)) is None


def test_a_wrong_answer_is_noticed() -> None:
    case = Case("made", {"name": "x", "lang": "eps", "expr": "a", "expect": [{"events": [1], "time": 2}]})
    assert mismatch(case, [{"events": ["1"], "time": 2.0}]) is None
    assert "missing" in str(mismatch(case, [{"events": ["1"], "time": 3.0}]))
    assert "unexpected" in str(mismatch(case, [{"events": ["1"], "time": 2.0}, {"events": ["2"], "time": 2.0}]))
