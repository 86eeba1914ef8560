"""The outbox by itself: order, retries, dead letters, limits, and what a crash at any moment leaves."""

from __future__ import annotations

import json
from collections import defaultdict
from random import Random

import pytest

from tocsin.service.deliveries.outbox import Attempt, Limits, Outbox
from tocsin.service.deliveries.records import Delivery, Health, Record, State, TargetHealth, pending
from tocsin.service.deliveries.retries import HOUR, MINUTE, SECOND, Schedule
from tocsin.service.deliveries.senders import TAKEN, Outcome, Result

BUSY = Outcome(Result.FAILED, "HTTP 500 Internal Server Error")
GONE = Outcome(Result.GONE, "HTTP 410 Gone")
NEVER = Outcome(Result.REFUSED, "10.0.0.1 may not be dialled")
EXACT = Schedule(pauses=(10 * SECOND, 60 * SECOND), jitter=0.0)


def outbox(*numbers: int, request: str = "r", target: int = 0, **more: object) -> Outbox:
    made = Outbox(**{"schedule": EXACT, **more})  # type: ignore[arg-type]
    made.add([pending(number, request, target, 0) for number in numbers])
    return made


def numbers(attempts: list[Attempt]) -> list[int]:
    return [each.number for each in attempts]


def states(rows: list[Record]) -> list[tuple[int, str] | str]:
    return [(each.number, each.state.value) if isinstance(each, Delivery) else each.health.value for each in rows]


def test_one_at_a_time_and_in_order() -> None:
    box = outbox(1, 2, 3)
    (first,) = box.due(0)
    assert (first.number, first.attempt, box.due(0)) == (1, 1, [])
    assert box.done(first, TAKEN, 5) == [Delivery(1, "r", 0, State.DELIVERED, 1, 5, None, 5)]
    assert numbers(box.due(5)) == [2]
    assert (box.in_flight, box.waiting) == (1, 1)


def test_targets_of_a_request_are_independent() -> None:
    box = outbox(1)
    box.add([pending(1, "r", 1, 0), pending(1, "s", 0, 0)])
    assert {(each.request, each.target) for each in box.due(0)} == {("r", 0), ("r", 1), ("s", 0)}


def test_a_failure_is_tried_again_when_it_is_due_and_holds_back_what_follows() -> None:
    box = outbox(1, 2)
    (first,) = box.due(0)
    assert box.done(first, BUSY, 7) == [Delivery(1, "r", 0, State.PENDING, 1, 7 + 10 * SECOND, BUSY.reason, 7)]
    assert box.due(7) == []
    assert box.next_due(7) == 7 + 10 * SECOND
    assert box.due(6 + 10 * SECOND) == []
    assert box.due(7 + 10 * SECOND) == [Attempt(1, "r", 0, 2)]


def fail_until_dead(box: Outbox, now: int = 0) -> tuple[list[Record], int]:
    """Lets the next notification fail until it is given up."""
    while True:
        (attempt,) = box.due(now)
        rows = box.done(attempt, BUSY, now)
        if states(rows)[0] == (attempt.number, "dead"):
            return rows, now
        due = box.next_due(now)
        assert due is not None
        now = due


def test_what_fails_for_too_long_is_a_dead_letter_and_what_follows_is_tried_less() -> None:
    box = outbox(1, 2, 3)
    rows, now = fail_until_dead(box)
    assert states(rows) == [(1, "dead"), "failing"]
    assert now == 70 * SECOND
    assert box.due(now) == [], "what follows is not thrown at a receiver that is away"
    (second,) = box.due(now + 10 * SECOND)
    assert second == Attempt(2, "r", 0, 1)
    rows, now = fail_until_dead_from(box, second, now + 10 * SECOND)
    assert (states(rows), now) == ([(2, "dead")], 90 * SECOND), "two attempts"
    (third,) = box.due(now + 10 * SECOND)
    assert states(box.done(third, TAKEN, now + 10 * SECOND)) == [(3, "delivered"), "working"]
    assert box.health("r", 0) == (Health.WORKING, None)


def fail_until_dead_from(box: Outbox, attempt: Attempt, now: int) -> tuple[list[Record], int]:
    rows = box.done(attempt, BUSY, now)
    if states(rows)[0] == (attempt.number, "dead"):
        return rows, now
    due = box.next_due(now)
    assert due is not None
    return fail_until_dead(box, due)


def test_what_can_never_be_taken_is_dead_at_once_and_says_nothing_of_the_target() -> None:
    box = outbox(1, 2)
    (first,) = box.due(0)
    assert states(box.done(first, NEVER, 0)) == [(1, "dead")]
    assert numbers(box.due(0)) == [2]
    assert box.health("r", 0) == (Health.WORKING, None)


def test_gone_disables_the_target_and_loses_nothing() -> None:
    box = outbox(1, 2)
    (first,) = box.due(0)
    assert states(box.done(first, GONE, 3)) == [(1, "pending"), "disabled"]
    box.add([pending(3, "r", 0, 4)])
    assert (box.due(HOUR), box.next_due(HOUR), box.pending("r")) == ([], None, 3)
    assert box.health("r", 0) == (Health.DISABLED, "HTTP 410 Gone")
    assert states(box.enable("r", 0, HOUR)) == ["working", (1, "pending")]
    for number in (1, 2, 3):
        (each,) = box.due(HOUR)
        assert each.number == number
        box.done(each, TAKEN, HOUR)


def test_a_target_is_disabled_by_hand_while_something_is_under_way() -> None:
    box = outbox(1, 2)
    (first,) = box.due(0)
    assert states(box.disable("r", 0, "maintenance", 1)) == ["disabled"]
    assert states(box.done(first, TAKEN, 2)) == [(1, "delivered")]
    assert box.due(3) == []
    box.enable("r", 0, 4)
    assert numbers(box.due(4)) == [2]


def test_enabling_tries_at_once_what_would_wait() -> None:
    box = outbox(1)
    (first,) = box.due(0)
    box.done(first, BUSY, 0)
    assert states(box.enable("r", 0, SECOND)) == [(1, "pending")]
    assert box.due(SECOND) == [Attempt(1, "r", 0, 2)]


def test_redrive_sends_dead_letters_again_before_what_waits() -> None:
    box = outbox(1, 2)
    rows, now = fail_until_dead(box)
    dead = [each for each in rows if isinstance(each, Delivery)]
    assert states(box.redrive(dead, now)) == [(1, "pending")]
    assert box.redrive(dead, now) == [], "it is on its way"
    assert box.due(now) == [Attempt(1, "r", 0, 1)]


def test_redrive_of_what_is_no_dead_letter_does_nothing() -> None:
    box = outbox()
    assert box.redrive([Delivery(1, "r", 0, State.DELIVERED, 1, 0, None, 0)], 0) == []
    assert box.due(0) == []


def test_cancel_forgets_what_waits_and_what_is_under_way() -> None:
    box = outbox(1, 2, 3)
    box.add([pending(1, "other", 0, 0)])
    first = next(each for each in box.due(0) if each.request == "r")
    assert states(box.cancel("r", 5)) == [(1, "cancelled"), (2, "cancelled"), (3, "cancelled")]
    assert box.cancel("r", 5) == []
    assert box.done(first, BUSY, 6) == [], "it is not tried again"
    assert (box.due(HOUR), box.pending("r"), box.pending("other")) == ([], 0, 1)


def test_what_was_taken_although_it_was_cancelled_is_told_as_it_is() -> None:
    box = outbox(1)
    (first,) = box.due(0)
    box.cancel("r", 5)
    box.add([pending(2, "r", 0, 6)])
    assert box.due(6) == [], "one at a time, even then"
    assert states(box.done(first, TAKEN, 7)) == [(1, "delivered")]
    assert numbers(box.due(7)) == [2]


def test_cancel_of_one_target() -> None:
    box = outbox(1)
    box.add([pending(1, "r", 1, 0)])
    assert [(each.target) for each in box.cancel("r", 0, 1)] == [1]
    assert [(each.number, each.target) for each in box.due(0)] == [(1, 0)]


def test_what_is_asked_of_us_is_heeded_within_bounds() -> None:
    def due(seconds: float, now: int = 0) -> int:
        box = outbox(1)
        (first,) = box.due(now)
        (row,) = box.done(first, Outcome(Result.FAILED, "HTTP 429", seconds), now)
        assert isinstance(row, Delivery)
        return row.due

    assert due(120) == 120 * SECOND
    assert due(1) == 10 * SECOND, "not sooner than otherwise"
    assert due(10**9) == 24 * HOUR
    assert due(float("nan")) == due(-5) == 10 * SECOND


def test_a_clock_that_is_set_back_keeps_nothing_waiting() -> None:
    box = outbox(1, now=10 * HOUR)
    (first,) = box.due(10 * HOUR)
    box.done(first, BUSY, 10 * HOUR)
    assert box.due(5 * HOUR) == []
    assert box.next_due(5 * HOUR) == 5 * HOUR + 10 * SECOND
    assert numbers(box.due(5 * HOUR + 10 * SECOND)) == [1]


def test_a_clock_that_is_set_back_while_something_goes_before() -> None:
    box = outbox(1, now=10 * HOUR)
    (first,) = box.due(10 * HOUR)
    box.done(first, BUSY, 10 * HOUR)
    box.due(5 * HOUR)
    box.redrive([Delivery(0, "r", 0, State.DEAD, 3, 0, "HTTP 500", 0)], 5 * HOUR)
    (before,) = box.due(5 * HOUR)
    box.done(before, TAKEN, 5 * HOUR)
    assert before.number == 0
    assert box.due(5 * HOUR + 9 * SECOND) == []
    assert numbers(box.due(5 * HOUR + 10 * SECOND)) == [1]


def test_a_row_that_comes_again_is_the_same() -> None:
    box = outbox(1, 2)
    (first,) = box.due(0)
    box.add([pending(1, "r", 0, 0), pending(2, "r", 0, 0)])
    assert box.waiting == 1
    box.done(first, TAKEN, 0)
    assert numbers(box.due(0)) == [2]


def test_a_row_from_before_the_clock_was_set_back_is_not_far_away() -> None:
    row = Delivery(1, "r", 0, State.PENDING, 2, 10_000 * HOUR, "HTTP 500", 0)
    box = Outbox([row], now=HOUR, schedule=EXACT)
    assert box.next_due(HOUR) == HOUR + EXACT.most


def test_rows_and_healths_survive_json() -> None:
    row = Delivery(1, "r", 0, State.PENDING, 2, 30, "HTTP 500", 7)
    health = TargetHealth("r", 0, Health.DISABLED, "HTTP 410 Gone", 9)
    assert Delivery.of_json(json.loads(json.dumps(row.to_json()))) == row
    assert TargetHealth.of_json(json.loads(json.dumps(health.to_json()))) == health


def test_it_goes_on_from_its_rows() -> None:
    rows = [Delivery(2, "r", 0, State.PENDING, 0, 0, None, 0), Delivery(1, "r", 0, State.PENDING, 1, 50, "HTTP 500", 9)]
    box = Outbox(rows, [TargetHealth("q", 0, Health.DISABLED, "HTTP 410 Gone", 0)], now=9, schedule=EXACT)
    box.add([pending(1, "q", 0, 9)])
    assert (box.due(49), box.next_due(49)) == ([], 50)
    assert box.due(50) == [Attempt(1, "r", 0, 2)], "nothing overtakes what is tried again, and 'q' wants nothing"


# -- limits ------------------------------------------------------------------------------------------------------------


def test_so_much_is_under_way_at_a_time() -> None:
    box = Outbox(
        [pending(1, f"r{n}", 0, 0) for n in range(20)], limits=Limits(at_once=6, of_a_place=100, of_suspects=3)
    )
    some = box.due(0)
    assert (len(some), box.due(0), box.next_due(0)) == (6, [], None)
    box.done(some[0], TAKEN, 0)
    assert len(box.due(0)) == 1
    assert len(box.due(0, most=5)) == 0


def test_a_place_has_a_few_at_a_time_and_the_others_do_not_wait_for_it() -> None:
    rows = [pending(1, f"slow{n}", 0, 0) for n in range(50)] + [pending(1, "quick", 0, 0)]
    limits = Limits(at_once=10, of_a_place=2, of_suspects=5)
    box = Outbox(rows, limits=limits, place=lambda request, _: request.rstrip("0123456789"))
    attempts = box.due(0)
    assert sorted(each.request for each in attempts) == ["quick", "slow0", "slow1"]
    seen = {"slow0", "slow1"}
    under_way = [each for each in attempts if each.request != "quick"]
    while under_way:
        box.done(under_way.pop(0), TAKEN, 0)
        more = box.due(0)
        assert len(under_way) + len(more) <= 2
        under_way += more
        seen |= {each.request for each in more}
    assert len(seen) == 50


def test_however_many_are_away_the_others_have_their_room() -> None:
    """Ten times more receivers hang than may be tried at a time: one that works is delivered to at once."""
    limits = Limits(at_once=8, of_a_place=8, of_suspects=4)
    box = Outbox([pending(1, f"away{n}", 0, 0) for n in range(80)], schedule=EXACT, limits=limits)
    now = 0
    for _ in range(20):  # each is tried once, and has failed then
        for attempt in box.due(now):
            box.done(attempt, BUSY, now)
    now = 10 * SECOND
    hanging = box.due(now)
    assert len(hanging) == 4, "half of the room"
    for number in range(1, 30):
        box.add([pending(number, "works", 0, now)])
        (attempt,) = box.due(now)
        assert attempt.request == "works"
        box.done(attempt, TAKEN, now)
    box.done(hanging[0], BUSY, now)
    assert len(box.due(now)) == 1, "the next of those that are away"


def test_room_of_both_kinds_is_never_left_empty_while_somebody_could_use_it() -> None:
    """Lanes of few places, suspect or not, with tight limits: as long as anything waits and fits, something is begun."""
    for seed in range(200):
        random = Random(seed)
        limits = Limits(at_once=6, of_a_place=2, of_suspects=2)
        box = Outbox(schedule=Schedule((1, 1, 1, 1), jitter=0), limits=limits, place=lambda request, _: request[0])
        box.add([pending(n, random.choice("abc") + str(random.randrange(4)), 0, 0) for n in range(60)])
        under_way: list[Attempt] = []
        suspects: set[str] = set()
        for now in range(0, 3000, 2):
            under_way += box.due(now)
            if not under_way:
                break
            busy = {each.request for each in under_way}
            is_held = len(busy & suspects) >= limits.of_suspects
            fits = [
                lane
                for lane in {f"{place}{n}" for place in "abc" for n in range(4)} - busy
                if box.pending(lane)
                and sum(each[0] == lane[0] for each in busy) < limits.of_a_place
                and not (is_held and lane in suspects)
            ]
            assert not fits or len(busy) == limits.at_once, f"seed {seed}: there is room for {fits}"
            attempt = under_way.pop(random.randrange(len(under_way)))
            outcome = random.choice((TAKEN, BUSY, BUSY))
            (suspects.add if outcome is BUSY else suspects.discard)(attempt.request)
            box.done(attempt, outcome, now)
        assert (box.waiting, box.in_flight) == (0, 0), f"seed {seed}: nothing is under way, and something waits"


def test_a_million_that_wait_take_eight_bytes_each() -> None:
    box = outbox()
    box.add(pending(number, "r", 0, 0) for number in range(1, 50_001))
    (lane,) = box._lanes["r"].values()
    held = lane.waiting._numbers
    assert held.itemsize * len(held) == 8 * 50_000
    assert lane.tried == {}
    for number in range(1, 50_001):
        (attempt,) = box.due(0)
        assert attempt.number == number
        box.done(attempt, TAKEN, 0)
    assert len(lane.waiting._numbers) < 3_000, "room is given back"
    assert box._lanes == {}, "nothing is kept of what has all been delivered"


# -- a simulation: receivers that come and go, and crashes at any moment -----------------------------------------------


class World:
    """An outbox, a store whose writes lag behind, receivers, and a clock, all from one seed."""

    LIMITS = Limits(at_once=5, of_a_place=3, of_suspects=2)
    SCHEDULE = Schedule((2 * SECOND, 30 * SECOND, 10 * MINUTE, 2 * HOUR), while_failing=2)

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = 1_000 * HOUR
        self.rows: dict[tuple[int, str, int], Delivery] = {}
        self.healths: dict[tuple[str, int], TargetHealth] = {}
        self.unwritten: list[Record] = []
        self.under_way: list[Attempt] = []
        self.taken: dict[tuple[str, int], list[int]] = defaultdict(list)
        self.lanes = [(f"r{n}", target) for n in range(4) for target in range(1 + n % 2)]
        self.away: dict[tuple[str, int], int] = {}
        self.added: dict[tuple[str, int], list[int]] = defaultdict(list)
        self.number = 0
        self.started()

    def started(self) -> None:
        waiting = [each for each in self.rows.values() if each.state is State.PENDING]
        self.random.shuffle(waiting)
        self.unwritten, self.under_way = [], []
        self.outbox = Outbox(
            waiting, self.healths.values(), now=self.now, schedule=self.SCHEDULE, limits=self.LIMITS,
            place=lambda request, _: request,
        )  # fmt: skip

    def write(self, count: int) -> None:
        for each in self.unwritten[:count]:
            if isinstance(each, Delivery):
                self.rows[each.number, each.request, each.target] = each
            else:
                self.healths[each.request, each.target] = each
        del self.unwritten[:count]

    def step(self) -> None:
        step = self.random.random()
        if step < 0.25:
            self.number += 1
            row = pending(self.number, *self.random.choice(self.lanes), self.now)
            self.rows[row.number, row.request, row.target] = row
            self.added[row.request, row.target].append(row.number)
            self.outbox.add([row])
        elif step < 0.55:
            self.under_way += self.outbox.due(self.now)
            self.check()
        elif step < 0.8 and self.under_way:
            self.answer(self.under_way.pop(self.random.randrange(len(self.under_way))))
        elif step < 0.9:
            self.write(self.random.randrange(len(self.unwritten) + 1))
        elif step < 0.97:
            self.now += self.random.choice((1, SECOND, MINUTE, HOUR))
            if self.random.random() < 0.1:
                self.now -= 5 * HOUR
        elif step < 0.98:
            self.away[self.random.choice(self.lanes)] = self.random.randrange(20)
        elif step < 0.99:
            lane = self.random.choice(self.lanes)
            self.unwritten += self.outbox.enable(*lane, self.now)
        else:
            self.started()

    def check(self) -> None:
        lanes = [(each.request, each.target) for each in self.under_way]
        assert len(set(lanes)) == len(lanes), "one at a time in each lane"
        assert len(lanes) <= self.LIMITS.at_once
        assert all(sum(each[0] == lane[0] for each in lanes) <= self.LIMITS.of_a_place for lane in lanes)

    def answer(self, attempt: Attempt) -> None:
        lane = (attempt.request, attempt.target)
        outcome = TAKEN
        if self.away.get(lane, 0) > 0:
            self.away[lane] -= 1
            outcome = self.random.choice((BUSY, BUSY, BUSY, BUSY, NEVER, GONE))
        if outcome is TAKEN or (outcome is BUSY and self.random.random() < 0.2):  # taken, and the answer was lost
            self.taken[lane].append(attempt.number)
        self.unwritten += self.outbox.done(attempt, outcome, self.now)

    def settle(self) -> None:
        """Everybody is well, and what is pending is delivered."""
        self.away.clear()
        for _ in range(10_000):
            for lane in self.lanes:
                self.unwritten += self.outbox.enable(*lane, self.now)
            self.under_way += self.outbox.due(self.now)
            if not self.under_way:
                break
            self.check()
            self.answer(self.under_way.pop())
        self.write(len(self.unwritten))


@pytest.mark.parametrize("seed", range(150))
def test_nothing_is_lost_nor_overtaken_whenever_it_crashes(seed: int) -> None:
    world = World(seed)
    for _ in range(world.random.randrange(50, 600)):
        world.step()
    world.settle()
    assert (world.outbox.waiting, world.outbox.in_flight) == (0, 0)
    for lane, numbers in world.added.items():
        by_number = {number: world.rows[number, *lane].state for number in numbers}
        assert set(by_number.values()) <= {State.DELIVERED, State.DEAD}, "the ledger balances"
        delivered = [number for number in numbers if by_number[number] is State.DELIVERED]
        taken = world.taken[lane]
        assert set(delivered) <= set(taken), "what is said to be delivered was taken"
        first = list(dict.fromkeys(taken))
        assert first == sorted(first), "nobody hears of a later one before an earlier one"


def test_dead_letters_of_a_simulation_are_all_delivered_by_redrive() -> None:
    world = World(7)
    for _ in range(3_000):
        world.step()
    world.settle()
    dead = [each for each in world.rows.values() if each.state is State.DEAD]
    assert dead, "the simulation has some"
    world.unwritten += world.outbox.redrive(dead, world.now)
    world.settle()
    assert {each.state for each in world.rows.values()} == {State.DELIVERED}


def test_a_dead_receiver_changes_nothing_for_another() -> None:
    """The times at which one receiver hears of its notifications, beside others that work and beside others that hang."""

    def heard(others: Outcome) -> list[int]:
        box = Outbox(schedule=EXACT, limits=Limits(at_once=8, of_a_place=2, of_suspects=4))
        at: list[int] = []
        ends: list[tuple[int, Attempt]] = []
        for tick in range(400):
            now = tick * SECOND
            box.add([pending(tick * 10 + n, "abcdefgh"[n], 0, now) for n in range(8)])
            for end, attempt in list(ends):
                if end <= now:
                    ends.remove((end, attempt))
                    box.done(attempt, others, now)
            while attempts := box.due(now):
                for attempt in attempts:
                    if attempt.request == "a" or others is TAKEN:
                        at += [now] if attempt.request == "a" else []
                        box.done(attempt, TAKEN, now)
                    else:
                        ends.append((now + 15 * SECOND, attempt))  # it hangs until the time is up
        return at

    assert heard(BUSY)[20:] == heard(TAKEN)[20:]
