"""The engine gives what the plain meaning gives: random rules on random logs, whatever the batches."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tests.algebra.strategies import NEGATIVE, POSITIVE, TIMED, logs
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.monitor import detections
from tocsin.session import rules_program
from tocsin.time.spans import Period

WINDOWS = st.one_of(st.none(), st.integers(1, 8).map(lambda n: Period.of(microseconds=n * SECOND)))


@settings(max_examples=3000, deadline=None)
@given(st.one_of(POSITIVE, NEGATIVE, TIMED), logs(8), st.sampled_from((Context.UNRESTRICTED, Context.GENERIC)), WINDOWS)
def test_engine_is_replay(pattern, log, context, window):
    program = rules_program([Rule("r", pattern, context=context, window=window)])
    assert list(detections(program, log)) == list(replay(program, log))
