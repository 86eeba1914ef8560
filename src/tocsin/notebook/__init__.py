"""The page's timeline, graph and composer in a notebook, without a service: the kernel answers what they ask.

answers     what a service would answer, of rules and events in memory
widgets     the widgets, which need the extra `notebook`

from tocsin.notebook import Composer, Graph, Timeline
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tocsin.errors import MissingDependency

if TYPE_CHECKING:
    from tocsin.notebook.widgets import Composer, Graph, Timeline

__all__ = ["Composer", "Graph", "Timeline"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tocsin.notebook' has no attribute '{name}'")
    try:
        from tocsin.notebook import widgets
    except ImportError as error:
        raise MissingDependency("anywidget", "notebook") from error
    return getattr(widgets, name)
