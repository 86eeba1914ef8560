"""A real browser for the tests of the page: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for the tests of a file; each visitor has cookies and storage of its own.

    Playwright keeps an event loop running in this thread as long as it is there: no other test could have one.
    """
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium")
    with driver.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Makes visitors of a service's page; what went wrong in their consoles fails the test."""
    visitors: list[Visitor] = []

    def come(service: ServiceProcess, **how: Any) -> Visitor:
        visitors.append(Visitor(browser, service, **how))
        return visitors[-1]

    yield come
    for each in visitors:
        each.leave()
    assert [said for each in visitors for said in each.complaints] == []
