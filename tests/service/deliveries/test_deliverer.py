"""Outbox and senders at work: receivers that hang, fail, come back, want no more; a store that cannot write."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("aiohttp", reason="deliveries need aiohttp")

from tests.service.deliveries.receivers import Answer, Receiver, receiver
from tocsin.service.deliveries.addresses import Addresses
from tocsin.service.deliveries.deliverer import Deliverer, wall_clock
from tocsin.service.deliveries.outbox import Outbox
from tocsin.service.deliveries.records import Delivery, Health, Record, State, TargetHealth, pending
from tocsin.service.deliveries.retries import Schedule
from tocsin.service.deliveries.senders import Senders
from tocsin.service.deliveries.targets import Target, Webhook
from tocsin.service.deliveries.webhooks import WebhookLimits, Webhooks
from tocsin.sinks.signatures import is_signed, key_of, new_secret

SECRET = new_secret()
SOON = Schedule(pauses=(1_000,) * 5, jitter=0.0)


class Store:
    """Rows, and what notifications say; it can be told not to write."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, str, int], Delivery] = {}
        self.healths: dict[tuple[str, int], TargetHealth] = {}
        self.writes = 0
        self.failures = 0
        self.changed = asyncio.Condition()

    async def fetch(self, number: int) -> bytes | None:
        return None if number < 0 else json.dumps({"id": f"d{number}", "number": number}).encode()

    async def persist(self, rows: Sequence[Record]) -> None:
        self.writes += 1
        if self.failures:
            self.failures -= 1
            raise OSError("no space left on device")
        await asyncio.sleep(0)
        for each in rows:
            if isinstance(each, Delivery):
                self.rows[each.number, each.request, each.target] = each
            else:
                self.healths[each.request, each.target] = each
        async with self.changed:
            self.changed.notify_all()

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with self.changed:
            await self.changed.wait_for(is_so)

    def states(self, request: str) -> list[str]:
        return [row.state.value for (_, of, _), row in sorted(self.rows.items()) if of == request]

    def is_delivered(self, request: str, count: int) -> Callable[[], bool]:
        return lambda: self.states(request).count("delivered") >= count


@asynccontextmanager
async def at_work(
    store: Store, targets: dict[tuple[str, int], Target], outbox: Outbox | None = None, *, whole: float = 10.0
) -> AsyncIterator[Deliverer]:
    senders: Senders = {Webhook: Webhooks(Addresses(["127.0.0.0/8"]), WebhookLimits(whole=whole))}
    deliverer = Deliverer(
        outbox or Outbox(schedule=SOON, now=wall_clock()),
        senders,
        target_of=lambda request, target: targets.get((request, target)),
        fetch=store.fetch,
        persist=store.persist,
    )
    running = asyncio.create_task(deliverer.run())
    try:
        yield deliverer
    finally:
        await deliverer.stop(5.0)
        await running


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(limited())


def rows(request: str, *numbers: int) -> list[Delivery]:
    return [pending(number, request, 0, wall_clock()) for number in numbers]


def told(hook: Receiver) -> list[int]:
    return [json.loads(each.body)["number"] for each in hook.requests]


def test_notifications_are_posted_signed_and_in_order_over_one_connection() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url, (SECRET,))}) as deliverer:
            deliverer.add(rows("r", *range(1, 51)))
            await store.until(store.is_delivered("r", 50))
            assert told(hook) == list(range(1, 51))
            assert all(
                is_signed([key_of(SECRET)], each.headers, each.body, wall_clock() / 1e6) for each in hook.requests
            )
            assert len({each.headers["webhook-id"] for each in hook.requests}) == 50
            assert {each.headers["content-type"] for each in hook.requests} == {"application/json"}
            assert len({each.peer for each in hook.requests}) == 1, "the connection is kept"

    run(test)


def test_what_fails_comes_again_under_the_same_name_before_what_follows() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            hook.answers = [Answer(500), Answer(0), Answer(0), Answer(429, {"Retry-After": "0"}), Answer(302)]
            deliverer.add(rows("r", 1, 2))
            await store.until(store.is_delivered("r", 2))
            assert told(hook) == [1] * 6 + [2], "no answer at all is tried twice, redirects are not followed"
            assert len({each.headers["webhook-id"] for each in hook.requests[:6]}) == 1
            assert "webhook-signature" not in hook.requests[0].headers
            assert store.rows[1, "r", 0].attempts == 5

    run(test)


def test_rows_of_many_attempts_are_written_together_and_nobody_waits_for_that() -> None:
    class Slow(Store):
        async def persist(self, rows: Sequence[Record]) -> None:
            await slow.wait()
            await super().persist(rows)

    slow = asyncio.Event()

    async def test() -> None:
        store = Slow()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            deliverer.add(rows("r", *range(100)))
            await hook.has(100)
            slow.set()
            await store.until(store.is_delivered("r", 100))
            assert store.writes <= 4

    run(test)


def test_a_receiver_that_hangs_or_fails_keeps_nobody_else_waiting() -> None:
    async def test() -> None:
        store, never = Store(), asyncio.Event()
        async with receiver() as hangs, receiver() as fails, receiver() as works:
            hangs.usual, fails.usual = Answer(after=never), Answer(500)
            targets: dict[tuple[str, int], Target] = {
                ("hangs", 0): Webhook(hangs.url), ("fails", 0): Webhook(fails.url), ("works", 0): Webhook(works.url),
            }  # fmt: skip
            async with at_work(store, targets) as deliverer:
                deliverer.add([*rows("hangs", *range(20)), *rows("fails", *range(20))])
                await hangs.has(1)
                await fails.has(2)
                deliverer.add(rows("works", *range(200)))
                await store.until(store.is_delivered("works", 200))
                assert told(works) == list(range(200))
                assert len(hangs.requests) == 1, "one at a time"
                assert deliverer.outbox.pending("hangs") == 20
                never.set()
                await store.until(store.is_delivered("hangs", 20))

    run(test)


def test_an_answer_after_the_time_is_up_is_none() -> None:
    async def test() -> None:
        store, late = Store(), asyncio.Event()
        async with (
            receiver() as hook,
            at_work(store, {("r", 0): Webhook(hook.url)}, whole=0.2) as deliverer,
        ):
            hook.answers = [Answer(after=late)]
            deliverer.add(rows("r", 1))
            await store.until(lambda: ("1" in (store.rows[1, "r", 0].error or "1")) if store.rows else False)
            await store.until(store.is_delivered("r", 1))
            late.set()
            assert told(hook) == [1, 1], "it may have been taken, so it comes again under the same name"
            assert len({each.headers["webhook-id"] for each in hook.requests}) == 1

    run(test)


def test_gone_disables_the_target_until_it_is_enabled() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            hook.answers = [Answer(410)]
            deliverer.add(rows("r", 1, 2))
            await store.until(lambda: ("r", 0) in store.healths)
            assert store.healths["r", 0].health is Health.DISABLED
            assert store.rows[1, "r", 0].state is State.PENDING
            assert told(hook) == [1]
            deliverer.change(lambda outbox, now: outbox.enable("r", 0, now))
            await store.until(store.is_delivered("r", 2))
            assert told(hook) == [1, 1, 2]

    run(test)


def test_dead_letters_and_redrive() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            hook.usual = Answer(500)
            deliverer.add(rows("r", 1, 2))
            await store.until(lambda: store.states("r") == ["dead", "dead"])
            assert store.rows[1, "r", 0].error == "HTTP 500 Internal Server Error"
            assert len(hook.requests) == 6 + 2
            hook.usual = Answer(204)
            dead = [each for each in store.rows.values() if each.state is State.DEAD]
            deliverer.change(lambda outbox, now: outbox.redrive(dead, now))
            await store.until(store.is_delivered("r", 2))
            assert told(hook)[-2:] == [1, 2]
            assert store.healths["r", 0].health is Health.WORKING

    run(test)


def test_a_private_address_is_a_dead_letter_at_once() -> None:
    async def test() -> None:
        store = Store()
        targets: dict[tuple[str, int], Target] = {("r", 0): Webhook("http://10.1.2.3/hook")}
        async with at_work(store, targets) as deliverer:
            deliverer.add(rows("r", 1))
            await store.until(lambda: store.states("r") == ["dead"])
            assert "10.1.2.3 may not be dialled: it is private" in (store.rows[1, "r", 0].error or "")

    run(test)


def test_what_is_kept_no_longer_and_whose_target_is_gone() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            deliverer.add([*rows("r", -1, 1), *rows("nobody", 1, 2)])
            await store.until(lambda: store.states("r") == ["dead", "delivered"])
            await store.until(lambda: store.states("nobody") == ["cancelled", "cancelled"])
            assert store.rows[-1, "r", 0].error == "what it says is kept no longer"

    run(test)


def test_a_store_that_cannot_write_stops_deliveries_and_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tocsin.service.deliveries.deliverer._PAUSE", 0.01)

    async def test() -> None:
        store = Store()
        store.failures = 3
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            deliverer.add(rows("r", *range(1, 30)))
            await store.until(store.is_delivered("r", 29))
            assert told(hook) == list(range(1, 30))

    run(test)


def test_nothing_more_is_tried_while_too_much_waits_to_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tocsin.service.deliveries.deliverer._UNWRITTEN", 10)

    class Slow(Store):
        async def persist(self, rows: Sequence[Record]) -> None:
            began.set()
            await slow.wait()
            await super().persist(rows)

    slow, began = asyncio.Event(), asyncio.Event()

    async def test() -> None:
        store = Slow()
        async with receiver() as hook, at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
            deliverer.add(rows("r", *range(50)))
            await began.wait()
            await hook.has(10)
            while deliverer.outbox.in_flight:  # until it stands still
                await asyncio.sleep(0)
            assert (len(hook.requests), deliverer.outbox.waiting) == (10, 40)
            slow.set()
            await store.until(store.is_delivered("r", 50))
            assert told(hook) == list(range(50))

    run(test)


def test_what_is_due_soon_does_not_wait_for_what_is_due_late() -> None:
    async def test() -> None:
        store = Store()
        async with receiver() as late, receiver() as soon:
            late.answers, soon.answers = [Answer(503, {"Retry-After": "3600"})], [Answer(500)]
            async with at_work(store, {("late", 0): Webhook(late.url), ("soon", 0): Webhook(soon.url)}) as deliverer:
                deliverer.add(rows("late", 1))
                await store.until(lambda: store.states("late") == ["pending"])
                deliverer.add(rows("soon", 1))
                await store.until(store.is_delivered("soon", 1))
                assert (len(soon.requests), len(late.requests)) == (2, 1)

    run(test)


def test_a_stop_waits_for_what_is_under_way_and_a_start_goes_on() -> None:
    async def test() -> None:
        store, answered = Store(), asyncio.Event()
        async with receiver() as hook:
            targets: dict[tuple[str, int], Target] = {("r", 0): Webhook(hook.url)}
            hook.answers = [Answer(after=answered)]
            everything = {(each.number, each.request, each.target): each for each in rows("r", 1, 2, 3)}
            store.rows |= everything
            async with at_work(store, targets) as deliverer:
                deliverer.add(everything.values())
                await hook.has(1)
                stopping = asyncio.create_task(deliverer.stop(30.0))
                await asyncio.sleep(0)
                answered.set()
                await stopping
            assert store.states("r") == ["delivered", "pending", "pending"]
            waiting = [each for each in store.rows.values() if each.state is State.PENDING]
            async with at_work(store, targets, Outbox(waiting, now=wall_clock())):
                await store.until(store.is_delivered("r", 3))
            assert told(hook) == [1, 2, 3]

    run(test)


def test_a_stop_waits_no_longer_than_it_is_told() -> None:
    async def test() -> None:
        store, never = Store(), asyncio.Event()
        async with receiver() as hook:
            hook.usual = Answer(after=never)
            async with at_work(store, {("r", 0): Webhook(hook.url)}) as deliverer:
                deliverer.add(rows("r", 1))
                await hook.has(1)
                await deliverer.stop(0.05)
            assert store.rows == {}, "what came of it is not known: it is pending as before"
            never.set()

    run(test)
