"""The page looks as it did: pictures of it beside golden ones, with a tolerance for fonts and edges.

`TOCSIN_GOLDEN=renew` takes new ones.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.service.page.visitor import Visitor
from tests.service.processes import ServiceProcess

GOLDEN = Path(__file__).parents[2] / "golden" / "page"
SHADES = 48
"""How far a point may be off in one color before it counts as another."""
SHARE = 0.04
"""How large a part of the points may be others: letters of another font, edges that are smoothed otherwise."""
RULE = {
    "name": "tailgating",
    "language": "pretty",
    "expression": "door followed by not badge followed by motion within 1 minute",
}
COMPARE = """async ([one, other, shades]) => {
  const points = async (data) => {
    const picture = new Image(); picture.src = 'data:image/png;base64,' + data; await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height); const pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height);
  };
  const [left, right] = [await points(one), await points(other)];
  if (left.width !== right.width || left.height !== right.height) return 1;
  let others = 0;
  for (let at = 0; at < left.data.length; at += 4) {
    const off = [0, 1, 2].some((color) => Math.abs(left.data[at + color] - right.data[at + color]) > shades);
    if (off) others++;
  }
  return others / (left.width * left.height);
}"""


def difference(browser: Any, one: bytes, other: bytes) -> float:
    """The share of points that are others in two pictures."""
    page = browser.new_page()
    told: float = page.evaluate(COMPARE, [base64.b64encode(one).decode(), base64.b64encode(other).decode(), SHADES])
    page.close()
    return told


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_looks_as_it_did(
    shared_service: ServiceProcess, visit: Callable[..., Visitor], browser: Any, theme: str
) -> None:
    someone = visit(shared_service, theme=theme, width=1000, height=700)
    page = someone.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{shared_service.url}/")
    page.get_by_label("API key").wait_for()
    taken = {"sign-in": page.screenshot()}
    someone.sign_in()
    page.evaluate("rule => sessionStorage.setItem('tocsin.draft', JSON.stringify(rule))", RULE)
    someone.go("compose")
    page.get_by_text("Not once in the events").wait_for()
    page.wait_for_function("document.querySelectorAll('.svelte-flow__edge').length >= 5")
    drawing = page.locator(".svelte-flow")
    # it is brought into view a moment after it is laid out
    steady = [b"", b"-"]
    while steady[-1] != steady[-2]:
        steady.append(drawing.screenshot())
    taken["drawing"] = steady[-1]
    page.route("**/v1/sites", lambda route: route.fulfill(path=GOLDEN / "sites.json"))
    someone.go("sites")
    page.get_by_text("intruder waits for hall").wait_for()
    taken["sites"] = page.screenshot()
    for name, picture in taken.items():
        path = GOLDEN / f"{name}-{theme}.png"
        if os.environ.get("TOCSIN_GOLDEN") == "renew":
            path.write_bytes(picture)
        assert difference(browser, path.read_bytes(), picture) <= SHARE, f"{path.name} is another picture"


def test_another_picture_is_told_apart(browser: Any) -> None:
    light, dark = ((GOLDEN / f"drawing-{theme}.png").read_bytes() for theme in ("light", "dark"))
    assert difference(browser, light, light) == 0
    assert difference(browser, light, dark) > SHARE
