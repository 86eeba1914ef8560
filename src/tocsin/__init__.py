"""Tocsin detects composite events: patterns in time over events from many sources.

    import tocsin as tc
    rule = tc.rule("pair", "a ; b", language="eps", window="1 min")
    tc.detect([rule], [{"type": "a", "time": 1}, {"type": "b", "time": 2}])

The names here are the public ones. They are imported when they are first used, so that `import tocsin` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tocsin import sites as sites
    from tocsin import spark as spark
    from tocsin import testing as testing
    from tocsin.api import detect, event, import_rules, load, parse, propose, render, rule, translate, why
    from tocsin.errors import EventError, MissingDependency, RuleError, TocsinError, UsageError
    from tocsin.events import Amendment, Detection, Event, Heartbeat
    from tocsin.findings import Detections
    from tocsin.languages.fluent import any_event, at, every, guard, unnamed
    from tocsin.live import Live
    from tocsin.sensor import AsyncSensor, Sensor

_HOMES = {
    **dict.fromkeys(
        ("detect", "event", "import_rules", "load", "parse", "propose", "render", "rule", "translate", "why"),
        "tocsin.api",
    ),
    **dict.fromkeys(("any_event", "at", "every", "guard", "unnamed"), "tocsin.languages.fluent"),
    "Detections": "tocsin.findings",
    **dict.fromkeys(("EventError", "MissingDependency", "RuleError", "TocsinError", "UsageError"), "tocsin.errors"),
    **dict.fromkeys(("Amendment", "Detection", "Event", "Heartbeat"), "tocsin.events"),
    "Live": "tocsin.live",
    **dict.fromkeys(("AsyncSensor", "Sensor"), "tocsin.sensor"),
}

__all__ = [
    "Amendment",
    "AsyncSensor",
    "Detection",
    "Detections",
    "Event",
    "EventError",
    "Heartbeat",
    "Live",
    "MissingDependency",
    "RuleError",
    "Sensor",
    "TocsinError",
    "UsageError",
    "any_event",
    "at",
    "detect",
    "event",
    "every",
    "guard",
    "import_rules",
    "load",
    "parse",
    "propose",
    "render",
    "rule",
    "translate",
    "unnamed",
    "why",
]


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("_")), *__all__, "sites", "spark", "testing"})


def __getattr__(name: str) -> object:
    if name in ("sites", "spark", "testing"):  # not in __all__: they need brokers, PySpark, tests
        return import_module(f"tocsin.{name}")
    if name not in _HOMES:
        from tocsin.errors import nearest  # here, so that `import tocsin` is quick

        hint = "" if name.startswith("_") else nearest(name, [*__all__, "sites", "spark", "testing"])
        raise AttributeError(f"module 'tocsin' has no attribute '{name}'{hint and f'; {hint}'}")
    return getattr(import_module(_HOMES[name]), name)
