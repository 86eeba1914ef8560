"""Replaying, and asking why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess, until

Come = Callable[..., Visitor]


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def test_a_rule_is_stepped_through_what_happened(service: ServiceProcess, visit: Come) -> None:
    made = service.ask("steps", "f:step_f ; l:step_l", "gem", notify="{f.ip} it was", context="chronicle")
    service.send(*({"type": type, "source": "web", "ip": ip} for ip in "12" for type in ("step_f", "step_l")))
    service.detections(2, rule="steps")
    someone = visit(service).sign_in()
    someone.go(f"replay?request={made['id']}")
    page = someone.page
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("status").filter(has_text="Event 1 of 4").wait_for()
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("status").filter(has_text="Event 2 of 4").wait_for()
    assert page.get_by_text("1 it was").count() == 2  # here, and so far
    page.get_by_text("No part holds anything.").wait_for()
    ended = page.get_by_role("listitem").filter(has_text="used up")
    assert ended.count() == 1
    page.get_by_role("button", name="Step back").click()
    page.get_by_text("Nothing was detected at this event.").wait_for()
    page.locator("p", has_text="step_f").filter(has_text="1").locator(".chip").first.wait_for()  # it waits again
    assert ended.count() == 0
    page.get_by_role("button", name="Play").click()
    page.get_by_role("status").filter(has_text="Event 4 of 4").wait_for()
    page.get_by_role("heading", name="Detections so far (2)").wait_for()
    page.keyboard.press("Home")
    page.get_by_role("status").filter(has_text="Event 1 of 4").wait_for()
    assert someone.violations() == []


def test_events_are_brought_along(service: ServiceProcess, visit: Come, tmp_path: Path) -> None:
    made = service.ask("brought", "f:own_f ; l:own_l", "gem")
    someone = visit(service).sign_in()
    someone.expected = ("status of 422",)
    someone.go(f"replay?request={made['id']}")
    page = someone.page
    file = tmp_path / "events.jsonl"
    file.write_text('{"type": "own_f"}\nnonsense\n')
    page.get_by_label("Or upload events").set_input_files(file)
    page.get_by_text("Line 2 is no event.").wait_for()
    file.write_text('{"nothing": 1}\n')
    page.get_by_label("Or upload events").set_input_files(file)
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("alert").wait_for()
    lines = [{"type": each, "time": f"2026-01-01T00:00:0{n}Z"} for n, each in enumerate(("own_f", "own_l"))]
    file.write_text("\n".join(map(json.dumps, lines)))
    page.get_by_label("Or upload events").set_input_files(file)
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("status").filter(has_text="Event 1 of 2").wait_for()


def test_why_not_tells_what_came_nearest(service: ServiceProcess, visit: Come) -> None:
    service.ask("nearly", "f:near_f ; l:near_l when f.ip = l.ip", "gem")
    service.send({"type": "near_f", "source": "web", "ip": "1"}, {"type": "near_l", "source": "web", "ip": "2"})
    someone = visit(service).sign_in()
    page = someone.page
    page.get_by_role("button", name="Notifications of nearly").click()
    page.get_by_role("button", name="Why not?").click()
    page.get_by_text("1 condition away").first.wait_for()
    page.get_by_text("f.ip == l.ip").last.wait_for()
    assert someone.violations() == []


def test_tabs_share_one_stream_and_the_next_goes_on(service: ServiceProcess, visit: Come) -> None:
    service.ask("shared", "a:sha", "gem", notify="{a.n} was shared")
    someone = visit(service).sign_in()
    other = someone.another_tab()
    other.get_by_role("status").filter(has_text="Live").wait_for()
    until(lambda: [1] if service.client.call("GET", "/v1/status")["listeners"] == 1 else [])
    service.send({"type": "sha", "n": 1})
    for page in (someone.page, other):
        page.get_by_text("1 was shared").wait_for()
    assert service.client.call("GET", "/v1/status")["listeners"] == 1
    someone.page.close()
    service.send({"type": "sha", "n": 2})
    other.get_by_text("2 was shared").wait_for()
    told = other.get_by_role("region", name="Detections").get_by_text("was shared").all_inner_texts()
    assert told == ["2 was shared", "1 was shared"]


def test_a_stretch_of_what_is_kept_is_chosen(service: ServiceProcess, visit: Come) -> None:
    made = service.ask("chosen", "s:cho_a ; t:cho_b", "gem", window="1 day", context="chronicle")
    times = [f"2026-03-0{day}T12:00:00Z" for day in (1, 2, 3, 4)]
    service.send(*({"type": "cho_a", "source": "s", "time": time} for time in times))
    someone = visit(service).sign_in()
    someone.go(f"replay?request={made['id']}")
    page = someone.page
    page.get_by_label("From (leave it empty").fill("2026-03-02T00:00:00")
    page.get_by_label("To", exact=True).fill("2026-03-03T23:00:00")
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("status").filter(has_text="Event 1 of 2").wait_for()
