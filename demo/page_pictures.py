"""The pictures of the page in the docs: `python -m demo.page_pictures`, with chromium and Playwright."""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from demo.film import animated
from demo.serving import Served, report
from demo.sites import Plant

PICTURES: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SECONDS: Final = 100.0
"""Of traffic, before pictures are taken."""
SIZE: Final = {"width": 1280, "height": 860}


def main() -> None:
    """Serves the demo for a while, and takes each view; `film`: only the picture that moves; `sites`: only the map."""
    if sys.argv[1:] != ["film"]:
        take_sites()
    if sys.argv[1:] == ["sites"]:
        return
    wants_all = sys.argv[1:] != ["film"]
    from playwright.sync_api import sync_playwright

    served = Served(0)
    try:
        served.ask()
        report(served, SECONDS if wants_all else SECONDS / 4)
        more = threading.Thread(target=report, args=(served, 45.0, 8))
        more.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for theme in ("light", "dark") if wants_all else ():
                page = signed_in(browser, served, theme)
                take(page, served, theme)
            film(browser, served)
            browser.close()
        more.join()
    finally:
        served.stop()


def signed_in(browser: Any, served: Served, theme: str) -> Any:
    """The page, in one theme."""
    page = browser.new_context(viewport=SIZE, color_scheme=theme, timezone_id="Europe/London").new_page()
    page.goto(served.url)
    page.get_by_label("API key").fill(served.key)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Views").wait_for()
    return page


def take(page: Any, served: Served, theme: str) -> None:
    """Each view in one theme."""
    names = {each["name"]: each["id"] for each in served.client.call("GET", "/v1/requests")["requests"]}
    page.wait_for_timeout(9_000)  # for the rates to have something to show
    page.get_by_role("region", name="Detections").get_by_role("button", name="got_in").first.click()
    page.get_by_text("What had to hold").wait_for()
    page.screenshot(path=PICTURES / f"page-watch-{theme}.png")
    page.goto(f"{served.url}/#/timeline")
    page.get_by_text("Detections in view").click()
    page.get_by_role("listitem").filter(has_text="got_in").first.get_by_role("button").click()
    page.get_by_text("What had to hold").wait_for()
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_text("Detections in view").click()
    page.screenshot(path=PICTURES / f"page-timeline-{theme}.png")
    page.goto(f"{served.url}/#/graph")
    page.locator(".svelte-flow__node").first.wait_for()
    page.wait_for_timeout(1_500)
    page.screenshot(path=PICTURES / f"page-graph-{theme}.png")
    page.goto(f"{served.url}/#/compose?request={names['mistyped']}")
    page.get_by_text("events.").first.wait_for()
    page.wait_for_timeout(1_500)
    page.screenshot(path=PICTURES / f"page-compose-{theme}.png")
    page.goto(f"{served.url}/#/replay?request={names['got_in']}")
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_label("Speed").wait_for()
    page.get_by_role("region", name="Replay").locator("input[type=range]").fill("30")
    page.screenshot(path=PICTURES / f"page-replay-{theme}.png")


def take_sites() -> None:
    """The map of sites, one of them cut off."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="tocsin-plant-") as folder, Plant(Path(folder)) as plant:
        served = Served(0, "--sites", plant.url)
        try:
            plant.report(120)
            plant.cut_off("hall")
            plant.report(60, without="hall")
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                for theme in ("light", "dark"):
                    plant.report(10, without="hall")
                    page = signed_in(browser, served, theme)
                    page.goto(f"{served.url}/#/sites")
                    page.get_by_text("intruder waits for hall").wait_for()
                    page.get_by_role("button", name="evacuation").first.click()
                    page.get_by_text("gate → office").wait_for()
                    page.screenshot(path=PICTURES / f"page-sites-{theme}.png")
                browser.close()
        finally:
            served.stop()


def film(browser: Any, served: Served) -> None:
    """A rule as it is drawn, tried and explained, as a picture that moves."""
    context = browser.new_context(viewport={"width": 1000, "height": 700}, color_scheme="light", timezone_id="UTC")
    page, frames, seconds = context.new_page(), list[bytes](), list[float]()

    def shot(length: float) -> None:
        page.wait_for_timeout(700)
        frames.append(page.screenshot())
        seconds.append(length)

    page.goto(served.url)
    page.get_by_label("API key").fill(served.key)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Views").wait_for()
    page.goto(f"{served.url}/#/compose")
    pieces = page.get_by_role("navigation", name="Pieces")
    pieces.get_by_role("button", name="login_failed", exact=True).wait_for()
    shot(1.2)
    pieces.get_by_role("button", name="login_failed", exact=True).click()
    shot(1.0)
    pieces.get_by_role("button", name="login_ok", exact=True).click()
    shot(1.5)
    pieces.get_by_role("button", name="Where").click()
    page.get_by_label("Condition").first.fill("login_failed.user == login_ok.user")
    page.get_by_label("Condition").first.press("Tab")
    fired = page.get_by_role("region", name="Would have fired")
    fired.get_by_text("events.").first.wait_for()
    shot(2.0)
    fired.scroll_into_view_if_needed()
    shot(2.5)
    fired.get_by_role("button", name="Show near misses").click()
    fired.get_by_text("away").first.wait_for()
    fired.get_by_text("away").first.scroll_into_view_if_needed()
    shot(3.0)
    (PICTURES / "page-compose-film.png").write_bytes(animated(frames, seconds))
    context.close()


if __name__ == "__main__":
    main()
