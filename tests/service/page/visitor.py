"""Somebody who visits the page of a service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.service.processes import ServiceProcess

PATIENCE = 120_000


class Visitor:
    """A browser window at a service's page, and what it complained of."""

    def __init__(
        self, browser: Any, service: ServiceProcess, *, theme: str = "light", width: int = 1280, height: int = 900
    ) -> None:
        self.service = service
        self._context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, timezone_id="Europe/London", locale="en-US"
        )
        self._context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Complaints that a test brings about."""
        self.page = self._opened()

    def _opened(self) -> Any:
        page = self._context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not any(each in message.text for each in self.expected):
            self.complaints.append(message.text)

    def sign_in(self, key: str = "") -> Visitor:
        """Opens the page, and signs in with the operator's key or another."""
        self.page.goto(f"{self.service.url}/")
        self.page.get_by_label("API key").fill(key or self.service.key)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("navigation", name="Views").wait_for()
        return self

    def another_tab(self) -> Any:
        """Another tab of the same browser, with the same key."""
        page = self._opened()
        page.goto(f"{self.service.url}/")
        page.get_by_label("API key").fill(self.service.key)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("navigation", name="Views").wait_for()
        return page

    def go(self, view: str) -> None:
        """Goes to a view of the page."""
        self.page.goto(f"{self.service.url}/#/{view}")

    def violations(self) -> list[str]:
        """What axe finds wrong with the page for those who do not see it, or do not see it well."""
        import axe_playwright_python

        script = Path(axe_playwright_python.__file__).parent / "axe.min.js"
        self.page.evaluate(script.read_text())
        found = self.page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        return [f"{each['id']}: {each['help']}: {node['html'][:200]}" for each in found for node in each["nodes"]]

    def leave(self) -> None:
        """Closes the window."""
        self._context.close()
