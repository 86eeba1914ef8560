"""Why one record is no event, before it is known what becomes of it."""

from __future__ import annotations

from tocsin.errors import RuleError


class Refused(Exception):
    """One line or row that is no event: the reason, and the column where it shows.

    Internal to the readers: where bad events are refused it leaves as an `EventError` with its place, where
    they are skipped it is counted.
    """

    def __init__(self, reason: str, column: int = 1, expected: str = "", hint: str = "") -> None:
        self.reason, self.column, self.expected, self.hint = reason, column, expected, hint
        super().__init__(reason)

    @classmethod
    def because(cls, error: RuleError, what: str, column: int = 1) -> Refused:
        """The first fault of a text about time that stands at `column`; `what` names the text."""
        fault = error.faults[0]
        shift = fault.span.start if fault.span is not None else 0
        return cls(f"{what}: {fault.message}", column + shift, fault.expected, fault.hint)


def shown(value: object, longest: int = 40) -> str:
    """A value as a message shows it, cut short where it is long."""
    try:
        text = repr(value[: longest + 1] if isinstance(value, str) else value)
    except Exception:  # noqa: BLE001 - whatever a foreign object's repr does, the message must still be made
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[:longest] + "..."
