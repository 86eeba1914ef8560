"""The page's views in a notebook: in a real browser, with the kernel's answers, and without Jupyter."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.service.page.conftest import browser  # noqa: F401 - a fixture
from tocsin.formats import events_from
from tocsin.notebook.answers import Answers, enabled
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options

BUILT = Path(tc.__file__).parent / "notebook" / "built" / "views.js"
PAGE = "<!doctype html><html lang=en><title>A notebook</title><body><main><h1>A notebook</h1><div id=cell></div></main>"
HISTORY = [
    {"id": "1", "type": "failed", "source": "web", "time": 0, "ip": "a"},
    {"id": "2", "type": "login", "source": "vpn", "time": 4, "ip": "a"},
    {"id": "3", "type": "failed", "source": "web", "time": 9, "ip": "b"},
    {"id": "4", "type": "login", "source": "vpn", "time": 12, "ip": "c"},
]
BEGIN = """async ([view, rule]) => {
  const hear = [];
  const model = {
    get: (name) => ({view, rule})[name],
    on: (what, tell) => hear.push(tell),
    send: async (asked) => { const told = await kernel(asked); for (const tell of hear) tell({id: asked.id, ...told}); },
  };
  const views = await import('/views.js');
  views.default.render({model, el: document.getElementById('cell')});
}"""
Open = Callable[..., Any]


def answers(expression: str = "") -> Answers:
    rules = [tc.rule("guessed", expression, language="pretty", window="1 min", severity="high")] if expression else []
    return Answers(enabled(rules_program(rules)), Options(), list(events_from(HISTORY)))


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:  # noqa: F811 - the fixture
    pages: list[Any] = []
    complaints: list[str] = []

    def come(kernel: Answers, view: str, rule: dict[str, Any] | None = None, theme: str = "light") -> Any:
        page = browser.new_context(color_scheme=theme, viewport={"width": 1000, "height": 800}).new_page()
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.expose_function(
            "kernel", lambda asked: kernel.answer(asked["method"], asked["path"], asked["given"] or {})
        )
        page.route("http://notebook.test/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        script = BUILT.read_bytes()
        page.route("**/views.js", lambda route: route.fulfill(body=script, content_type="text/javascript"))
        page.goto("http://notebook.test/")
        page.evaluate(BEGIN, [view, rule or {}])
        return page

    yield come
    for each in pages:
        each.context.close()
    assert complaints == []


def violations(page: Any) -> list[str]:
    import axe_playwright_python

    page.evaluate((Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text())
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_timeline_tells_why(opened: Open, theme: str) -> None:
    page = opened(answers("failed followed by login by ip"), "timeline", theme=theme)
    page.get_by_text("4 events and 1 detections").first.wait_for()
    page.get_by_text("Detections in view").click()
    page.get_by_role("listitem").filter(has_text="guessed").get_by_role("button").click()
    page.get_by_text("What had to hold").wait_for()
    assert page.get_by_role("listitem").filter(has_text="failed · web").count() == 1
    assert violations(page) == []
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "32px"  # the notebook's own


def test_a_composer_draws_tries_and_saves(opened: Open) -> None:
    kernel = answers()
    rule = {"name": "rule", "language": "pretty", "expression": "failed followed by login", "window": "1 minute"}
    page = opened(kernel, "compose", rule)
    page.get_by_text("3 times in 4 events.").wait_for()
    page.locator(".svelte-flow__node").filter(has_text="login").wait_for()
    page.get_by_role("navigation", name="Pieces").get_by_role("button", name="Where").click()
    page.get_by_label("Condition").first.fill("failed.ip == login.ip")
    page.get_by_label("Condition").first.press("Tab")
    page.get_by_text("Once in 4 events.").wait_for()
    page.get_by_role("button", name="Show near misses").click()
    page.get_by_text("1 condition away").first.wait_for()
    assert violations(page) == []
    page.get_by_label("Name").fill("guessing")
    page.get_by_role("button", name="Save request").click()
    page.get_by_text("guessing is saved").wait_for()
    assert kernel.saved is not None
    assert kernel.saved["expression"] == "failed followed by login where failed.ip == login.ip"


def test_a_graph_shows_the_parts(opened: Open) -> None:
    page = opened(answers("failed followed by login by ip"), "graph")
    page.locator(".svelte-flow__node").filter(has_text="guessed").first.wait_for()
    assert violations(page) == []


def test_what_only_a_service_knows_is_refused() -> None:
    (fault,) = answers().answer("GET", "/v1/status", {})["faults"]
    assert fault["message"] == "GET /v1/status: only a service can answer that"
    (fault,) = answers().answer("GET", "/v1/why", {"rule": "none"})["faults"]
    assert "there is no rule 'none'" in fault["message"]
    told = answers().answer("POST", "/v1/notations", {"request": {"language": "pretty", "expression": "a followed by"}})
    assert told["faults"][0]["code"] == "expression-invalid"


def test_the_views_are_of_a_bearable_size() -> None:
    assert len(gzip.compress(BUILT.read_bytes(), 9)) <= 260_000


def test_widgets_answer_from_the_kernel() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from tocsin.notebook import Composer, Graph, Timeline

    rule = tc.rule("guessed", "failed followed by login by ip", language="pretty", window="1 min")
    told: list[Any] = []
    timeline = Timeline(rule, HISTORY)
    timeline.send = told.append
    timeline._asked(timeline, {"id": 7, "method": "GET", "path": "/v1/detections", "given": {}}, [])
    assert (told[0]["id"], [each["events"] for each in told[0]["answer"]["items"]]) == (7, [["1", "2"]])
    assert Graph(rule).view == "graph"
    composer = Composer("failed followed by login", HISTORY, window="1 min")
    assert composer.saved is None
    composer.answers.answer("POST", "/v1/requests", composer.rule)
    assert composer.saved is not None
    assert len(tc.detect(composer.saved, HISTORY)) == 3
