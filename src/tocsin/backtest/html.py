"""A document as one HTML page that needs nothing else: it opens without a network, can be mailed, and prints well.

It is XML too, so that anything can check it. Every text is escaped here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tocsin.backtest.document import (
    Block,
    Code,
    Document,
    Figures,
    Heading,
    Paragraph,
    Picture,
    Table,
    is_number,
    written,
)
from tocsin.draw.svg import clean, tag

LONG: Final = 40
"""Rows from which on a table has a scroll bar of its own, except on paper."""
STYLE: Final = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f6f8fa; color: #1f2933; line-height: 1.5;
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 40px 64px; background: #fff; min-height: 100vh; }
h1 { font-size: 28px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 21px; margin: 48px 0 8px; padding-top: 12px; border-top: 2px solid #e1e6eb; overflow-wrap: anywhere; }
h3 { font-size: 17px; margin: 32px 0 6px; overflow-wrap: anywhere; }
h4 { font-size: 15px; margin: 24px 0 4px; color: #424e5a; overflow-wrap: anywhere; }
p { margin: 6px 0 12px; max-width: 78ch; overflow-wrap: anywhere; }
nav { font-size: 14px; margin: 12px 0 0; }
nav a { color: #0072b2; text-decoration: none; margin-right: 18px; }
pre { background: #f6f8fa; border: 1px solid #e1e6eb; border-radius: 6px; padding: 10px 14px; margin: 6px 0 14px;
  font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 20px 0; }
dl.figures div { border: 1px solid #e1e6eb; border-radius: 8px; padding: 12px 14px; display: flex;
  flex-direction: column-reverse; justify-content: flex-end; }
dl.figures dt { color: #66727f; font-size: 13px; }
dl.figures dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.table { overflow-x: auto; margin: 8px 0 20px; }
.table.long { max-height: 640px; overflow-y: auto; border-bottom: 1px solid #e1e6eb; }
.table.long thead th { position: sticky; top: 0; background: #fff; }
table { border-collapse: collapse; font-size: 14px; min-width: 40%; }
caption { text-align: left; color: #66727f; font-size: 13px; padding: 4px 0; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #e1e6eb; }
thead th { border-bottom: 2px solid #c3ccd5; font-weight: 600; vertical-align: bottom; }
td { overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.empty { color: #9aa5b1; }
td.zero { color: #9aa5b1; }
figure { margin: 14px 0 22px; }
figure svg { width: 100%; height: auto; display: block; border: 1px solid #e1e6eb; border-radius: 8px; }
figcaption { color: #66727f; font-size: 13px; margin-top: 4px; }
@media print {
  body { background: #fff; font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  .table.long { max-height: none; overflow: visible; }
  .table.long thead th { position: static; }
  h2, h3, h4 { break-after: avoid; }
  figure, dl.figures, tr, pre { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def html_page(document: Document) -> str:
    """The page."""
    body = [each for number, block in enumerate(document.blocks) for each in _drawn(block, number)]
    headings = [(n, each) for n, each in enumerate(document.blocks) if isinstance(each, Heading) and each.level == 2]
    links = "".join(tag("a", clean(each.text), href=f"#part{number}") for number, each in headings)
    title = next((n for n, each in enumerate(body) if each.startswith("<h1")), -1)
    body.insert(title + 1, tag("nav", links))
    head = tag("meta", charset="utf-8") + "\n" + tag("title", clean(document.title)) + "\n"
    head += tag("meta", name="viewport", content="width=device-width, initial-scale=1") + "\n"
    # Nothing that stands in the data may run or load anything, even if it found its way past the escaping.
    rule = "default-src 'none'; style-src 'unsafe-inline'"
    head += tag("meta", http_equiv="Content-Security-Policy", content=rule) + "\n"
    head += tag("style", STYLE) + "\n"
    main = tag("main", "\n" + "\n".join(body) + "\n")
    return (
        "<!DOCTYPE html>\n"
        + tag("html", tag("head", f"\n{head}") + "\n" + tag("body", f"\n{main}\n"), lang="en")
        + "\n"
    )


def _drawn(block: Block, number: int) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield tag(f"h{level}", clean(text), id=f"part{number}")
        case Paragraph(text):
            yield tag("p", clean(text))
        case Code(text):
            yield tag("pre", tag("code", clean(text)))
        case Figures(items):
            parts = [tag("div", tag("dt", clean(name)) + tag("dd", clean(value))) for name, value in items]
            yield tag("dl", "".join(parts), class_="figures")
        case Table():
            yield _table(block)
        case Picture(_, svg, caption):
            yield tag("figure", f"\n{svg}{tag('figcaption', clean(caption))}")


def _table(table: Table) -> str:
    numbers = [is_number(table, place) for place in range(len(table.heads))]
    heads = "".join(
        _cell("th", clean(head), ["number"] if number else [], scope="col")
        for head, number in zip(table.heads, numbers, strict=True)
    )
    rows = []
    for row in table.rows:
        cells = []
        for cell, number in zip(row, numbers, strict=True):
            looks = (["number"] if number else []) + (["zero"] if cell == 0 and number else [])
            cells.append(_cell("td", clean(written(cell)), looks))
        rows.append(tag("tr", "".join(cells)))
    caption = tag("caption", clean(table.caption)) if table.caption else ""
    inner = caption + tag("thead", tag("tr", heads)) + "\n" + tag("tbody", "\n" + "\n".join(rows) + "\n")
    return tag("div", tag("table", inner), class_="table long" if len(table.rows) > LONG else "table")


def _cell(name: str, inner: str, looks: list[str], **attributes: object) -> str:
    if looks:
        attributes["class_"] = " ".join(looks)
    # An element that is closed at once, <td/>, is an open one to a browser.
    return tag(name, inner, **attributes) if inner else tag(name, "\N{NO-BREAK SPACE}", **attributes)
