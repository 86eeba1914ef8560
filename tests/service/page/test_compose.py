"""Composing: a rule drawn by mouse or by keyboard alone, in every notation, tried on what happened, saved, and asked why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess, until
from tocsin.rules.documents import read_document

Come = Callable[..., Visitor]
REFUSED = ("status of 422",)  # the browser notes each text that is no rule yet
HISTORY = [
    {"type": "failed", "source": "web", "ip": "10.0.0.1"},
    {"type": "login", "source": "vpn", "ip": "10.0.0.1"},
    {"type": "failed", "source": "web", "ip": "10.0.0.2"},
    {"type": "login", "source": "vpn", "ip": "10.0.0.3"},
]


def notation(page: Any, name: str) -> Any:
    return page.get_by_role("region", name="In every notation").get_by_role("listitem").filter(has_text=name).first


def typed(page: Any, text: str) -> None:
    """Writes an expression as one does: over the one that is there."""
    editor = page.get_by_role("textbox", name="Expression")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Escape")  # whatever is offered to complete it


def test_a_rule_is_drawn_tried_saved_and_fires(service: ServiceProcess, visit: Come) -> None:
    service.send(*HISTORY)
    page = visit(service).sign_in().page
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Compose").click()
    pieces = page.get_by_role("navigation", name="Pieces")
    pieces.get_by_role("button", name="failed", exact=True).click()
    pieces.get_by_role("button", name="login", exact=True).click()
    fired = page.get_by_role("region", name="Would have fired")
    fired.get_by_text("3 times in 4 events.").wait_for()
    pieces.get_by_role("button", name="Where").click()
    page.get_by_label("Condition").first.fill("failed.ip == login.ip")
    page.get_by_label("Condition").first.press("Tab")
    fired.get_by_text("Once in 4 events.").wait_for()
    assert "failed -> login if failed.ip == login.ip" in notation(page, "SEL").inner_text()
    assert "failed followed by login where failed.ip == login.ip" in notation(page, "in words").inner_text()
    for name in ("GEM", "EPS", "GLOBAL", "CORE", "Python"):
        assert notation(page, name).inner_text()
    fired.get_by_role("button", name="Show near misses").click()
    fired.get_by_text("In all 4 events that it could take.").wait_for()
    fired.get_by_text("1 condition away").first.wait_for()
    assert "failed.ip == login.ip" in fired.get_by_role("listitem").first.inner_text()
    page.get_by_label("Name").fill("guessed")
    page.get_by_role("button", name="Save request").click()
    page.get_by_text("guessed is saved, version 1").wait_for()
    service.send(*HISTORY)
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Watch").click()
    page.get_by_role("region", name="Detections").get_by_role("button", name="guessed").first.click()
    page.get_by_text("What had to hold").wait_for()
    (request,) = service.client.call("GET", "/v1/requests")["requests"]
    assert request["document"]["expression"] == "failed followed by login where failed.ip == login.ip"


def test_the_keyboard_alone_will_do(service: ServiceProcess, visit: Come) -> None:
    service.send(*HISTORY)
    someone = visit(service).sign_in()
    someone.go("compose")
    page = someone.page
    page.get_by_role("button", name="failed", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="login", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Within").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Span").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("5 min")
    page.keyboard.press("Tab")
    until(lambda: [1] if "within 5 minutes" in notation(page, "in words").inner_text() else [])
    page.get_by_label("Name").focus()
    page.keyboard.type("soon")
    page.get_by_role("button", name="Save request").focus()
    page.keyboard.press("Enter")
    page.get_by_text("soon is saved").wait_for()


def test_the_keyboard_alone_goes_the_whole_way(shared_service: ServiceProcess, visit: Come) -> None:
    """From the address to why: no mouse, and no focus that a program sets."""
    shared_service.ask("by_keys", "x:by_key ; y:by_lock", "gem", notify="{x.n} by keys")
    someone = visit(shared_service)
    page = someone.page
    page.goto(f"{shared_service.url}/")
    page.get_by_label("API key").wait_for()

    def to(what: str) -> None:
        """Tabs to what is called so, or says so."""
        says = """() => { let at = document.activeElement; return at && at !== document.body ? (at.getAttribute('aria-label')
          || (at.labels && at.labels[0] ? at.labels[0].innerText : '') || at.innerText || '') : ''; }"""
        for _ in range(120):
            if what in page.evaluate(says):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no way to {what!r} by keyboard")

    to("API key")
    page.keyboard.type(shared_service.key)
    page.keyboard.press("Enter")
    page.get_by_role("navigation", name="Views").wait_for()
    shared_service.send({"type": "by_key", "n": 7}, {"type": "by_lock"})
    page.get_by_role("button", name="7 by keys").wait_for()
    to("7 by keys")
    page.keyboard.press("Enter")
    page.get_by_text("What had to hold").wait_for()
    to("Open the rule")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Compose: by_keys").wait_for()


def test_what_is_written_is_drawn_and_faults_are_told_at_their_place(service: ServiceProcess, visit: Come) -> None:
    someone = visit(service).sign_in()
    someone.expected = REFUSED
    someone.go("compose")
    page = someone.page
    typed(page, "door followed by not badge followed by motion within 1 minute")
    drawing = page.get_by_role("region", name="Drawing")
    for name in ("door", "badge", "motion", "Not", "Followed by", "Within"):
        drawing.get_by_text(name).first.wait_for()
    typed(page, "door followed by followed by")
    page.get_by_text("1:18: ").wait_for()
    assert page.locator(".cm-lintRange-error").count() == 1
    page.get_by_role("button", name="Undo").click()  # to any text before that could be drawn
    page.get_by_role("button", name="Redo").wait_for()


def test_pipes_are_drawn_with_the_mouse(shared_service: ServiceProcess, visit: Come) -> None:
    someone = visit(shared_service).sign_in()
    someone.expected = REFUSED
    someone.go("compose")
    page = someone.page
    typed(page, "door followed by badge")
    until(lambda: [1] if "door -> badge" in notation(page, "SEL").inner_text() else [])

    def end(piece: str, kind: str) -> tuple[float, float]:
        node = page.locator(".svelte-flow__node").filter(has_text=piece)
        node.scroll_into_view_if_needed()
        box = node.locator(f".svelte-flow__handle.{kind}").first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.locator(".svelte-flow__node").filter(has_text="door").wait_for()
    page.wait_for_function("document.querySelectorAll('.svelte-flow__edge').length === 3")
    page.mouse.move(*end("door", "source"))
    page.mouse.down()
    page.mouse.move(*end("Followed by", "target"), steps=8)
    page.mouse.up()  # it flows in once more, behind the other
    until(lambda: [1] if "badge -> door" in notation(page, "SEL").inner_text() else [])


def test_two_who_change_one_request_are_told(service: ServiceProcess, visit: Come) -> None:
    made = service.ask("pair", "a followed by b", "pretty")
    someone = visit(service).sign_in()
    someone.expected = (*REFUSED, "status of 412")
    someone.go(f"compose?request={made['id']}")
    page = someone.page
    page.get_by_role("heading", name="Compose: pair").wait_for()
    notation(page, "SEL").wait_for()
    service.client.call("PUT", f"/v1/requests/{made['id']}", {**made["document"], "expression": "a followed by c"})
    typed(page, "a followed by d")
    until(lambda: [1] if "a -> d" in notation(page, "SEL").inner_text() else [])
    page.get_by_role("button", name="Save change").click()
    page.get_by_text("Somebody else changed this request").wait_for()
    page.get_by_text("Version 2, by operator: a followed by c").wait_for()
    now = service.client.call("GET", f"/v1/requests/{made['id']}")
    assert (now["version"], now["document"]["expression"]) == (2, "a followed by c")
    page.get_by_role("button", name="Save change").click()
    page.get_by_text("pair is saved, version 3").wait_for()
    service.client.call("PUT", f"/v1/requests/{made['id']}", {**made["document"], "expression": "a followed by e"})
    typed(page, "a followed by f")
    until(lambda: [1] if "a -> f" in notation(page, "SEL").inner_text() else [])
    page.get_by_role("button", name="Save change").click()
    page.get_by_role("button", name="Take theirs").click()
    until(lambda: [1] if "a -> e" in notation(page, "SEL").inner_text() else [])
    page.get_by_role("button", name="Undo").click()
    until(lambda: [1] if "a -> f" in notation(page, "SEL").inner_text() else [])  # nothing is lost
    assert service.client.call("GET", f"/v1/requests/{made['id']}")["version"] == 4


def test_a_shadow_runs_beside_its_request_and_tells_the_difference(service: ServiceProcess, visit: Come) -> None:
    made = service.ask("pair", "a followed by b", "pretty")
    someone = visit(service).sign_in()
    someone.expected = REFUSED
    someone.go(f"compose?request={made['id']}")
    notation(someone.page, "SEL").wait_for()
    typed(someone.page, "a followed by b where b.x > 1")
    until(lambda: [1] if "b.x > 1" in notation(someone.page, "SEL").inner_text() else [])
    someone.page.get_by_role("button", name="Save as shadow").click()
    someone.page.get_by_text("pair_shadow is saved").wait_for()
    service.send({"type": "a"}, {"type": "b", "x": 1}, {"type": "a"}, {"type": "b", "x": 2})
    service.detections(3, rule="pair")
    someone.go("watch")
    someone.page.get_by_role("button", name="Notifications of pair_shadow").click()
    someone.page.get_by_text("2 the same, 1 only there, 0 only here.").wait_for()


@pytest.mark.parametrize(
    ("button", "name", "text"),
    [("YAML", "pair.yaml", "rules:"), ("Python", "pair.py", "import tocsin"), ("SVG", "pair.svg", "<svg")],
)
def test_a_rule_is_exported(shared_service: ServiceProcess, visit: Come, button: str, name: str, text: str) -> None:
    rule = {"name": "pair", "language": "pretty", "expression": "a followed by b", "window": "1 hour"}
    someone = visit(shared_service).sign_in()
    someone.page.evaluate("rule => sessionStorage.setItem('tocsin.draft', JSON.stringify(rule))", rule)
    someone.go("compose")
    notation(someone.page, "SEL").wait_for()
    with someone.page.expect_download() as coming:
        someone.page.get_by_role("button", name=f"Export {button}").click()
    assert coming.value.suggested_filename == name
    written = Path(coming.value.path()).read_text()
    assert text in written
    if button == "YAML":
        assert [each.name for each in read_document(written, name).rules] == ["pair"]


def test_a_link_holds_the_rule_but_not_its_webhook(service: ServiceProcess, visit: Come) -> None:
    made = service.ask("pair", "a followed by b", "pretty", callback={"url": "http://192.168.0.1/secret"})
    someone = visit(service).sign_in()
    someone.go(f"compose?request={made['id']}")
    notation(someone.page, "SEL").wait_for()
    someone.page.get_by_role("button", name="Copy link").click()
    someone.page.get_by_text("The link was copied.").wait_for()
    other = visit(service).sign_in()
    other.expected = REFUSED
    other.page.goto(someone.page.url)
    until(lambda: [1] if "a -> b" in notation(other.page, "SEL").inner_text() else [])
    assert other.page.get_by_label("Webhook").input_value() == ""


def test_a_draft_outlasts_the_key(service: ServiceProcess, visit: Come) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "guest", "role": "subscriber"})
    someone = visit(service).sign_in(made["key"])
    someone.expected = ("status of 401", *REFUSED)
    someone.go("compose")
    typed(someone.page, "a followed by b")
    notation(someone.page, "SEL").wait_for()
    service.client.call("DELETE", f"/v1/keys/{made['id']}")
    someone.page.get_by_text("does not accept this key any more").wait_for()
    someone.page.get_by_label("API key").fill(service.key)
    someone.page.get_by_role("button", name="Sign in").click()
    until(lambda: [1] if "a -> b" in notation(someone.page, "SEL").inner_text() else [])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [2560, 1280, 400])
def test_nobody_is_left_out(shared_service: ServiceProcess, visit: Come, theme: str, width: int) -> None:
    name = f"all_{theme}_{width}"
    made = shared_service.ask(name, f"{name}_a followed by not {name}_c followed by {name}_b", "pretty", severity="low")
    shared_service.send({"type": f"{name}_a", "source": "web"}, {"type": f"{name}_b", "source": "door"})
    someone = visit(shared_service, theme=theme, width=width).sign_in()
    someone.go(f"compose?request={made['id']}")
    someone.page.get_by_text("Once in").wait_for()
    someone.page.get_by_role("button", name="Show near misses").click()
    someone.page.get_by_role("heading", name="Near misses").wait_for()
    someone.page.locator(".svelte-flow__node").filter(has_text="Not").click()
    assert someone.violations() == []
    someone.go("timeline")
    someone.page.get_by_text("Detections in view").click()
    someone.page.get_by_role("listitem").filter(has_text=name).first.get_by_role("button").click()
    someone.page.get_by_text("What had to hold").wait_for()
    someone.page.get_by_role("button", name="Mark examples").click()
    someone.page.get_by_text("Events in view").click()
    someone.page.get_by_role("region", name="From examples").get_by_role("checkbox").first.check()
    someone.page.get_by_role("button", name="Propose rules").click()
    someone.page.get_by_text("tried on").wait_for()
    assert someone.violations() == []
    someone.go(f"replay?request={made['id']}")
    someone.page.get_by_role("button", name="Load", exact=True).click()
    someone.page.get_by_role("button", name="To the end").click()
    someone.page.get_by_role("heading", name="Detections so far (1)").wait_for()
    assert someone.violations() == []
    someone.go("graph")
    someone.page.locator(".svelte-flow__node").filter(has_text=name).first.wait_for()
    assert someone.violations() == []
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_timeline_pans_and_zooms(shared_service: ServiceProcess, visit: Come) -> None:
    shared_service.send({"type": "tick", "source": "clock"})
    someone = visit(shared_service).sign_in()
    someone.go("timeline")
    lanes = someone.page.get_by_role("application")
    someone.page.get_by_text("events and").first.wait_for()

    def view() -> tuple[float, float]:
        return float(lanes.get_attribute("data-from")), float(lanes.get_attribute("data-to"))

    start, end = view()
    someone.page.get_by_role("button", name="Zoom in").click()
    near, far = view()
    assert start < near < far < end
    lanes.focus()
    someone.page.keyboard.press("ArrowRight")
    assert view()[0] > near
    someone.page.keyboard.press("Home")
    until(lambda: [1] if view()[1] - view()[0] > far - near else [])


def test_rules_are_proposed_from_examples(shared_service: ServiceProcess, visit: Come) -> None:
    pairs = [("eg_in", "x"), ("eg_out", "x"), ("eg_in", "y"), ("eg_out", "y"), ("eg_in", "x"), ("eg_out", "y")]
    events = [
        {"type": kind, "source": "examples", "ip": ip, "time": f"2026-02-01T00:00:{place * 7:02}Z"}
        for place, (kind, ip) in enumerate(pairs)
    ]
    shared_service.send(*events)
    someone = visit(shared_service).sign_in()
    someone.go("timeline")
    page = someone.page
    page.get_by_role("button", name="Mark examples").click()
    panel = page.get_by_role("region", name="From examples")
    panel.get_by_text("Events in view").click()
    ticks = panel.get_by_role("checkbox")
    ticks.first.wait_for()
    inside = [
        place for place, text in enumerate(panel.locator(".events label").all_inner_texts()) if "examples" in text
    ]
    for group, places in enumerate((inside[:2], inside[2:4], inside[4:6])):
        if group:
            panel.get_by_role("button", name=("Another that belongs together", "One that does not")[group - 1]).click()
        for place in places:
            ticks.nth(place).focus()
            page.keyboard.press("Space")
    panel.get_by_role("button", name="Propose rules").click()
    best = panel.locator(".found > li").first
    best.get_by_text("eg_in followed by eg_out by ip within 10 seconds").wait_for()
    assert "Finds 2 of 2 that belong together. Finds 0 of 1 that do not. Would have fired 2 times." in best.inner_text()
    assert someone.violations() == []
    best.get_by_role("link", name="Open in Compose").click()
    page.get_by_role("region", name="Would have fired").get_by_text("2 times in").wait_for()
