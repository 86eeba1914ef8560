"""Rules proposed from examples: events that belong together, and some that do not.

    shapes      what a proposed rule is made of, and its text
    traits      what examples have in common, and what tells them from those that do not belong together
    trials      proposals run over the events, and ranked

It is a small search, and says so: it looks at the types, their order, the time they take, equal attributes, values,
thresholds and absences that the examples show, tries at most `MOST_TRIED` rules made of them, and tells of each what it
would have fired on. What it did not try, it does not guess.
"""

from __future__ import annotations

from tocsin.proposals.trials import MOST_EVENTS, MOST_TRIED, Examples, Proposal, Proposals, propose

__all__ = ["MOST_EVENTS", "MOST_TRIED", "Examples", "Proposal", "Proposals", "propose"]
