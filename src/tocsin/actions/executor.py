"""Actions at work, beside the monitor: a few at once, the others wait; what fails is said and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore, Lock

from tocsin.actions.configuration import Action, Configuration, Run
from tocsin.actions.programs import Failed, run_program
from tocsin.actions.templates import Unfilled, filled
from tocsin.actions.webhooks import call
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line

Say = Callable[[str], None]


class Actions:
    """What is done about detections. Calling it with one never fails, and never waits unless it `is_patient`:
    then what finds no room waits for it, which suits a file but not a monitor.

    Those of one detection and of several may overlap, unless one is done `at_once`: then they come in order.
    """

    def __init__(self, configuration: Configuration, style: TimeStyle, say: Say, *, is_patient: bool = False) -> None:
        self._configuration, self._style, self._say = configuration, style, say
        self._is_patient = is_patient
        self.counts: Counter[str] = Counter()
        """How many were `done`, have `failed`, or were `refused` because too many waited."""
        self._counting = Lock()
        self._room = BoundedSemaphore(configuration.at_once + configuration.waiting)
        self._workers = ThreadPoolExecutor(configuration.at_once, thread_name_prefix="action")

    def __call__(self, one: Detection) -> None:
        """Lets what is to be done about a detection be done."""
        for action in self._configuration.actions:
            if not action.is_about(one):
                continue
            if self._room.acquire(blocking=self._is_patient):
                self._workers.submit(self._do, action, one)
            else:
                self._note("refused", action, one, f"{self._configuration.waiting} wait already")

    def _do(self, action: Action, one: Detection) -> None:
        try:
            body = detection_line(one, self._style)
            if isinstance(action.does, Run):
                words = [filled(pieces, one, self._style) for pieces in action.does.words]
                run_program(words, body + "\n", action.does.seconds)
            else:
                call(action.does, one.id, body.encode())
        except (Failed, Unfilled) as error:
            self._note("failed", action, one, str(error))
        except Exception as error:  # noqa: BLE001 - whatever it is, the monitor goes on and the failure is told
            self._note("failed", action, one, f"{type(error).__name__}: {error}")
        else:
            self._note("done", action, one)
        finally:
            self._room.release()

    def _note(self, how: str, action: Action, one: Detection, why: str = "") -> None:
        with self._counting:
            self.counts[how] += 1
        if why:
            text = f"action {how}: {action.does}, for {one.type} of rule {one.rule}: {why}"
            self._say(
                "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)
            )

    def close(self) -> None:
        """Waits until all is done."""
        self._workers.shutdown(wait=True)

    def summary(self) -> str:
        """How many were done, and how many were not."""
        parts = [f"{self.counts['done']} actions done"]
        parts += [f"{self.counts[how]} {how}" for how in ("failed", "refused") if self.counts[how]]
        return ", ".join(parts)
