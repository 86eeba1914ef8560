"""What is known of a workspace: the outlines of its files of rules, and what a sample of events holds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tocsin.assistants.editor.vocabulary import Vocabulary, vocabulary_of
from tocsin.rules.loader import READERS
from tocsin.testing.discovery import SKIPPED, is_test_file

MOST_FILES: Final = 300
MOST_BYTES: Final = 200_000
"""Files of a workspace that are read without being opened, and how long each may be."""


@dataclass
class Knowledge:
    """Outlines by file, and the sample."""

    outlines: dict[str, dict[str, Any]] = field(default_factory=dict)
    sample: Mapping[str, Any] = field(default_factory=dict)

    def note(self, file: str, outline: dict[str, Any], is_wrong: bool = False) -> None:
        """A file has this outline now. Of one that is wrong, what was known before is still good to know."""
        before = self.outlines.get(file)
        if is_wrong and before is not None:
            here = {(each["name"], each["how"]) for each in outline["events"]}
            lost = [each for each in before["events"] if (each["name"], each["how"]) not in here]
            outline = {**outline, "events": outline["events"] + lost}
        self.outlines[file] = outline

    def vocabulary(self) -> Vocabulary:
        """All that is known of types of events."""
        return vocabulary_of(self.outlines.values(), self.sample)


def rules_files(roots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files below some folders that may hold rules, with their texts; not those that tools fill."""
    count = 0
    for root in roots:
        for place, folders, files in os.walk(root):
            folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
            for name in sorted(files):
                path = Path(place, name)
                if path.suffix.lower() not in READERS or is_test_file(name) or count >= MOST_FILES:
                    continue
                text = _text(path)
                if text is not None:
                    count += 1
                    yield str(path), text


def _text(path: Path) -> str | None:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
