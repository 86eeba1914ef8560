"""Watching: detections as they come, why they were made, who was told, and what happens when the connection is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess, until

Come = Callable[..., Visitor]
RULE = {"window": "10 min", "severity": "high", "notify": "{f.ip} guessed, and got in"}


def guessed(service: ServiceProcess, ip: str) -> None:
    service.send({"type": "failed", "source": "web", "ip": ip}, {"type": "login", "source": "vpn", "ip": ip})


def test_signing_in_with_a_wrong_key_says_so(service: ServiceProcess, visit: Come) -> None:
    someone = visit(service)
    someone.expected = ("401",)
    someone.page.goto(f"{service.url}/")
    someone.page.get_by_label("API key").fill("tk_nonsense")
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.get_by_text("does not know this key").wait_for()


def test_detections_come_while_one_watches_and_tell_why(service: ServiceProcess, visit: Come) -> None:
    service.ask("guessing", "f:failed ; l:login when f.ip = l.ip", "gem", **RULE)
    page = visit(service).sign_in().page
    page.get_by_text("Nothing was detected yet").wait_for()
    guessed(service, "10.0.0.7")
    page.get_by_role("button", name="10.0.0.7 guessed, and got in").click()
    why = page.get_by_role("region", name="Detection: guessing")
    why.get_by_text("Constituents").wait_for()
    assert why.get_by_role("listitem").filter(has_text="failed · web").count() == 1
    assert "f.ip == l.ip" in why.inner_text()


def test_what_happened_while_the_connection_was_lost_comes_after_it(service: ServiceProcess, visit: Come) -> None:
    service.ask("guessing", "f:failed ; l:login when f.ip = l.ip", "gem", **RULE)
    someone = visit(service).sign_in()
    someone.expected = ("ERR_", "Failed to load resource", "Failed to fetch")
    page = someone.page
    guessed(service, "10.0.0.1")
    page.get_by_text("10.0.0.1 guessed").wait_for()
    service.port = int(service.url.rsplit(":", 1)[1])
    service.kill()
    page.get_by_role("status").filter(has_text="Connection lost").wait_for()
    service.start()
    for number in range(2, 6):
        guessed(service, f"10.0.0.{number}")
    page.get_by_text("10.0.0.5 guessed").wait_for()
    told = page.get_by_role("region", name="Detections").get_by_role("listitem").all_inner_texts()
    assert [each.split(" guessed")[0].split()[-1] for each in told] == [
        f"10.0.0.{number}" for number in (5, 4, 3, 2, 1)
    ]


def test_a_key_that_ends_is_told_and_another_goes_on(service: ServiceProcess, visit: Come) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "guest", "role": "subscriber"})
    someone = visit(service).sign_in(made["key"])
    someone.expected = ("401",)
    service.client.call("DELETE", f"/v1/keys/{made['id']}")
    someone.page.get_by_text("does not accept this key any more").wait_for()
    someone.page.get_by_label("API key").fill(service.key)
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.get_by_role("navigation", name="Views").wait_for()


def test_a_key_sees_what_it_may(shared_service: ServiceProcess, visit: Come) -> None:
    sensor = shared_service.client.call("POST", "/v1/keys", {"name": "door", "role": "sensor"})
    someone = visit(shared_service)
    someone.page.goto(f"{shared_service.url}/")
    someone.page.get_by_label("API key").fill(sensor["key"])
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.get_by_text("This is the key of a sensor").wait_for()
    guest = shared_service.client.call("POST", "/v1/keys", {"name": "guest", "role": "subscriber"})
    other = visit(shared_service).sign_in(guest["key"])  # which complains of nothing that it may not read
    assert other.page.get_by_text("Only an operator's key may read this.").count() == 2
    other.go("graph")
    other.page.get_by_text("Only an operator's key may read this.").wait_for()


def test_dead_letters_are_sent_again(service: ServiceProcess, visit: Come) -> None:
    # an address that must not be called is a dead letter at once
    nobody = {"callback": {"url": "http://192.168.0.1/"}}
    made = service.ask("guessing", "f:failed ; l:login when f.ip = l.ip", "gem", **RULE, **nobody)
    guessed(service, "10.0.0.7")
    page = visit(service).sign_in().page
    page.get_by_text("10.0.0.7 guessed").wait_for()
    until(lambda: service.client.call("GET", f"/v1/requests/{made['id']}/deliveries", state="dead")["items"])
    page.get_by_role("button", name="Notifications of guessing").click()
    page.get_by_role("button", name="Send dead letters again").click()
    page.get_by_text("1 dead letter is sent again.").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_nobody_is_left_out(shared_service: ServiceProcess, visit: Come, theme: str, width: int) -> None:
    service, name = shared_service, f"rule_{theme}_{width}"
    service.ask(name, f"f:{name}_f ; l:{name}_l", "gem", severity="high", notify=f"{name} it was")
    someone = visit(service, theme=theme, width=width)
    someone.page.goto(f"{service.url}/")
    someone.page.get_by_label("API key").wait_for()
    assert someone.violations() == []
    someone.sign_in()
    service.send({"type": f"{name}_f", "source": "web"}, {"type": f"{name}_l", "source": "web"})
    someone.page.get_by_role("button", name=f"{name} it was").click()
    someone.page.get_by_text("What had to hold").wait_for()
    assert someone.violations() == []
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= width
