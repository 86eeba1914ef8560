"""What a translation is: a text, and what its reader must know."""

from __future__ import annotations

from typing import NamedTuple

from tocsin.errors import Fault


class Text(NamedTuple):
    """The text of a rules file, and remarks. Where nothing is refused or remarked on, it is exact."""

    text: str
    remarks: tuple[str, ...] = ()
    refused: tuple[Fault, ...] = ()
    """Why rules are left out, where others are not to suffer for it."""
