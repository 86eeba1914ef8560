"""W10: rules about texts, which are public Sigma rules, over made-up starts of processes.

The collection is not a part of this project: `--sigma DIR` says where its files are, as
`sigma/rules/windows/process_creation`. What must be found is what the guards themselves say, asked one by one of some
of the events.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Named, Primitive
from tocsin.algebra.rules import Rule
from tocsin.algebra.values import Surroundings, holds
from tocsin.bench.columns import Matches, is_compiled, prepared, taken
from tocsin.bench.measurement import best_prepared
from tocsin.bench.records import Record, Target
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.firings import MOST_BRANCHES
from tocsin.engine.network.network import Network
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.values import ObjectValues
from tocsin.errors import TextError, UsageError
from tocsin.events import Event
from tocsin.rules.loader import load_file
from tocsin.rules.sigma_detections import EVENT

TEXTS = ("W10", "W10-one")
KIND = "windows_process_creation"
"""The type of events that rules for Windows' starts of processes are about."""
EVENTS, ASKED = 40_000, 200
"""Events that are measured, and those of them of which the guards are asked."""
BATCH = 2_000
APART = 1_000
"""Microseconds from one event to the next."""
PROGRAMS = (
    r"C:\Windows\System32\cmd.exe",
    r"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe",
    r"C:\Windows\System32\rundll32.exe",
    r"C:\Windows\System32\regsvr32.exe",
    r"C:\Windows\System32\mshta.exe",
    r"C:\Windows\System32\wscript.exe",
    r"C:\Windows\System32\certutil.exe",
    r"C:\Windows\System32\schtasks.exe",
    r"C:\Windows\System32\net.exe",
    r"C:\Windows\System32\reg.exe",
    r"C:\Windows\System32\svchost.exe",
    r"C:\Windows\explorer.exe",
    r"C:\Program Files\Microsoft Office\root\Office16\WINWORD.EXE",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Tools\notepad++.exe",
)
WORDS = (
    *("-enc", "-nop", "/c", "-w", "hidden", "/all", "user", "/add", "delete", "shadows", "/create", "/tn", "start"),
    *("save", "-decode", "-urlcache", "report.docx", "10.0.0.5", "administrator", "query", "--version", "backup.log"),
    *(r"C:\Users\Public\a.dll,Start", "http://198.51.100.7/a.ps1", "sekurlsa::logonpasswords"),
)
"""What attackers type, and others do, too."""
USERS = ("DESK-7\\bob", "DESK-7\\alice", "NT AUTHORITY\\SYSTEM")


def sigma_rules(folder: Path) -> tuple[list[Rule], int]:
    """The rules of a folder of Sigma files that are about starts of processes, and how many files cannot be read."""
    files = sorted(folder.rglob("*.yml"))
    if not files:
        raise UsageError(f"there are no Sigma files in {folder}")
    found: list[Rule] = []
    unread = 0
    for file in files:
        try:
            found += [rule for rule in load_file(file).rules if _is_about_starts(rule)]
        except TextError:
            unread += 1
    return found, unread


def measure_texts(name: str, folder: Path, scale: float, tries: int) -> Record:
    """All rules of a folder at once, or the first of them."""
    rules, unread = sigma_rules(folder)
    some, target = (rules, Target(20)) if name == "W10" else (rules[:1], Target(500))
    return texts(name, some, target, scale, tries, {"files not read": unread})


def process_starts(count: int, seed: int = 7) -> list[dict[str, object]]:
    """The attributes of so many starts of processes."""
    chance = random.Random(seed)
    found: list[dict[str, object]] = []
    for _ in range(count):
        image = chance.choice(PROGRAMS)
        name = image.rsplit("\\", 1)[1]
        words = [chance.choice(WORDS) for _ in range(chance.randint(1, 6))]
        found.append(
            {
                "Image": image,
                "ParentImage": chance.choice(PROGRAMS),
                "CommandLine": " ".join([name, *words]),
                "OriginalFileName": name,
                "CurrentDirectory": "C:\\Windows\\System32\\",
                "User": chance.choice(USERS),
                "IntegrityLevel": chance.choice(("High", "Medium", "System")),
            }
        )
    return found


def texts(
    name: str, rules: list[Rule], target: Target, scale: float, tries: int, more: dict[str, float] | None = None
) -> Record:
    """Rules over starts of processes: events a CPU-second, and whether the guards say the same of some of them."""
    events = process_starts(max(ASKED, round(EVENTS * scale)))
    seconds, found = best_prepared(lambda: partial(_run, prepared(rules), batches(events)), tries)
    matches = sorted(_named(found))
    wanted = sorted((rule.name, place) for place, data in enumerate(events[:ASKED]) for rule in _true_of(rules, data))
    return Record(
        name,
        len(events),
        len(matches),
        sum(place for _, place in matches),
        seconds,
        len(events) / seconds / 1e3,
        "thousand events/CPU-s",
        target,
        [match for match in matches if match[1] < ASKED] == wanted,
        is_compiled(),
        {"rules": len(rules), "events that match": len({place for _, place in matches})} | (more or {}),
    )


def batches(events: list[dict[str, object]]) -> list[Batch]:
    """The events as columns of Python's texts."""
    found = []
    for first in range(0, len(events), BATCH):
        some = events[first : first + BATCH]
        times = b"".join(((first + place) * APART).to_bytes(8, "little") for place in range(len(some)))
        columns = {name: ObjectValues([event[name] for event in some]) for name in some[0]}
        found.append(Batch(len(some), [KIND], bytes(8 * len(some)), times, columns=dict(columns)))
    return found


def _run(network: Network, some: list[Batch]) -> Matches:
    found: Matches = []
    for batch in some:
        network.process(batch)
        found += taken(network)
    return found


def _named(found: Matches) -> list[tuple[str, int]]:
    """For each match and each rule that it holds for: the rule, and the place of the event."""
    named = []
    for firing, rows in found:
        for selected, number in zip(rows[:, 0] // int(MOST_BRANCHES), rows[:, -1], strict=True):
            chosen = firing.members[selected - 1 : selected] if firing.is_equal else firing.members[:selected]
            named += [(rule.name, int(number) // int(SPREAD) - 1) for rules in chosen for rule in rules]
    return named


def _true_of(rules: list[Rule], data: dict[str, object]) -> list[Rule]:
    event = Event(KIND, 0, 0, "1", "", data, 0)
    one = Occurrence(0, 0, (event,))
    return [rule for rule in rules if holds(rule.condition, {EVENT: one}, Surroundings())]


def _is_about_starts(rule: Rule) -> bool:
    """Whether a rule is about a single start of a process."""
    return isinstance(rule.pattern, Named) and rule.pattern.pattern == Primitive(KIND)
