"""`tocsin test` on Spark: many cases in one job, those that cannot be told apart alone, and failures as elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.testing.building import file_of
from tocsin.testing.verdicts import Asked, judge, judge_on_spark, trials

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]

FILE = """\
rules:
  - {name: pair, language: eps, expression: "x:a ; y:b", condition: x.k == y.k, window: 1 min, select: {who: x, k: x.k}, notify: "{k}: {x.v}"}
cases:
  - name: good
    within_delay: 5 s
    given: |
      first: 1 a k=1 v=one
      2 a k=2 v=two
      3 b k=1
    expect: [{events: [first, 3], data: {who: [first], k: 1}, notification: "1: one"}]
  - {name: bad, given: [1 a k=1 v=1, 2 b k=1], expect: none}
  - name: clock
    rules: [{name: tick, language: eps, expression: every(0/0/0 0:00:10)}]
    given: [0 a, 25 a]
    expect: [{events: [], time: 10}, {events: [], time: 20}]
  - {name: refused, rules: [{name: r, language: eps, expression: "x:a", condition: z.v == 1}], error: variable 'z'}
"""


@pytest.mark.parametrize("runtime", ["spark", "spark-streaming"])
def test_the_same_as_without(spark: Any, tmp_path: Path, runtime: str) -> None:
    cases = file_of(tmp_path, FILE).cases
    on_spark = judge_on_spark([trial for case in cases for trial in trials(case, Asked((runtime,)))])
    here = [judge(trial) for case in cases for trial in trials(case, Asked(("replay",)))]
    assert [outcome.trouble for outcome in on_spark] == [None] * 4
    assert (
        [outcome.is_good for outcome in on_spark] == [outcome.is_good for outcome in here] == [True, False, True, True]
    )
    assert on_spark[0].orders == 3
    found, expected = on_spark[1].comparison.unexpected[0], here[1].comparison.unexpected[0]
    assert (found.rule, found.events, found.time_us, found.data, found.notification) == (
        expected.rule, expected.events, expected.time_us, expected.data, expected.notification,
    )  # fmt: skip
