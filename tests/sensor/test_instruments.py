"""What a sensor watches by itself: absences, time events, calls, values, transactions, log records. In virtual time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import StaticPool

from tests.sensor.test_sender import Rig
from tocsin.errors import UsageError
from tocsin.formats.instants import to_instant
from tocsin.sensor import Sensor
from tocsin.time.instants import render_instant
from tocsin.time.spans import DAY, HOUR, SECOND

BEGUN = 1_800_000_000 * SECOND
"""Friday, 15 January 2027, 8:00."""


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig(stamps="local", linger=0)
    yield made
    made.sensor.close(0)


def told(rig: Rig) -> list[tuple[str, dict[str, Any]]]:
    """What was sent: types and attributes."""
    rig.sensor.flush()
    return [(event["type"], event.get("data", {})) for event in rig.service.events]


def times(rig: Rig) -> list[float]:
    """When the events were, in seconds since the beginning."""
    rig.sensor.flush()
    return [round((to_instant(event["time"], "time") - BEGUN) / SECOND, 3) for event in rig.service.events]


# -- absences ----------------------------------------------------------------------------------------------------------


def test_an_absence_is_reported_at_the_moment_the_time_is_up(rig: Rig) -> None:
    rig.sensor.absence("door", "10 sec")
    rig.run(6)
    rig.sensor.send("door")
    rig.run(9)
    assert [name for name, _ in told(rig)] == ["door"]
    rig.run(5)
    assert told(rig)[1:] == [("no_door", {"event": "door", "within": 10.0})]
    assert times(rig)[1] == 16
    rig.run(17)
    assert times(rig)[1:] == [16, 26, 36]


def test_an_event_that_comes_too_late_does_not_hide_its_absence(rig: Rig) -> None:
    rig.sensor.absence("door", "10 sec", again=False)
    rig.world.pass_by(12 * SECOND)  # nobody had a turn
    rig.sensor.send("door")
    assert [name for name, _ in told(rig)] == ["no_door", "door"]
    assert times(rig) == [10, 12]


def test_an_absence_is_told_once_unless_it_was_seen_in_between(rig: Rig) -> None:
    watch = rig.sensor.absence("door", 10, again=False, report="silence")
    rig.run(60)
    assert times(rig) == [10]
    watch.seen()
    rig.run(60)
    assert [name for name, _ in told(rig)] == ["silence", "silence"]
    assert times(rig) == [10, 70]


def test_a_long_sleep_is_one_absence(rig: Rig) -> None:
    rig.sensor.absence("door", 10)
    rig.world.pass_by(3601 * SECOND)
    rig.run(12)
    assert times(rig) == [10, 3610]


def test_absences_by_an_attribute(rig: Rig) -> None:
    rig.sensor.absence("alive", 10, by="host", again=False)
    rig.run(60)
    assert told(rig) == []
    for _ in range(4):
        rig.sensor.send("alive", host="a")
        rig.sensor.send("alive", host="b")
        rig.run(5)
    for _ in range(4):
        rig.sensor.send("alive", host="b")
        rig.run(5)
    assert [data["host"] for name, data in told(rig) if name == "no_alive"] == ["a"]
    rig.run(20)
    assert [data["host"] for name, data in told(rig) if name == "no_alive"] == ["a", "b"]


def test_an_absence_that_is_watched_no_more(rig: Rig) -> None:
    rig.sensor.absence("door", 10).cancel()
    rig.run(60)
    assert told(rig) == []


# -- time events -------------------------------------------------------------------------------------------------------


def test_every_so_often(rig: Rig) -> None:
    rig.sensor.every("10 sec", "tick", {"who": "me"})
    rig.run(35)
    assert told(rig) == [("tick", {"count": number, "who": "me"}) for number in (1, 2, 3)]
    assert times(rig) == [10, 20, 30]
    rig.world.pass_by(43 * SECOND)  # nobody had a turn: what was missed is not made up for
    rig.run(5)
    assert [data["count"] for _, data in told(rig)] == [1, 2, 3, 7, 8]


def test_time_points_come_again_and_instants_once(rig: Rig) -> None:
    rig.sensor.at("10:30 Sat", "weekly")
    rig.sensor.at("2027-01-15T08:00:20Z", "once")
    rig.sensor.at("2027-01-15T07:00:00Z", "past")
    timer = rig.sensor.at("9:00", "never")
    timer.cancel()
    rig.run(9 * DAY / SECOND)
    saturday = BEGUN + DAY + 2 * HOUR + HOUR // 2
    assert told(rig) == [
        ("once", {"due": "2027-01-15T08:00:20Z"}),
        ("weekly", {"due": render_instant(saturday)}),
        ("weekly", {"due": render_instant(saturday + 7 * DAY)}),
    ]
    assert [to_instant(event["time"], "time") for event in rig.service.events][1] == saturday


def test_time_points_are_those_of_the_services_clock() -> None:
    rig = Rig(linger=0, probe=30)
    rig.machine.wrong = -3600.0 * SECOND
    rig.sensor.synchronise()
    rig.sensor.at("2027-01-15T08:01:00Z", "once")
    rig.run(59)
    assert told(rig) == []
    rig.run(2)
    (event,) = rig.service.events
    lo, hi = (to_instant(end, "time") for end in event["time"])
    assert lo <= BEGUN + 60 * SECOND <= hi
    rig.sensor.close(0)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("25:00", "hour 25 is out of range"),
        ("31/Feb/2027", "February 2027 has 28 days"),
        ("soon", "unknown weekday 'soon', expected a weekday, as Mon"),
    ],
)
def test_a_time_point_that_is_none(rig: Rig, point: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rig.sensor.at(point, "x")


# -- method events -----------------------------------------------------------------------------------------------------


def test_the_start_and_the_end_of_a_call(rig: Rig) -> None:
    @rig.sensor.calls(arguments=("amount", "currency"), result=True)
    def transfer(account: str, amount: int, currency: str = "EUR") -> str:
        rig.world.pass_by(2 * SECOND)
        return f"{account}:{amount}"

    assert transfer("a", amount=5) == "a:5"
    (start, begun), (end, ended) = told(rig)
    assert (start, end) == ("transfer_start", "transfer_end")
    assert begun == {"call": ended["call"], "amount": 5, "currency": "EUR"}
    assert ended == {**begun, "seconds": 2.0, "result": "a:5"}
    assert times(rig) == [0, 2]
    assert transfer.__name__ == "transfer"


def test_a_call_that_raises(rig: Rig) -> None:
    @rig.sensor.calls(name="job", starts=False)
    def fails() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        fails()
    ((name, data),) = told(rig)
    assert name == "job_end"
    assert (data["failed"], data["error"]) == (True, "KeyError")


def test_calls_of_methods_and_coroutines(rig: Rig) -> None:
    class Worker:
        @rig.sensor.calls
        async def work(self) -> int:
            await asyncio.sleep(0)
            return 1

        @rig.sensor.calls
        def rest(self) -> int:
            return 2

    assert asyncio.run(Worker().work()) == 1
    assert Worker().rest() == 2
    assert [name for name, _ in told(rig)] == ["work_start", "work_end", "rest_start", "rest_end"]


def test_a_call_that_is_none_stays_the_callers_mistake(rig: Rig) -> None:
    @rig.sensor.calls(arguments=("amount",))
    def transfer(amount: int) -> int:
        return amount

    with pytest.raises(TypeError, match="unexpected keyword"):
        transfer(sum=3)  # type: ignore[call-arg]
    assert [data.get("error") for _, data in told(rig)] == [None, "TypeError"]


def test_what_cannot_be_watched_is_refused(rig: Rig) -> None:
    def numbers() -> Iterator[int]:
        yield 1

    with pytest.raises(UsageError, match="numbers is a generator"):
        rig.sensor.calls(numbers)
    with pytest.raises(UsageError, match="no argument amuont: it has amount"):
        rig.sensor.calls(arguments=("amuont",), name="f")(lambda amount: amount)


# -- value events ------------------------------------------------------------------------------------------------------


def test_updates_of_a_value(rig: Rig) -> None:
    class Tank:
        level = rig.sensor.value("level", of=("name",))
        valve = rig.sensor.value("valve", "shut", starts=True, same=True)

        def __init__(self, name: str) -> None:
            self.name = name

    tank = Tank("t1")
    assert tank.valve == "shut"
    with pytest.raises(AttributeError, match="no attribute 'level'"):
        _ = tank.level
    tank.level = 3
    tank.level = 3
    tank.level = 4
    tank.valve = "shut"
    assert (tank.level, Tank("t2").valve, vars(tank)["level"]) == (4, "shut", 4)
    assert told(rig) == [
        ("level_updated", {"old": None, "new": 3, "name": "t1"}),
        ("level_updated", {"old": 3, "new": 4, "name": "t1"}),
        ("valve_update", {"old": "shut", "new": "shut"}),
        ("valve_updated", {"old": "shut", "new": "shut"}),
    ]
    del tank.level
    with pytest.raises(AttributeError):
        _ = tank.level


def test_a_class_without_room_for_a_value(rig: Rig) -> None:
    class Slim:
        __slots__ = ()
        level = rig.sensor.value("level")

    with pytest.raises(UsageError, match="Slim has __slots__"):
        Slim().level = 3


# -- transaction events ------------------------------------------------------------------------------------------------


def engine_of() -> Any:
    """A database in memory, on one connection, with a constraint that is only looked at when a transaction ends."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        connection.execute(text("create table parent(i integer primary key)"))
        connection.execute(text("create table child(p references parent(i) deferrable initially deferred)"))
    with engine.connect() as connection:
        connection.execute(text("pragma foreign_keys = on"))
    return engine


def test_transactions_of_an_engine(rig: Rig) -> None:
    engine = engine_of()
    rig.sensor.transactions(engine)
    with engine.begin() as connection:
        connection.execute(text("insert into parent values (1)"))
        with connection.begin_nested():
            connection.execute(text("insert into parent values (2)"))
    with engine.connect() as connection:
        connection.execute(text("insert into parent values (3)"))
        connection.rollback()
    with engine.connect() as connection:
        connection.execute(text("insert into child values (77)"))
        with pytest.raises(IntegrityError):
            connection.commit()
    found = told(rig)
    assert [name.removeprefix("transaction_") for name, _ in found] == [
        *("begin", "commit"),
        *("begin", "rollback"),
        *("begin", "commit", "rollback"),
    ]
    names = [data["transaction"] for _, data in found]
    assert names[0] == names[1] != names[2] == names[3] != names[4] == names[5] == names[6]
    assert found[-1][1]["failed"] is True


def test_transactions_of_sessions(rig: Rig) -> None:
    maker = sessionmaker(engine_of())
    rig.sensor.transactions(maker, "tx")
    with maker() as session:
        session.execute(text("insert into parent values (1)"))
        with session.begin_nested():
            session.execute(text("insert into parent values (2)"))
        session.commit()
        session.execute(text("select 1"))  # and closed without an end
    with maker() as session:
        session.execute(text("insert into child values (77)"))
        with pytest.raises(IntegrityError):
            session.commit()
    assert [name for name, _ in told(rig)] == [
        "tx_begin",
        "tx_commit",
        "tx_begin",
        "tx_rollback",
        "tx_begin",
        "tx_rollback",
    ]
    with Session(maker.kw["bind"]) as single:
        rig.sensor.transactions(single, "one")
        single.execute(text("select 1"))
        single.rollback()
    assert [name for name, _ in told(rig)][6:] == ["one_begin", "one_rollback"]


def test_what_has_no_transactions(rig: Rig) -> None:
    with pytest.raises(UsageError, match="expected an Engine, a Session or a sessionmaker"):
        rig.sensor.transactions("sqlite://")


# -- log records -------------------------------------------------------------------------------------------------------


def test_log_records(rig: Rig) -> None:
    logger = logging.getLogger("tests.sensor.shop")
    logger.setLevel(logging.DEBUG)
    handler = rig.sensor.log_handler(level="WARNING")
    logger.addHandler(handler)
    try:
        logger.info("all is well")
        logger.warning("%d left", 3)
        try:
            raise ValueError("none left")
        except ValueError:
            logger.exception("sold out")
    finally:
        logger.removeHandler(handler)
    assert told(rig) == [
        ("log", {"level": "WARNING", "levelno": 30, "logger": logger.name, "message": "3 left"}),
        ("log", {"level": "ERROR", "levelno": 40, "logger": logger.name, "message": "sold out", "error": "ValueError"}),
    ]


def test_a_sensor_does_not_report_on_its_own_reports(rig: Rig) -> None:
    handler = rig.sensor.log_handler()
    own = logging.getLogger("tocsin.sensor")
    own.addHandler(handler)
    try:
        own.warning("events wait")
    finally:
        own.removeHandler(handler)
    assert told(rig) == []


# -- what is watched never fails ---------------------------------------------------------------------------------------


def test_what_is_watched_goes_on_when_its_events_cannot_be_sent() -> None:
    rig = Rig(stamps="local", capacity=1000, when_full="wait")
    rig.service.fate = lambda: "away"

    @rig.sensor.calls
    def work() -> int:
        return 1

    assert [work() for _ in range(20)] == [1] * 20
    assert rig.sensor.stats.lost > 10
    rig.sensor.close(0)
    lost = rig.sensor.stats.lost
    assert work() == 1
    assert rig.sensor.stats.lost == lost + 2


def test_attributes_that_cannot_be_written_are_the_callers_mistake(rig: Rig) -> None:
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(UsageError, match="contain themselves"):
        rig.sensor.send("tick", ring=ring)
    rig.sensor.send("tick", number=float("nan"), when={1, 2}, who=Sensor)
    ((_, data),) = told(rig)
    assert data == {"number": None, "when": [1, 2], "who": str(Sensor)}
