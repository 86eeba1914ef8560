"""What one question of an assistant or an editor may cost: more is refused, so that no text stops the server."""

from __future__ import annotations

from typing import Final

MOST_TEXT: Final = 400_000
"""Characters of a text of rules."""

MOST_EVENTS_TEXT: Final = 8_000_000
"""Characters of events that are given with a question; more of them are in a file."""

MOST_ANSWER: Final = 400_000
"""Characters of an answer."""

SECONDS: Final = 20.0
"""How long a question may take."""

MEMORY: Final = 2 << 30
"""Bytes that answering may need."""
