"""Detections as they are told at a site: each written once, also by a process that was killed and came back.

Into a file each is written once whatever happens: what is there already is known by its id. To standard output it is
once too, unless the process is killed between the line and the note that it was written; the id tells then.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line
from tocsin.sites.site import Site, Told


class SourcesStyle(TimeStyle):
    """How times are written: as the first source writes them that a site knows of."""

    _site: Site | None = None

    def of(self, site: Site) -> None:
        """Goes by the directory of a site."""
        self._site = site

    @property
    def seconds(self) -> bool:
        """Whether times are seconds."""
        if self._seconds is None and self._site is not None:
            said = [
                self._site.birthplace.described(),
                *(peer.said["sources"] for peer in self._site.neighbours.peers.values()),
            ]
            known = (source.get("seconds") for sources in said for source in sources.values())
            self._seconds = next((each for each in known if each is not None), None)
        return self._seconds is True


class Listing:
    """Where detections are written, as `detect` does."""

    def __init__(self, output: IO[str], style: TimeStyle, known: Path | None = None) -> None:
        """`known`: a file with the ids of what was written, where the output cannot be read again."""
        self._output, self._style, self._known = output, style, known
        self._written: set[str] = set()
        self._notes: IO[str] | None = None
        self._is_ours = False
        self.count = 0
        if known is not None:
            self._written = {line.rstrip("\n") for line in _whole_lines(known)}
            self._notes = open(known, "a", encoding="utf-8")  # noqa: SIM115 - open as long as we write

    @classmethod
    def to_file(cls, path: Path, style: TimeStyle) -> Listing:
        """Detections into a file, behind those that are there: a line that a killed process left torn is cut off."""
        lines = _whole_lines(path)
        made = cls(open(path, "a", encoding="utf-8"), style)  # noqa: SIM115 - open as long as we write
        made._is_ours = True
        for line in lines:
            made._written.add(_id_of(line))
        return made

    def __call__(self, told: Sequence[Told]) -> None:
        """Writes what was told, unless it is there."""
        for each in told:
            one = each.detection
            if one.id in self._written:
                continue
            self._output.write(detection_line(one, self._style) + "\n")
            self._written.add(one.id)
            self.count += 1
            if self._notes is not None:
                self._notes.write(f"{one.id}\n")
        self._output.flush()
        if self._notes is not None:
            self._notes.flush()

    def close(self) -> None:
        """Closes what was opened here."""
        if self._notes is not None:
            self._notes.close()
        if self._is_ours:
            self._output.close()


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file; one that has no end is cut off."""
    if not path.exists():
        return []
    with open(path, "r+b") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)
            os.fsync(file.fileno())
    return data[:whole].decode().splitlines(keepends=True)


def _id_of(line: str) -> str:
    try:
        return str(msgspec.json.decode(line)["id"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return ""
