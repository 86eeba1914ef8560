"""The widgets: a view of the page each, and the kernel behind it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from tocsin.algebra.rules import Rule
from tocsin.api import Given, Rules, Span, options_given, program_of, read_arrivals
from tocsin.api import rule as made_rule
from tocsin.formats import Fields, InputClock, TimeStyle
from tocsin.notebook.answers import Answers, enabled
from tocsin.session import Session

_BUILT = Path(__file__).parent / "built" / "views.js"


class _View(anywidget.AnyWidget):  # type: ignore[misc]  # anywidget has no types of its own
    """A view of the page. What it asks is answered here."""

    _esm = _BUILT
    view = traitlets.Unicode("timeline").tag(sync=True)
    rule = traitlets.Dict().tag(sync=True)

    def __init__(self, view: str, answers: Answers, rule: Mapping[str, Any] | None = None) -> None:
        super().__init__(view=view, rule=dict(rule or {}))
        self.answers = answers
        self.on_msg(self._asked)

    def _asked(self, widget: Any, message: Mapping[str, Any], buffers: Any) -> None:
        told = self.answers.answer(message["method"], message["path"], message.get("given") or {})
        self.send({"id": message["id"], **told})


class Timeline(_View):
    """Events in lanes by source, and what rules detect in them; a click says why."""

    def __init__(self, rules: Rules, events: object, *, window: Span | None = None, context: str | None = None) -> None:
        super().__init__("timeline", _answers(rules, events, window, context))


class Graph(_View):
    """The parts that rules share, and what each rule holds after the events."""

    def __init__(self, rules: Rules, events: object = ()) -> None:
        super().__init__("graph", _answers(rules, events, None, None))


class Composer(_View):
    """A rule as a drawing and as text, in every notation, tried on events. `saved` is the rule that was saved last."""

    def __init__(self, expression: str = "", events: object = (), *, language: str = "pretty", **more: Any) -> None:
        document = {"name": "rule", "language": language, "expression": expression, **more}
        super().__init__("compose", _answers([], events, None, None), document)

    @property
    def saved(self) -> Rule | None:
        """The rule that was saved last."""
        document = self.answers.saved
        if document is None:
            return None
        keys = {key: value for key, value in document.items() if key not in ("name", "expression", "enabled")}
        return made_rule(document["name"], document["expression"], **keys)


def _answers(rules: Rules, events: object, window: Span | None, context: str | None) -> Answers:
    options = options_given(context, "best-effort", window, "point", None, "accept")
    program = enabled(program_of(rules))
    session = Session(program, options)
    given = Given("refuse", Fields({}), InputClock(None, None))
    return Answers(session.program, session.options, list(read_arrivals(session, events, given, TimeStyle())))
