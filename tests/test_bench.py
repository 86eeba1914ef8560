"""The yardstick and the meaning agree: the workloads are judged by answers before they are judged by speed."""

from __future__ import annotations

import pytest

from tocsin.bench.measuring import measure
from tocsin.bench.workloads import WORKLOADS
from tocsin.cli import main


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_plain_meaning_lists_what_the_loop_lists(name: str) -> None:
    loop, meaning = measure(name, scale=0.4, tries=1)
    assert (meaning.matches, meaning.checksum) == (loop.matches, loop.checksum)


def test_there_is_something_to_compare() -> None:
    assert all(measure(name, scale=0.5, tries=1)[0].matches for name in ("W1", "W2", "W3", "W6", "W7"))


def test_an_unknown_workload_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "W99"]) == 2
    assert "W99" in capsys.readouterr().err
