"""Why a rule fired, or did not: its constituents and what let them through, or the nearest misses and what they failed.

A *candidate* is an event in every place of a pattern, for one choice among its alternatives. It is judged at the moment
at which it would be complete, by every *constraint* of the rule alone: guards, orders, absences, windows, and what the
run adds. A detection is a candidate that fails nothing. The *nearest misses* fail the fewest.

    trace      a run, watched: what the rules were shown, fired for, used up
    choices    a pattern's alternatives told apart, with numbered places      frames   events in those places
    memory     what a rule could see at a moment
    constraints, judgements, consumption      what is asked of a candidate, by the pattern and by the run
    nearest    the search for the candidates that fail least                  runs     the same for automata
    holdings   what the parts of rules hold while events come, and what becomes of it
    records    what is told      answers   to whom      presentation, picture, words   and how
"""

from __future__ import annotations

from tocsin.reasons.answers import Question, ask
from tocsin.reasons.presentation import Why
from tocsin.reasons.records import Answer, Constituent, Fired, Miss, Verdict

__all__ = ["Answer", "Constituent", "Fired", "Miss", "Question", "Verdict", "Why", "ask"]
