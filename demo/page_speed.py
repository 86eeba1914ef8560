"""How fast the page is: `python -m demo.page_speed`, with chromium and Playwright."""

from __future__ import annotations

import shutil
import statistics
import threading
import time
from typing import Any, Final

from demo.serving import Served

EVENTS: Final = 100_000
FEW: Final = 2_000
"""Events that are kept when it is asked why."""
ASKED: Final = 50
STORM: Final = 1_000
"""Detections a second."""
SECONDS: Final = 10

FRAMES: Final = """async (seconds) => {
  const gaps = []; let before = performance.now(); const end = before + seconds * 1000;
  while (performance.now() < end) {
    await new Promise(requestAnimationFrame);
    const now = performance.now(); gaps.push(now - before); before = now;
  }
  gaps.sort((a, b) => a - b);
  return [gaps.length / seconds, gaps[Math.floor(gaps.length * 0.95)], gaps[gaps.length - 1]];
}"""
"""Frames a second, and the gaps between two of them in milliseconds: nineteen of twenty, the longest."""


def main() -> None:
    """Measures, and says what was measured."""
    from playwright.sync_api import sync_playwright

    served = Served(0)
    try:
        ask(served)
        fill(served, FEW)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            first_paint(page, served)
            why(page, served)
            fill(served, EVENTS - FEW)
            timeline(page, served)
            storm(page, served)
            browser.close()
    finally:
        served.stop()


def ask(served: Served) -> None:
    """Asks for pairs."""
    pair = {"name": "pair", "language": "gem", "expression": "f:start ; l:stop when f.n = l.n", "window": "1 min"}
    served.client.call(
        "POST", "/v1/requests", {**pair, "context": "chronicle", "severity": "high", "notify": "{f.n} stopped"}
    )


def fill(served: Served, count: int) -> None:
    """Events of ten sources, and detections among them: one in ten."""
    sent, goal = 0, served.client.call("GET", "/v1/status")["detections"] + count // 10
    while sent < count:
        body = [
            {
                "type": ("start", "stop")[(sent + each) % 2],
                "source": f"s{(sent + each) // 2 % 10}",
                "n": (sent + each) // 2,
            }
            if (sent + each) // 2 % 5 == 0
            else {"type": "tick", "source": f"s{(sent + each) % 10}"}
            for each in range(1_000)
        ]
        served.client.call("POST", "/v1/events", body)
        sent += len(body)
    while served.client.call("GET", "/v1/status")["detections"] < goal:
        time.sleep(0.2)


def first_paint(page: Any, served: Served) -> None:
    """From the address to what one sees first, with nothing cached."""
    page.goto(served.url)
    page.get_by_label("API key").wait_for()
    told = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    print(f"first paint: {told:.0f} ms")
    page.get_by_label("API key").fill(served.key)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Views").wait_for()


def why(page: Any, served: Served) -> None:
    """Detections asked about one after the other."""
    ids = [each["id"] for each in served.client.call("GET", "/v1/detections", limit=ASKED, newest=True)["items"]]
    took = []
    for id in ids:
        begin = time.perf_counter()
        served.client.call("GET", "/v1/why", detection=id)
        took.append((time.perf_counter() - begin) * 1000)
    took.sort()
    print(f"why: median {statistics.median(took):.0f} ms, p95 {took[int(len(took) * 0.95)]:.0f} ms")


def timeline(page: Any, served: Served) -> None:
    """Panning over everything, a step a frame."""
    begin = time.perf_counter()
    page.goto(f"{served.url}/#/timeline")
    lanes = page.locator("[role=application]")
    while "100,000 events" not in (told := lanes.get_attribute("aria-label")):
        time.sleep(0.1)
    print(f"timeline: loaded in {time.perf_counter() - begin:.1f} s, {told}")
    pan = """async (seconds) => {
      const lanes = document.querySelector('[role=application]');
      const press = () => {
        const key = Math.random() < 0.5 ? 'ArrowLeft' : 'ArrowRight';
        lanes.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      };
      const timer = setInterval(press, 16);
      const told = await (FRAMES)(seconds);
      clearInterval(timer);
      return told;
    }""".replace("FRAMES", FRAMES)
    rate, most, longest = page.evaluate(pan, 5)
    print(f"timeline: {rate:.0f} frames a second while panning; p95 {most:.0f} ms, longest {longest:.0f} ms")


def storm(page: Any, served: Served) -> None:
    """Detections arrive while one watches."""
    page.goto(f"{served.url}/#/watch")
    served.client.call(
        "POST", "/v1/requests", {"name": "each", "language": "gem", "expression": "s:storm", "notify": "{s.n}"}
    )

    def send() -> None:
        begin = time.monotonic()
        for batch in range(SECONDS * 10):
            body = [{"type": "storm", "source": "s", "n": batch * 100 + each} for each in range(STORM // 10)]
            served.client.call("POST", "/v1/events", body)
            time.sleep(max(0.0, begin + batch / 10 - time.monotonic()))

    sender = threading.Thread(target=send)
    sender.start()
    rate, most, longest = page.evaluate(FRAMES, SECONDS)
    sender.join()
    page.get_by_role("button", name=f"{SECONDS * STORM - 1}", exact=False).first.wait_for()
    frames = f"{rate:.0f} frames a second; p95 {most:.0f} ms, longest {longest:.0f} ms"
    print(f"{STORM} detections a second: {frames}; none is missing at the end")


if __name__ == "__main__":
    main()
