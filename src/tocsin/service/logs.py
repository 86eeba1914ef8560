"""The service's log: a line for people, or a JSON object for programs, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

from tocsin.service.settings import LogFormat

_TEXT: Final = "%(asctime)s %(levelname)s %(message)s"


def set_up(kind: LogFormat) -> None:
    """Lets the service's log be written."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Records() if kind is LogFormat.JSON else logging.Formatter(_TEXT))
    for name in ("tocsin.service", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name.startswith("tocsin") else logging.WARNING)


class _Records(logging.Formatter):
    """Each record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)
