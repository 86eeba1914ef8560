"""2g-precedence: definitions 4.1 to 4.10 and the examples of 002 section 4.1.

The order's laws are checked on every stamp over two sites and four ticks, and on random ones over three.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import UsageError
from tocsin.time import GlobalStamp, as_record, concurrent, join, later_or_join, precedes, primitive_stamp

GRANULARITY = 10


def made(base: int, interval: int, late: dict[str, int] | None = None, **offset: int) -> GlobalStamp:
    """A stamp from its triple; each site's exact time is `late` (default 0) microseconds into its tick."""
    exact = {site: (base + n) * GRANULARITY + (late or {}).get(site, 0) for site, n in offset.items()}
    return GlobalStamp(base, interval, tuple(sorted(offset.items())), tuple(sorted(exact.items())))


def at(site: str, tick: int, late: int = 0) -> GlobalStamp:
    return primitive_stamp(site, tick * GRANULARITY + late, GRANULARITY)


def is_valid(stamp: GlobalStamp) -> bool:
    """Definition 4.2 and our own invariants: offsets 0 or 1, the base is reached, the limit too, exact times fit."""
    offsets = [n for _, n in stamp.offset]
    return (
        set(offsets) <= {0, 1}
        and min(offsets) == 0
        and max(offsets) == stamp.interval
        and list(stamp.offset) == sorted(stamp.offset)
        and [site for site, _ in stamp.offset] == [site for site, _ in stamp.exact]
        and all(time // GRANULARITY == stamp.localclock(site) for site, time in stamp.exact)
    )


def every_stamp(sites: str, bases: range, late: tuple[int, ...]) -> list[GlobalStamp]:
    """Every valid stamp over these sites, ticks and places within a tick."""
    found: list[GlobalStamp] = []
    absent_or_read: list[tuple[int, int] | None] = [None, *product((0, 1), late)]
    for base in bases:
        for choice in product(absent_or_read, repeat=len(sites)):
            taken = {site: read for site, read in zip(sites, choice, strict=True) if read is not None}
            offsets = {site: offset for site, (offset, _) in taken.items()}
            if offsets and min(offsets.values()) == 0:
                places = {site: place for site, (_, place) in taken.items()}
                found.append(made(base, max(offsets.values()), places, **offsets))
    return found


ALL = every_stamp("AB", range(4), (0, 7))

three_sites = every_stamp("ABC", range(3), (0, 7))
stamps = st.sampled_from(three_sites)


def test_there_are_as_many_stamps_as_there_should_be() -> None:
    # Per base: one site 2 sites x 2 places; two sites 3 pairs of offsets x 4 places.
    assert len(ALL) == 4 * (2 * 2 + 3 * 4)
    assert all(is_valid(stamp) for stamp in ALL + three_sites)


# Definitions 4.1 to 4.3


def test_definition_4_2_limit_sites_and_local_clocks() -> None:
    stamp = made(306, 1, A=0, B=1)
    assert stamp.limit == 307
    assert stamp.sites == ("A", "B")
    assert (stamp.localclock("A"), stamp.localclock("B")) == (306, 307)
    with pytest.raises(KeyError):
        stamp.localclock("C")


def test_definition_4_3_primitive() -> None:
    stamp = primitive_stamp("X", 12_345, 1000)
    assert stamp == GlobalStamp(12, 0, (("X", 0),), (("X", 12_345),))
    assert (stamp.limit, stamp.time) == (12, 12_345)


def test_definition_4_1_ticks_are_rounded_down_before_1970_too() -> None:
    assert primitive_stamp("X", -1, 1000).base == -1
    assert primitive_stamp("X", -1000, 1000).base == -1
    assert primitive_stamp("X", -1001, 1000).base == -2


@pytest.mark.parametrize("granularity", [0, -1])
def test_a_granularity_is_positive(granularity: int) -> None:
    with pytest.raises(UsageError):
        primitive_stamp("X", 0, granularity)


def test_example_4_4() -> None:
    stamp = primitive_stamp("A", 27_619_951_703_000_000, 1_000_000)
    assert as_record(stamp) == {"base": 27_619_951_703, "interval": 0, "offset": {"A": 0}}


# Figure 1, its four examples


def test_figure_1_first_the_same_tick_is_inherited() -> None:
    first, second = at("A", 10), at("B", 10)
    assert concurrent(first, second)
    assert as_record(join(first, second)) == {"base": 10, "interval": 0, "offset": {"A": 0, "B": 0}}


def test_figure_1_second_one_tick_apart_covers_an_interval() -> None:
    first, second = at("A", 10), at("B", 11)
    assert concurrent(first, second)
    assert not precedes(first, second)
    assert as_record(join(first, second)) == {"base": 10, "interval": 1, "offset": {"A": 0, "B": 1}}


def test_figure_1_third_a_joined_stamp_is_concurrent_with_a_tick_it_covers() -> None:
    first = join(at("A", 10), at("B", 11))
    for tick in (10, 11):
        assert concurrent(first, at("C", tick))
        joined = join(first, at("C", tick))
        assert as_record(joined) == {"base": 10, "interval": 1, "offset": {"A": 0, "B": 1, "C": tick - 10}}


def test_figure_1_fourth_lower_bounds_two_ticks_apart_are_sequential() -> None:
    first, second = join(at("A", 10), at("B", 11)), at("C", 12)
    assert not concurrent(first, second)
    assert precedes(first, second)


# Definition 4.5


def test_definition_4_5_two_ticks_apart_is_a_sequence_anywhere() -> None:
    assert precedes(at("A", 10), at("B", 12))
    assert not concurrent(at("A", 10), at("B", 12))


def test_definition_4_5_one_tick_apart_is_a_sequence_only_at_one_site() -> None:
    assert precedes(at("A", 10), at("A", 11))
    assert not concurrent(at("A", 10), at("A", 11))
    assert not precedes(at("A", 10), at("B", 11))


def test_definition_4_5_one_shared_site_is_enough() -> None:
    assert precedes(made(306, 1, A=0, B=1), made(307, 0, A=0, C=0))
    assert not precedes(made(306, 1, A=0, B=1), made(307, 0, B=0, C=0))
    assert concurrent(made(306, 1, A=0, B=1), made(307, 0, B=0, C=0))


def test_definition_4_5_concurrency_is_not_transitive() -> None:
    a, b, c = at("A", 10), at("B", 11), at("C", 12)
    assert concurrent(a, b)
    assert concurrent(b, c)
    assert not concurrent(a, c)


def test_note_3_one_site_within_one_tick_goes_by_exact_local_time() -> None:
    early, late = at("A", 10, late=2), at("A", 10, late=5)
    assert precedes(early, late)
    assert not precedes(late, early)
    assert not concurrent(early, late)
    assert not concurrent(late, early)
    assert not precedes(early, early)
    assert later_or_join(late, early) == late


def test_note_3_does_not_order_different_sites() -> None:
    assert not precedes(at("A", 10, late=2), at("B", 10, late=5))
    assert concurrent(at("A", 10, late=2), at("B", 10, late=5))


def test_a_shared_site_must_have_read_the_same_exact_time_to_be_concurrent() -> None:
    pair = made(10, 0, {"A": 2}, A=0, B=0)
    assert concurrent(pair, made(10, 0, {"A": 2}, A=0, C=0))
    assert not concurrent(pair, made(10, 0, {"A": 5}, A=0, C=0))
    assert not precedes(pair, made(10, 0, {"A": 5}, A=0, C=0))


def check_pair(a: GlobalStamp, b: GlobalStamp) -> None:
    """What holds between any two stamps."""
    forward, backward, together = precedes(a, b), precedes(b, a), concurrent(a, b)
    assert not (forward and backward)
    assert not (together and (forward or backward))
    assert together == concurrent(b, a)
    if forward or backward:
        with pytest.raises(UsageError):
            join(a, b)
        assert later_or_join(a, b) == (b if forward else a)
        return
    # Proposition 4.6: at most two adjacent clock values cover both.
    clocks = [stamp.localclock(site) for stamp in (a, b) for site in stamp.sites]
    assert max(clocks) - min(clocks) <= 1
    # Definition 4.7, and "this construction defines a valid timestamp".
    joined = join(a, b)
    assert is_valid(joined)
    assert joined == join(b, a) == later_or_join(a, b)
    for site in {*a.sites, *b.sites}:
        assert joined.localclock(site) == max(stamp.localclock(site) for stamp in (a, b) if site in stamp.sites)
        assert dict(joined.exact)[site] == max(dict(stamp.exact)[site] for stamp in (a, b) if site in stamp.sites)


def test_every_pair_over_two_sites() -> None:
    for a, b in product(ALL, ALL):
        check_pair(a, b)


@given(stamps, stamps)
def test_pairs_over_three_sites(a: GlobalStamp, b: GlobalStamp) -> None:
    check_pair(a, b)


def test_precedence_is_as_printed_in_definition_4_5() -> None:
    """Literally, for stamps whose events all fell at the start of their ticks: there note 3 changes nothing."""
    for a, b in product(every_stamp("AB", range(4), (0,)), repeat=2):
        shared = set(a.sites) & set(b.sites)
        later_somewhere = any(a.localclock(s) < b.localclock(s) for s in shared)
        assert precedes(a, b) == (b.limit - a.base >= 2 or (b.base == a.base + 1 and later_somewhere))
        same_clocks = all(a.localclock(s) == b.localclock(s) for s in shared)
        assert concurrent(a, b) == (b.limit - a.base < 2 and a.limit - b.base < 2 and same_clocks)


def test_precedence_is_irreflexive_and_transitive() -> None:
    later = {a: [b for b in ALL if precedes(a, b)] for a in ALL}
    reached = {a: set(later[a]) for a in ALL}
    for a in ALL:
        assert a not in reached[a]
        for b in later[a]:
            assert reached[a].issuperset(later[b])


@given(stamps, stamps, stamps)
def test_precedence_is_transitive_over_three_sites(a: GlobalStamp, b: GlobalStamp, c: GlobalStamp) -> None:
    if precedes(a, b) and precedes(b, c):
        assert precedes(a, c)


def test_a_pair_for_which_none_of_the_three_cases_applies() -> None:
    first, second = made(306, 1, A=0, B=1), made(306, 1, A=1, B=0)
    assert not precedes(first, second)
    assert not precedes(second, first)
    assert not concurrent(first, second)


# Definitions 4.7 and 4.10


def test_example_4_8() -> None:
    first = primitive_stamp("A", 27_619_951_703, 1)
    second = primitive_stamp("B", 27_619_951_704, 1)
    assert concurrent(first, second)
    assert as_record(join(first, second)) == {"base": 27_619_951_703, "interval": 1, "offset": {"A": 0, "B": 1}}


def test_example_4_9() -> None:
    joined = join(made(306, 1, A=0, B=1), made(306, 1, A=1, B=0))
    assert as_record(joined) == {"base": 307, "interval": 0, "offset": {"A": 0, "B": 0}}
    assert joined.exact == (("A", 3070), ("B", 3070))


def test_the_join_keeps_the_exact_time_of_the_component_it_keeps() -> None:
    joined = join(made(10, 0, {"A": 9, "B": 1}, A=0, B=0), made(10, 1, {"A": 3, "C": 4}, A=0, C=1))
    assert joined == GlobalStamp(10, 1, (("A", 0), ("B", 0), ("C", 1)), (("A", 109), ("B", 101), ("C", 114)))
    assert joined.time == 114


def test_definition_4_10_conjunction() -> None:
    early, late, beside = at("A", 10), at("B", 12), at("B", 11)
    assert later_or_join(early, late) == late
    assert later_or_join(late, early) == late
    assert later_or_join(early, beside) == join(early, beside)
