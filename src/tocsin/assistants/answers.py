"""The process that answers: a question a line on standard input, its answer a line on standard output, under limits."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from tocsin.assistants.fault_records import fault_records
from tocsin.assistants.limits import MOST_ANSWER
from tocsin.errors import TextError, TocsinError, UsageError

Answer = Callable[..., dict[str, Any]]

QUESTIONS: Final = {
    "check": "tools.rules:check",
    "explain": "tools.rules:explain",
    "translate": "tools.rules:translate",
    "test": "tools.cases:judged_cases",
    "why": "tools.runs:why",
    "backtest": "tools.runs:backtest",
    "outline": "editor.outlines:outline",
    "diagnose": "editor.diagnostics:diagnose",
    "hover": "editor.hovers:hover",
    "format": "editor.standard_form:in_standard_form",
    "sample": "editor.samples:sample",
}
"""Each question with the module and the function that answers it; imported when it is first asked."""

_GRACE: Final = 5
"""Seconds of CPU after which a process ends whose asker is gone and cannot end it."""


def answer_to(question: str) -> Answer:
    """The function that answers a question."""
    module, _, function = QUESTIONS[question].partition(":")
    found: Answer = getattr(import_module(f"tocsin.assistants.{module}"), function)
    return found


def answered(question: str, given: dict[str, Any]) -> dict[str, Any]:
    """The answer, or why there is none, as what is written."""
    try:
        answer = answer_to(question)(**given)
        if len(json.dumps(answer)) > MOST_ANSWER:
            raise UsageError(f"the answer has more than {MOST_ANSWER:,} characters: ask about fewer rules or events")
        return {"answer": answer}
    except TextError as error:
        return {"refused": str(error), "faults": fault_records(error.faults)}
    except TocsinError as error:
        return {"refused": str(error), "faults": []}
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return {"refused": f"{name}{error.strerror or error}", "faults": []}
    except RecursionError:
        return {"refused": "this nests too deeply", "faults": []}
    except MemoryError:
        return {"refused": "this needs more memory than there is for a question", "faults": [], "is_last": True}


def main() -> None:
    """Answers until nobody asks any more."""
    seconds, memory = float(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file can be written
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.dont_write_bytecode = True
    for line in sys.stdin.buffer:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + seconds) + _GRACE
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        asked = json.loads(line)
        answer = json.dumps(answered(asked["question"], asked["given"]), ensure_ascii=False)
        # What a text holds that is no character at all is shown as `?`.
        sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
