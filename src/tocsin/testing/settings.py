"""The options of a case: its own, or those that the file has for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tocsin.algebra.rules import Order
from tocsin.errors import UsageError, choices, nearest
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, period_of, run_of, window_of
from tocsin.runtime.options import Options
from tocsin.testing.cases import RUNTIMES
from tocsin.testing.marked import Path, Wrong
from tocsin.time.spans import SECOND

Made = TypeVar("Made")

OPTIONS: Final = ("context", "order", "window", "run", "time-model", "until", "late", "within_delay", "runtimes")


class Settings:
    """What was asked for, by key."""

    def __init__(self, fields: Mapping[str, object], path: Path, shared: Mapping[str, object]) -> None:
        self.fields, self.path, self.shared = fields, path, shared

    def where(self, key: str) -> Path:
        return (*self.path, key) if key in self.fields else (key,)

    def text(self, key: str) -> str | None:
        value = self.fields.get(key, self.shared.get(key) if key in OPTIONS else None)
        if value is None or isinstance(value, str | int | float):
            return None if value is None else str(value)
        raise Wrong(self.where(key), f"'{key}' is a text")

    def made(self, key: str, make: Callable[[str], Made], usual: Made) -> Made:
        text = self.text(key)
        if text is None:
            return usual
        try:
            return make(text)
        except UsageError as error:
            raise Wrong(self.where(key), str(error)) from None

    def options(self) -> Options:
        return Options(
            context=self.made("context", context_of, None),
            order=self.made("order", order_of, Order()),
            window=self.made("window", window_of, None),
            run=self.made("run", run_of, None),
            granularity=self.made("time-model", granularity_of, None),
            until=self.made("until", instant_of, None),
            ignore_late=self.made("late", _late, False),
        )

    def flags(self) -> tuple[str, ...]:
        """The options as other commands take them."""
        given = {key: self.text(key) for key in OPTIONS[:-2]}
        late = self.text("within_delay")
        if late is not None and given["order"] is None:
            given["order"] = f"delay:{late}" + " s" * late.replace(".", "", 1).isdecimal()
        return tuple(word for key, text in given.items() if text is not None for word in (f"--{key}", text))

    def delay(self) -> int | None:
        return self.made("within_delay", delay_of, None)

    def only(self, rules: list[str]) -> frozenset[str]:
        value = self.fields.get("only", [])
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list):
            raise Wrong(self.where("only"), "'only' names the rules that are looked at", "[NAME, ...]")
        for name in names:
            if name not in rules:
                hint = nearest(str(name), rules)
                raise Wrong(self.where("only"), f"there is no rule '{name}'", choices(rules), hint)
        return frozenset(names)

    def runtimes(self) -> tuple[str, ...]:
        value = self.fields.get("runtimes", self.shared.get("runtimes"))
        if value is None:
            return ()
        try:
            return runtimes_of(value if isinstance(value, str) else ",".join(str(each) for each in _listed(value)))
        except UsageError as error:
            raise Wrong(self.where("runtimes"), str(error)) from None


def delay_of(text: str) -> int:
    """How late events may be, in microseconds."""
    try:
        delay = round(float(text) * SECOND)
    except (ValueError, OverflowError):
        delay = period_of(text, "how late events may be").length()
    if delay <= 0:
        raise UsageError(f"events may be late by some time, as in '5 s', not by '{text}'")
    return delay


def runtimes_of(text: str) -> tuple[str, ...]:
    """Runtimes as they are written: names with commas between them, or `all`."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["all"]:
        return RUNTIMES
    for name in names:
        if name not in RUNTIMES:
            raise UsageError(
                f"there is no runtime '{name}': {choices(RUNTIMES)}; {nearest(name, RUNTIMES)}".rstrip("; ")
            )
    if not names:
        raise UsageError(f"no runtime is named: {choices(RUNTIMES)}")
    return tuple(dict.fromkeys(names))


def _late(text: str) -> bool:
    if text not in ("accept", "ignore"):
        raise UsageError(f"'{text}' is not what can be done with late events: use accept or ignore")
    return text == "ignore"


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise UsageError(f"runtimes are {choices(RUNTIMES)}")
    return value
