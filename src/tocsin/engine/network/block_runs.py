"""A block of events that all come in by one gate, for one rule that looks for runs: taken in one loop.

Most arrivals end no run. That is told by a few rows back along the links of their group, so they are linked and looked
at right here; only what may end a run starts the search, which looks again and properly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.arena import BEFORE, END, NUMBER, UsedChain
from tocsin.engine.network.gates import SAMPLED, Gate, Root
from tocsin.engine.network.streaks import Streaks

if TYPE_CHECKING:
    from tocsin.engine.network.network import Network


def sole_run(gate: Gate) -> Streaks | None:
    """The search for runs that is all that arrivals at a gate are for; nothing if there is more to do."""
    root, linker = gate.in_order, gate.linker
    if root is None or root.next_in_order is not None or root.delay > 0:
        return None
    if linker is None or linker.also is not None or linker.test is not None or gate.firing is not None:
        return None
    step = root.child
    if not isinstance(step, Streaks) or step.sibling is not None or not step.is_quick:
        return None
    chain = step.chain
    if chain is not linker.chain or chain.keys is None or chain.links_itself or chain.is_late_only:
        return None
    if isinstance(chain, UsedChain):
        return None  # it is linked both ways
    return step


def arrive_in_a_row(network: Network, gate: Gate, step: Streaks, arrivals: bytes, places: vec[i64], count: i64) -> None:
    """Lets the events of a block arrive, one after the other, as `Network.take` would."""
    s, arena, chain, root = network.search, gate.arena, step.chain, gate.in_order
    assert root is not None
    assert chain.keys is not None
    slots, heads, links, mask = chain.keys.values, chain.heads, chain.links, arena.mask
    ends, numbers, width, newest = arena.ends, arena.numbers, heads.width, chain.newest
    now, shortest = s.now, gate.shortest
    at: i64 = 0
    while at < count:
        arrival = read_i64_le(arrivals, places[at] * 8)
        at += 1
        if arrival > now:
            now = arrival
        if s.next_key <= now * 2:
            network.advance(now)
        s.now = now
        row = gate.next
        gate.next = row + 1
        place = row & mask
        end, slot = ends[place], slots[place]
        head_at = slot * width + newest
        if (
            end < network.latest
            or end < chain.latest
            or end < now - shortest
            or head_at >= len(heads.rows)
            or slot < 0
            or (s.turn + 1) & SAMPLED == 0
        ):
            s.settled, s.clock = now - 1, now
            network.take(gate, row)
            continue
        network.latest = chain.latest = end
        arena.arrived = row + 1
        s.turn += 1
        link = place * 4
        links[link + END] = end
        links[link + NUMBER] = numbers[place]
        links[link + BEFORE] = heads.rows[head_at]
        heads.rows[head_at] = row
        if _may_end_a_run(step, root, row, end, now):
            s.settled, s.clock = now - 1, now
            s.rows[0] = row
            s.numbers[0] = s.arrival = numbers[place]
            s.end, s.start = end, arena.starts[place]
            root.run(s)
            if network.touched:
                network.end_turn()
    s.settled, s.clock = s.now - 1, s.now


def _may_end_a_run(step: Streaks, root: Root, row: i64, end: i64, now: i64) -> bool:
    """Whether there are enough rows before the newest one of a group that are no older than a run may be."""
    arena, length = step.arena, step.row.length
    floor = now - root.length if root.length >= 0 else root.firing.low(now)
    if length >= 0 and end - length > floor:
        floor = end - length
    links, mask, head, since = step.chain.links, arena.mask, arena.head, root.since
    missing = step.row.count
    while row >= head:
        at = (row & mask) * 4
        if links[at + END] < floor:
            return False
        if links[at + NUMBER] >= since:
            missing -= 1
            if missing == 0:
                return True
        row = links[at + BEFORE]
    return False
