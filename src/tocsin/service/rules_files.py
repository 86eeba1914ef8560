"""Rules files as documents of requests: what an operator has written down, the service asks for at its start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from tocsin.errors import UsageError
from tocsin.rules.document_text import render_document
from tocsin.rules.documents import Reader, read_document
from tocsin.rules.loader import READERS
from tocsin.rules.sigma_documents import looks_like_sigma
from tocsin.service.requests import SIGMA


def documents_of(text: str, path: str) -> Iterator[dict[str, Any]]:
    """The requests that a rules file comes to. What is wrong with it is told with its place."""
    if path.endswith(".eps"):
        yield from _of_eps(text, path)
        return
    if not path.endswith((".yaml", ".yml")):
        raise UsageError(
            f"{path}: rules files of the service are *.yaml and *.eps; tocsin console --connect loads a GEM script"
        )
    if looks_like_sigma(text):
        title = next((each.get("title") for each in yaml.safe_load_all(text) if isinstance(each, dict)), None)
        yield {"name": str(title or path), "language": SIGMA, "expression": text}
        return
    read_document(text, path)  # which tells what is wrong, and where
    for document in Reader(text, path).plain_rules():
        if "enabled" in document:
            document["enabled"] = str(document["enabled"]).lower() in ("true", "yes", "on")
        yield document


def _of_eps(text: str, path: str) -> Iterator[dict[str, Any]]:
    """Requests for notification as 000 writes them, callback included."""
    rules = READERS[".eps"](text, Path(path)).rules
    plain = render_document((replace(rule, callback=None) for rule in rules), (rule.name for rule in rules))
    for rule, document in zip(rules, yaml.load(plain, Loader=yaml.BaseLoader)["rules"], strict=True):
        yield document if rule.callback is None else {**document, "callback": [{"url": rule.callback}]}
