"""Several files merged by time: the same as one file that has what arrived first before what arrived later."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.cli import main
from tocsin.errors import EventError
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats import TimeStyle, read_events
from tocsin.formats.writers import event_line

LINES = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.sampled_from([None, "1", "2", "3"]), st.booleans()),
    max_size=12,
)
"""Type, time, id if there is one, whether it is a heartbeat."""
SECONDS = TimeStyle(True)


def written(path: Path, lines: list[tuple[str, int, str | None, bool]]) -> Path:
    """A file with an event a line."""
    records = [
        {"time": time, "source": "s", "heartbeat": True}
        if is_heartbeat
        else {"type": kind, "time": time} | ({} if name is None else {"id": name})
        for kind, time, name, is_heartbeat in lines
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def merged(*paths: Path, on_error: str = "refuse") -> list[Arrival]:
    return list(read_events(list(paths), on_error=on_error, is_merged=True))


@given(st.lists(LINES, min_size=2, max_size=4))
def test_what_arrived_first_comes_first(tmp_path_factory: pytest.TempPathFactory, files: list) -> None:  # type: ignore[type-arg]
    """The judge puts what each file has by itself in order, and then numbers and drops repeats as one file would."""
    folder = tmp_path_factory.mktemp("merged")
    paths = [written(folder / f"{place}.jsonl", lines) for place, lines in enumerate(files)]
    arrived = sorted(
        [
            (arrival.arrival, place, number, isinstance(arrival, Event), line[2])
            for place, (path, lines) in enumerate(zip(paths, files, strict=True))
            for number, (arrival, line) in enumerate(zip(alone(path), lines, strict=True))
        ],
        key=lambda one: one[:3],
    )
    expected, known = [], set[str]()
    for number, (clock, _, _, is_event, name) in enumerate(arrived, 1):
        is_news = is_event and name not in known
        expected.append((clock, (name or str(number)) if is_news else None))
        if is_event and name is not None:
            known.add(name)
    reading = read_events(list(paths), is_merged=True)
    assert [(one.arrival, one.id if isinstance(one, Event) else None) for one in reading] == expected
    assert reading.repeated == sum(one[3] for one in arrived) - sum(name is not None for _, name in expected)


def alone(path: Path) -> list[Arrival]:
    """A file by itself, with every repeat in it."""
    return list(read_events(path, remember=-1))


def test_a_log_that_was_dealt_out_is_whole_again(tmp_path: Path) -> None:
    random = Random(7)
    log = [Event("a", time, time, str(time), "s", {"v": time % 7}, time) for time in range(0, 50_000_000, 100_000)]
    dealt: list[list[str]] = [[], [], []]
    for event in log:
        dealt[random.randrange(3)].append(event_line(event, SECONDS))
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl.gz"]
    for path, lines in zip(paths, dealt, strict=True):
        text = "\n".join(lines).encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    told = [event_line(event, SECONDS) for event in log]
    for some in (paths, paths[::-1]):
        assert [event_line(each, SECONDS) for each in merged(*some) if isinstance(each, Event)] == told


def test_of_one_moment_the_file_named_first_goes_first(tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", [("a", 1, "x", False)])
    two = written(tmp_path / "two.jsonl", [("b", 1, "y", False)])
    assert [each.id for each in merged(one, two) if isinstance(each, Event)] == ["x", "y"]
    assert [each.id for each in merged(two, one) if isinstance(each, Event)] == ["y", "x"]


def test_an_event_in_two_files_counts_once(tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", [("a", 1, "x", False), ("a", 3, "z", False)])
    two = written(tmp_path / "two.jsonl", [("a", 1, "x", False), ("a", 2, "y", False)])
    found = merged(one, two)
    assert [each.id for each in found if isinstance(each, Event)] == ["x", "y", "z"]
    assert sum(isinstance(each, Heartbeat) for each in found) == 1


def test_a_bad_line_is_told_with_its_file_behind_what_arrived_before_it(tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", [("a", 1, None, False), ("a", 5, None, False)])
    two = written(tmp_path / "two.jsonl", [("b", 2, None, False)])
    two.write_text(two.read_text() + "nonsense\n")
    reading = read_events([one, two], is_merged=True)
    assert [next(reading).arrival, next(reading).arrival] == [1_000_000, 2_000_000]
    with pytest.raises(EventError, match=r"two\.jsonl:2:1: not JSON"):
        next(reading)
    assert [each.arrival for each in merged(one, two, on_error="skip")] == [1_000_000, 2_000_000, 5_000_000]


def test_detect_merges_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path / "one.jsonl", [("a", 1, None, False), ("a", 3, None, False)])
    two = written(tmp_path / "two.csv", [])
    two.write_text("type,time\nb,2\nb,4\n")
    command = ["detect", "-e", "a ; b", "--lang", "eps", "--events", str(one), "--events", str(two)]
    assert main([*command, "--merge"]) == 0
    found = [json.loads(line)["events"] for line in capsys.readouterr().out.splitlines()]
    assert found == [["1", "2"], ["3", "4"]]
    assert main(["detect", "-e", "a", "--lang", "eps", "--events", "nats://127.0.0.1/x", "--merge"]) == 1
    assert "--merge is for files" in capsys.readouterr().err
