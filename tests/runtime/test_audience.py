"""Who is told of what: in order, once, whatever listeners do."""

from __future__ import annotations

import threading

import pytest

from tocsin.runtime.audience import Audience


def test_what_is_added_is_told_in_order_by_whoever_tells() -> None:
    audience, heard, lock = Audience[int](), list[int](), threading.Lock()
    audience.listeners.append(heard.append)
    numbers = iter(range(2000))

    def drive() -> None:
        for _ in range(500):
            with lock:
                audience.add([next(numbers)])
            audience.tell()

    threads = [threading.Thread(target=drive) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert heard == list(range(2000))


def test_a_listener_that_fails_stops_nobody_from_being_told_later() -> None:
    audience, heard = Audience[int](), list[int]()

    def fail_at_two(number: int) -> None:
        heard.append(number)
        if number == 2:
            raise ValueError("two")

    audience.listeners.append(fail_at_two)
    audience.add([1, 2, 3])
    with pytest.raises(ValueError, match="two"):
        audience.tell()
    audience.tell()
    assert heard == [1, 2, 3]
