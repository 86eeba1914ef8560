"""Options as people write them; a wrong one says what is possible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.algebra.patterns import Run
from tocsin.algebra.rules import BEST_EFFORT, Context, Order
from tocsin.errors import UsageError
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, run_of, window_of, word
from tocsin.time.spans import SECOND, parse_period


def refusal(make: object, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        make(text)  # type: ignore[operator]  # one of the functions above
    return str(caught.value)


@pytest.mark.parametrize("context", list(Context))
def test_every_context(context: Context) -> None:
    assert context_of(context.value) is context


def test_a_misspelt_word_gets_the_words_there_are_and_the_nearest() -> None:
    assert refusal(context_of, "cronicle") == (
        "'cronicle' is not a context: use unrestricted, generic, chronicle, recent, continuous or cumulative; "
        "did you mean 'chronicle'?"
    )
    runs = "every, again, once, to next, past last, to first or to last"
    assert refusal(lambda text: word(text, Run, "run"), "") == f"'' is not a run: use {runs}"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("best-effort", BEST_EFFORT),
        ("best-effort:", BEST_EFFORT),
        ("guaranteed", Order("guaranteed")),
        ("guaranteed:5 min", Order("guaranteed", idle=parse_period("5 min"))),
        ("guaranteed:5", Order("guaranteed", idle=parse_period("5 sec"))),
        ("delay:5 sec", Order("delay", delay=parse_period("5 sec"))),
        ("delay:PT1M", Order("delay", delay=parse_period("1 min"))),
        ("delay:0/0/0 0:00:05", Order("delay", delay=parse_period("5 sec"))),
        ("delay:0 sec", Order("delay", delay=parse_period("0 sec"))),
        ("probabilistic:0.99", Order("probabilistic", probability=0.99)),
    ],
)
def test_every_order(text: str, order: Order) -> None:
    assert order_of(text) == order


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("delay", "the delay: the text ends too soon in ''"),
        ("delay:", "the delay: the text ends too soon in ''"),
        ("delay:5 moons", "the delay: unknown unit of time 'moons' in '5 moons'"),
        ("delay:-5 sec", "the delay: unexpected '-'"),
        ("garanteed", "did you mean 'guaranteed'?"),
        ("guaranteed:soon", "how long a source may be silent: unknown unit of time 'soon' in 'soon'"),
        ("guaranteed:0 sec", "a source may be silent for some time, as in guaranteed:5 min, not for '0 sec'"),
        ("sure", "'sure' is not an order: use best-effort, delay:SPAN, guaranteed[:SPAN] or probabilistic:P"),
        ("", "'' is not an order"),
        ("probabilistic", "a probability lies "),
        ("probabilistic:1.5", "a probability lies "),
        ("probabilistic:nan", "a probability lies "),
    ],
)
def test_a_wrong_order_is_refused(text: str, part: str) -> None:
    assert part in refusal(order_of, text)


def test_windows() -> None:
    assert window_of("5 min") == window_of("[5*min]") == window_of("300") == parse_period("5 min")
    assert refusal(window_of, "0 sec") == "a window must be longer than nothing: '0 sec'"
    assert refusal(window_of, "soon").startswith("the window: unknown unit of time 'soon' in 'soon'")


def test_time_models() -> None:
    assert granularity_of("point") is granularity_of("interval") is None
    assert granularity_of("2g:250 ms") == SECOND // 4
    assert refusal(granularity_of, "2g:0 sec") == "a tick must be longer than nothing: '0 sec'"
    assert refusal(granularity_of, "2g").startswith("the tick of the 2g model: ")
    assert refusal(granularity_of, "3g") == "'3g' is not a time model: use point, interval or 2g:SPAN"
    assert refusal(granularity_of, "point:5") == "'point:5' is not a time model: use point, interval or 2g:SPAN"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5", 5),
        ("-1.5", -1.5),
        ("1e3", 1000),
        ("1970-01-01T00:00:05Z", 5),
        ("1970-01-01 01:00:00+01:00", 0),
        ("1970/1/2", 86400),
    ],
)
def test_times(text: str, seconds: float) -> None:
    assert instant_of(text) == round(seconds * SECOND)


@pytest.mark.parametrize("text", ["", "soon", "nan", "inf", "1e400", "-inf", "2026-13-01", "12:00", "1_000x"])
def test_a_wrong_time_is_refused(text: str) -> None:
    assert refusal(instant_of, text).startswith(f"'{text}' is not a time: ")


@given(st.sampled_from([context_of, order_of, window_of, granularity_of, instant_of]), st.text())
def test_any_text_is_an_option_or_refused(make: object, text: str) -> None:
    for asked in (text, f"delay:{text}", f"guaranteed:{text}", f"2g:{text}", f"probabilistic:{text}"):
        try:
            make(asked)  # type: ignore[operator]  # one of the functions above
        except UsageError as error:
            refused = str(error)
            assert refused


@pytest.mark.parametrize(
    ("text", "run", "step"),
    [
        ("again", Run.AGAIN, ""),
        ("past last", Run.PAST, ""),
        ("to first x", Run.FIRST, "x"),
        ("to last  a b ", Run.LAST, "a b"),
    ],
)
def test_a_run(text: str, run: Run, step: str) -> None:
    assert run_of(text) == (run, step)


def test_a_run_that_skips_to_a_step_says_to_which() -> None:
    assert "says to which step: to first x" in refusal(run_of, "to first")
    assert "did you mean 'past last'" in refusal(run_of, "past the last")
