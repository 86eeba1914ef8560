"""Records of Python's logging as events.

logging.getLogger().addHandler(sensor.log_handler(level="WARNING"))

log       level, levelno, logger, message; and error, the exception's name, where there is one
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final

OWN: Final = "tocsin.sensor"


class LogHandler(logging.Handler):
    """Sends a record as an event. What the sensor itself logs is left out: it would report on its reports."""

    def __init__(self, note: Callable[[str, Mapping[str, object]], object], type: str, level: int | str) -> None:
        super().__init__(level)
        self._note, self._type = note, type
        self.addFilter(lambda record: record.name != OWN)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            told: dict[str, object] = {
                "level": record.levelname,
                "levelno": record.levelno,
                "logger": record.name,
                "message": record.getMessage(),
            }
            if record.exc_info and record.exc_info[0] is not None:
                told["error"] = record.exc_info[0].__name__
            self._note(self._type, told)
        except Exception:  # noqa: BLE001 - as all handlers do: a record that cannot be written must not stop the program
            self.handleError(record)
