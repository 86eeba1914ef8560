"""The map of sites in a real browser, with real sites over NATS: who is there, what waits for whom, a detection's way."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from demo.sites import Plant
from tests.service.page.test_pictures import GOLDEN, SHARE, difference
from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess, until

Come = Callable[..., Visitor]


def site(page: Any, name: str) -> Any:
    """A site on the map."""
    return (
        page.get_by_role("list", name="Map of sites")
        .get_by_role("listitem")
        .filter(has=page.get_by_text(name, exact=True))
    )


def detected(service: ServiceProcess, rule: str) -> set[str]:
    """The last detections of a rule."""
    return {each["id"] for each in service.client.call("GET", "/v1/sites")["detections"] if each["rule"] == rule}


def test_a_detection_is_followed_by_keyboard_over_the_map(overseer: ServiceProcess, plant: Plant, visit: Come) -> None:
    until(lambda: overseer.client.call("GET", "/v1/sites")["detections"])
    someone = visit(overseer).sign_in()
    someone.go("sites")
    page = someone.page
    site(page, "roof").wait_for()
    assert "sensors" in site(page, "roof").inner_text()
    assert {"intruder", "fire", "evacuation"} <= set(site(page, "office").inner_text().split())
    page.get_by_role("button", name="evacuation").first.press("Enter")
    page.get_by_text("gate → office").wait_for()
    assert page.get_by_text("on the way of the detection").count() == 3
    assert "on the way" not in site(page, "hall").inner_text()
    links = page.get_by_role("group", name="Links").get_by_role("row")
    assert links.filter(has_text="roof").filter(has_text="office").count() == 2  # there and back
    page.get_by_role("button", name="evacuation").first.press("Enter")
    page.get_by_text("Choose a detection").wait_for()
    page.get_by_label("Site", exact=True).select_option("gate")
    until(lambda: page.get_by_role("list", name="Map of sites").get_by_role("listitem").all(), 2)
    site(page, "hall").wait_for(state="detached")


def test_who_is_cut_off_is_shown_with_what_waits_for_it(overseer: ServiceProcess, plant: Plant, visit: Come) -> None:
    someone = visit(overseer).sign_in()
    someone.go("sites")
    page = someone.page
    site(page, "roof").wait_for()
    plant.cut_off("hall")
    try:
        plant.report(3, without="hall")
        site(page, "hall").get_by_text("silent").wait_for()
        site(page, "office").get_by_text("intruder waits for hall").wait_for()
        page.get_by_text("site 'hall' has not been heard of for").first.wait_for()
        assert someone.violations() == []
    finally:
        plant.heal("hall")
    site(page, "hall").get_by_text("silent").wait_for(state="detached")
    told = detected(overseer, "intruder")
    plant.report(3)  # the last of them waits until the door says that time has gone on
    until(lambda: detected(overseer, "intruder") - told)
    page.get_by_text("site 'hall' has not been heard of for").first.wait_for(state="detached")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_nobody_is_left_out(overseer: ServiceProcess, plant: Plant, visit: Come, theme: str, width: int) -> None:
    until(lambda: overseer.client.call("GET", "/v1/sites")["detections"])
    someone = visit(overseer, theme=theme, width=width).sign_in()
    someone.go("sites")
    someone.page.get_by_role("button", name="evacuation").first.click()
    someone.page.get_by_text("gate → office").wait_for()
    assert someone.violations() == []
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_without_sites_it_is_told_how_to_have_some(
    shared_service: ServiceProcess, visit: Come, browser: Any, theme: str
) -> None:
    someone = visit(shared_service, theme=theme, width=1000, height=700).sign_in()
    someone.expected = ("404",)
    someone.go("sites")
    someone.page.get_by_text("tocsin serve --sites").wait_for()
    assert someone.violations() == []
    picture, path = (
        someone.page.get_by_role("region", name="Map of sites").screenshot(),
        GOLDEN / f"no-sites-{theme}.png",
    )
    if os.environ.get("TOCSIN_GOLDEN") == "renew":
        path.write_bytes(picture)
    assert difference(browser, path.read_bytes(), picture) <= SHARE
