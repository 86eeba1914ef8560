"""The page in a real browser: it is shown whole, nothing is loaded, nothing runs, and nothing sticks out."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.backtest.test_report import EVIL, _with_text, findings
from tocsin.backtest.findings import Findings
from tocsin.backtest.html import html_page
from tocsin.backtest.sections import report_of

__all__ = ["findings"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1200,2000",
]
LOOK = """
<script>
const main = document.querySelector("main").getBoundingClientRect();
const out = [...document.querySelectorAll("figure svg, h1, h2, h3, p, pre, dl, .table")]
  .filter(each => { const box = each.getBoundingClientRect(); return box.right > main.right + 1 || box.height === 0; });
const seen = {
  mode: document.compatMode,
  pictures: [...document.querySelectorAll("figure > svg")].filter(each => each.getBoundingClientRect().height > 40).length,
  tables: document.querySelectorAll("table").length,
  tips: document.querySelectorAll("svg title").length,
  loaded: performance.getEntriesByType("resource").length,
  out: out.map(each => each.outerHTML.slice(0, 80)),
};
document.body.innerHTML = "";
document.body.append("SEEN" + JSON.stringify(seen) + "SEEN");
</script>
"""


def look(page: str, folder: Path) -> dict[str, object]:
    """What a browser sees of a page. The page itself lets nothing run: that is taken off for our own eyes."""
    given, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*/>', "", page)
    assert count == 1
    path = folder / "page.html"
    path.write_text(given.replace("</body>", f"{LOOK}</body>"), encoding="utf-8")
    assert CHROMIUM is not None
    shown = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r"SEEN(\{.*\})SEEN", shown.stdout)
    assert found is not None, shown.stdout[:500]
    seen: dict[str, object] = json.loads(html.unescape(found[1]))
    return seen


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_browser_shows_it(findings: Findings, tmp_path: Path) -> None:
    document = report_of(findings)
    seen = look(html_page(document), tmp_path)
    assert seen["mode"] == "CSS1Compat"
    assert seen["pictures"] == len(document.pictures) > 8
    assert seen["loaded"] == 0
    assert seen["out"] == []
    usual = look(html_page(report_of(_with_text(findings, "plain"))), tmp_path)
    evil = look(html_page(report_of(_with_text(findings, EVIL))), tmp_path)
    assert {**evil, "out": []} == {**usual, "out": []}, "the same elements, whatever the texts are"
    assert evil["out"] == []
