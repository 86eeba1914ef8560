"""Parts that move from one site to another while events flow, with what they remember (001 section 6.1).

    here     takes a picture of the part, goes on, and keeps what came since of its streams; sends the picture in pieces
    there    goes on from that, takes the streams from where it was taken, and says when it has caught up
    here     stops; whoever took the part's streams takes them there

Both run for a while, and give out the same, number by number: it depends on what happened alone. So nothing waits, and
whoever takes both takes each output once. With `stays`, both go on: that is a replica.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tocsin.sites.hosts import Host
from tocsin.sites.inboxes import Inbox
from tocsin.sites.outboxes import COMING, HOLD, REQUESTS, Outbox, hold_of
from tocsin.sites.parts import TOLD, part_of, part_record

if TYPE_CHECKING:
    from tocsin.sites.site import Site


PIECE: Final = 1 << 18
"""Bytes of a picture that go together."""
PIECES: Final = 4
"""So many go with each tick: what else is to be sent does not wait for a picture."""
CLOSE: Final = 256
"""Outputs: a part that was so little behind has caught up with the one that it takes over from."""
ROUNDS: Final = 20
"""So often it is looked how far that one has got; then it is taken over as it is."""


@dataclass
class Leaving:
    """A part that another site takes over."""

    to: str
    stays: bool
    """Whether it stays here, too."""
    held: list[str]
    """The streams of others of which nothing is reported."""
    inputs: dict[str, list[Any]]
    """What the part takes: where from, how it is asked, and what of it is in the picture."""
    picture: bytes | None = None
    sent: int = 0
    """Bytes of the picture."""

    @property
    def is_sent(self) -> bool:
        """Whether it is on its way as a whole."""
        return self.picture is None and self.sent > 0


@dataclass
class Coming:
    """A part that comes here."""

    sender: str
    missing: set[str]
    """Its streams that do not come yet."""
    ahead: dict[str, int] | None = None
    """How much of them it had taken where it comes from, when that was asked last."""
    is_close: bool = False
    """Whether it was little behind then."""
    rounds: int = 0
    is_asking: bool = False


@dataclass
class Moves:
    """The parts that are on their way from or to a site."""

    _site: Site
    leaving: dict[str, Leaving] = field(default_factory=dict)
    coming: dict[str, Coming] = field(default_factory=dict)
    pieces: dict[str, list[bytes]] = field(default_factory=dict)
    """What has come so far of pictures, by the site and the part."""

    def asked_to(self, record: list[Any], sender: str) -> None:
        """Another site, or a person, wants something moved."""
        match record:
            case ["move", key, to, stays]:
                self.move(key, to, stays=stays)
            case ["piece", key, piece]:
                self.pieces.setdefault(f"{sender}/{key}", []).append(piece)
            case ["adopt", part, inputs, stays, holds]:
                self._adopt(part, inputs, holds, sender, stays=stays)
            case ["near", key]:
                host = self._site.hosts.get(key) if key in self.leaving else None
                self._site.tell(sender, ["ahead", key, {} if host is None else dict(host.took)])
            case ["ahead", key, took]:
                self._is_ahead(key, took)
            case ["adopted", key]:
                self._adopted(key)
            case ["kept", key]:
                self._stays(key)
            case ["takers", stream, hold, takers]:
                self._take_over(stream, hold, takers)
            case ["moved", stream, to]:
                self._moved(stream, to)

    def concern(self, key: str) -> bool:
        """Whether a part is on its way from here or to here."""
        return key in self.leaving or key in self.coming

    def move(self, key: str, to: str, *, stays: bool = False) -> None:
        """Begins to move a part that is at work here."""
        site = self._site
        if key not in site.hosts or key in self.leaving or key in self.coming or to == site.name:
            return
        host, links = site.hosts[key], site.links
        inputs: dict[str, list[Any]] = {}
        held: list[str] = []
        for stream in host.part.inputs:
            way = site.ways.get(stream, REQUESTS)
            inbox = links.inboxes.get(stream)
            if inbox is None:
                taken = host.took.get(stream, links.outbox(stream).last)
                links.joined(stream, hold_of(site.name, key), way, taken)
                inputs[stream] = [site.name, way, taken, site.filters.get(stream)]
            else:
                links.held_reports.setdefault(stream, inbox.following - 1)
                held.append(stream)
                inputs[stream] = [links.producers[stream], way, inbox.following - 1, site.filters.get(stream)]
        self.leaving[key] = Leaving(to, stays, held, inputs)
        site.audit.note(site.now, "leaves", key, to, stays)
        site.portray(key, partial(self._picture, key, stays=stays))

    def _picture(self, key: str, *, stays: bool) -> bytes:
        """All that a part is at this moment, and what its streams are."""
        boxes = {stream: self._box(stream, stays=stays) for stream in (key, key + TOLD)}
        return msgspec.msgpack.encode({"host": self._site.hosts[key].state(), "boxes": boxes})

    def portrayed(self, key: str, picture: bytes | None) -> None:
        """The picture of a part is there: from now on it is on its way. Without one it stays."""
        if picture is None:
            self._stays(key)
        elif key in self.leaving:
            self.leaving[key].picture = picture
            self._send_some(key, self.leaving[key])

    def go_on(self) -> None:
        """Time has passed: more of the pictures is sent."""
        for key, leaving in self.leaving.items():
            self._send_some(key, leaving)

    def _send_some(self, key: str, leaving: Leaving) -> None:
        site, picture = self._site, leaving.picture
        if picture is None or key not in site.hosts:
            return
        for _ in range(PIECES):
            site.tell(leaving.to, ["piece", key, picture[leaving.sent : leaving.sent + PIECE]])
            leaving.sent += PIECE
            if leaving.sent >= len(picture):
                leaving.picture = None
                boxes = {stream: site.links.outbox(stream) for stream in (key, key + TOLD)}
                holds = {stream: list(filter(box.holds, box.takers)) for stream, box in boxes.items()}
                part = part_record(site.hosts[key].part)
                site.tell(leaving.to, ["adopt", part, leaving.inputs, leaving.stays, holds])
                return

    def _box(self, stream: str, *, stays: bool) -> dict[str, Any]:
        """A stream as it is given out so far. What follows is kept there until it is known who takes it here."""
        box = self._site.links.outbox(stream)
        state = box.state()
        if not stays:
            state["takers"] = state["takers"] | {HOLD + self._site.name: [box.last, REQUESTS, 0]}
        return state

    def _adopt(
        self,
        record: Mapping[str, Any],
        inputs: Mapping[str, list[Any]],
        holds: Mapping[str, Sequence[str]],
        sender: str,
        *,
        stays: bool,
    ) -> None:
        site, links = self._site, self._site.links
        part = part_of(record)
        state = b"".join(self.pieces.pop(f"{sender}/{part.key}", []))
        saved = msgspec.msgpack.decode(state)
        is_here = part.key in site.hosts  # ... already, and has given out what it has
        lacks_outputs = any(self._lacks(stream, box) for stream, box in saved["boxes"].items())
        if is_here or lacks_outputs or any(self._lacks_input(stream, told) for stream, told in inputs.items()):
            site.tell(sender, ["kept", part.key])
            return
        site.forget_beginning(part.key)
        host = site.hosts[part.key] = Host(part)
        if stays:  # wanted here, whoever takes it
            site.kept.add(part.key)
        site.note_part("comes", part, sender)
        host.restore(saved["host"])
        self.coming[part.key] = Coming(sender, set(inputs))
        for stream, box in saved["boxes"].items():
            site.gone.pop(stream, None)
            restored = Outbox.restored(box)
            for taker in list(filter(restored.holds, restored.takers)):
                if taker not in (*holds[stream], HOLD + sender):  # nobody needs that any more
                    restored.leave(taker)
            self._give_out(stream, restored, stays=stays)
        for stream, (producer, way, after, filtering) in inputs.items():
            site.ways[stream] = way
            if filtering is not None:
                site.filters[stream] = filtering
            site.follow(stream, part.key)
            if producer == site.name and not site.is_given(stream):  # it has left meanwhile
                producer = site.gone.get(stream, producer)
            if producer == site.name or site.is_given(stream):
                first, outputs = links.outbox(stream).after(after, links.outbox(stream).last)
                for number, output in enumerate(outputs, first):
                    host.offer(stream, number, output)
                site.connect(stream, part.key)
                self.is_coming(stream)
            else:
                inbox = links.expect(stream, producer, after + 1)
                inbox.go_back(after)
                if inbox.frontier is not None:  # it comes here already, for others
                    host.reach(stream, inbox.frontier)
                self._go_on_with(stream, producer, inbox)
        site.stir(part.key)
        for stream in (part.key, part.key + TOLD):
            site.begins_to_come(stream, None)

    def _lacks(self, stream: str, box: Mapping[str, Any]) -> bool:
        """Whether outputs have not come here that a replica keeps no more: they come from where it was copied."""
        inbox = self._site.links.inboxes.get(stream)
        return inbox is not None and inbox.following <= box["last"] - len(box["kept"])

    def _lacks_input(self, stream: str, told: list[Any]) -> bool:
        """Whether a replica here gives out what the part takes, and keeps no more what that has not taken."""
        _, _, after, _ = told
        return self._site.is_given(stream) and not self._site.links.outbox(stream).keeps(after)

    def _go_on_with(self, stream: str, producer: str, inbox: Inbox) -> None:
        """Takes a stream from somebody else; what is held for a part that leaves is to be kept there, too."""
        links = self._site.links
        after = min(inbox.following - 1, links.held_reports.get(stream, inbox.following))
        way = self._site.ways.get(stream, REQUESTS)
        self._site.tell(producer, ["take", stream, way, after, None, None, inbox.turn])

    def _give_out(self, stream: str, box: Outbox, *, stays: bool) -> None:
        """Goes on giving out a stream; who takes it here has taken some of it from where it was given out before."""
        site, links = self._site, self._site.links
        inbox = links.inboxes.get(stream)
        links.outboxes[stream] = box
        if stays:
            box.takers = {site.name: box.takers[site.name]} if site.name in box.takers else {}
        if inbox is not None:
            first, outputs = box.after(inbox.following - 1, box.last)
            for key, each in self.leaving.items():  # a part that takes it has left, and takes it from here there
                if stream in each.held:
                    after = links.held_reports.get(stream, inbox.following - 1)
                    hold = hold_of(site.name, key)
                    box.join(hold, REQUESTS, after)
                    site.tell(links.producers[stream], ["takers", stream, "", {hold: [after, REQUESTS]}])
            site.part_from(stream)
            site.came(stream, first, outputs)
            box.leave(site.name)
            self.is_coming(stream)
        else:
            site.part_from(stream)  # if it was asked for, and has not come yet: it comes from here
            box.leave(site.name)
        site.catch_up(stream)

    def is_coming(self, stream: str) -> None:
        """A stream comes: parts that have all of theirs now take over when they have caught up."""
        for key, coming in list(self.coming.items()):
            coming.missing.discard(stream)
            self.got_on(key)

    def got_on(self, key: str) -> None:
        """A part that comes here may have caught up with where it comes from; that one goes on meanwhile."""
        coming, host = self.coming[key], self._site.hosts[key]
        if coming.missing or coming.is_asking:
            return
        if coming.ahead is None:
            self._look(key, coming)
        elif all(host.took.get(stream, 0) >= number for stream, number in coming.ahead.items()):
            if coming.is_close or coming.rounds >= ROUNDS:
                self._has_come(key, coming)
            else:
                self._look(key, coming)

    def _look(self, key: str, coming: Coming) -> None:
        coming.is_asking = True
        coming.rounds += 1
        self._site.tell(coming.sender, ["near", key])

    def _is_ahead(self, key: str, took: dict[str, int]) -> None:
        coming = self.coming.get(key)
        if coming is not None:
            behind = self._site.hosts[key].took
            coming.is_asking, coming.ahead = False, took
            coming.is_close = sum(max(took[each] - behind.get(each, 0), 0) for each in took) <= CLOSE
            self.got_on(key)

    def _has_come(self, key: str, coming: Coming) -> None:
        site = self._site
        del self.coming[key]
        site.audit.note(site.now, "came", key, coming.sender)
        site.tell(coming.sender, ["adopted", key])
        for each in (key, key + TOLD):
            box = site.links.outbox(each)
            for taker in [taker for taker in box.takers if not box.holds(taker)]:
                site.tell(taker, ["moved", each, site.name])

    def lost(self, other: str) -> None:
        """A site has begun anew: what was to go there stays here, and what came from there goes on as it is."""
        for name in [name for name in self.pieces if name.startswith(f"{other}/")]:
            del self.pieces[name]
        for key in [key for key, leaving in self.leaving.items() if leaving.to == other]:
            self._stays(key)
        for key, coming in list(self.coming.items()):
            if coming.sender == other and not coming.missing:
                self._has_come(key, coming)

    def _adopted(self, key: str) -> None:
        if key not in self.leaving:
            return
        site, links = self._site, self._site.links
        to, stays = self._released(key)
        site.audit.note(site.now, "left", key, to, stays)
        if stays:
            return
        for stream in (key, key + TOLD):
            box = links.outbox(stream)
            site.gone[stream] = to
            takers = {name: [each.reported, each.way] for name, each in box.takers.items() if self._goes_along(name)}
            if site.is_taken(stream):
                takers[site.name] = [box.last, site.ways.get(stream, REQUESTS)]
            site.tell(to, ["takers", stream, HOLD + site.name, takers])
            for taker in takers:
                if taker != site.name and not box.holds(taker):
                    site.tell(taker, ["moved", stream, to])
            if site.is_taken(stream):
                links.expect(stream, to, box.last + 1)
                site.tell(to, ["take", stream, site.ways.get(stream, REQUESTS), box.last, None, None, 0])
        site.drop(key)

    def _released(self, key: str) -> tuple[str, bool]:
        """A part is on its way no more: what was held for that is not held any longer. Where it went, and how."""
        site, left = self._site, self.leaving.pop(key)
        hold = hold_of(site.name, key)
        for stream, (producer, *_) in left.inputs.items():
            self._let_loose(stream, hold)
            if producer != site.name:
                site.tell(producer, ["takers", stream, hold, {}])
        still_held = {stream for other in self.leaving.values() for stream in other.held}
        for stream in left.held:
            if stream not in still_held:
                site.links.report_freely(stream)
        return left.to, left.stays

    def _let_loose(self, stream: str, hold: str) -> None:
        """Nothing of a stream has to be kept any more for whom it was held, here nor where it has gone."""
        site, leaving = self._site, self.leaving.get(stream.removesuffix(TOLD))
        if stream in site.links.outboxes:
            site.links.outboxes[stream].leave(hold)
        is_on_its_way = leaving is not None and leaving.is_sent and not leaving.stays
        to = leaving.to if leaving is not None and is_on_its_way else site.gone.get(stream)
        if to is not None:
            site.tell(to, ["takers", stream, hold, {}])

    def _goes_along(self, taker: str) -> bool:
        """Whether a taker of a stream that goes elsewhere goes with it: all but who holds it while it moves."""
        return taker.startswith(COMING) or not taker.startswith(HOLD)

    def _stays(self, key: str) -> None:
        """Where a part was to go there is one already, or nobody any more: this one goes on here."""
        if key in self.leaving:
            to, stays = self._released(key)
            self._site.audit.note(self._site.now, "stays", key, to, stays)

    def _take_over(self, stream: str, hold: str, takers: Mapping[str, list[Any]]) -> None:
        """Who takes a stream that was moved here, and what of it: nothing has to be held for others any more."""
        site, links = self._site, self._site.links
        if stream in site.gone:
            site.tell(site.gone[stream], ["takers", stream, hold, dict(takers)])
            return
        if site.is_given(stream):
            box = links.outbox(stream)
            for name, (reported, way) in takers.items():
                if name != site.name and name not in box.takers:
                    links.joined(stream, name, way, reported)
            self._let_loose(stream, hold)

    def _moved(self, stream: str, to: str) -> None:
        """A stream that is taken here comes from another site."""
        site, links = self._site, self._site.links
        inbox = links.inboxes.get(stream)
        if to == site.name:
            if inbox is None and site.is_given(stream):
                site.begins_to_come(stream, None)
            return
        if stream not in links.producers:
            site.tell(to, ["leave", stream])  # nobody takes it here any more, or not from elsewhere
            return
        links.producers[stream] = to
        if inbox is None:  # it was asked for, and has not come yet
            site.tell(to, ["take", stream, site.ways.get(stream, REQUESTS), None, None, None, 0])
        else:
            self._go_on_with(stream, to, inbox)

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        state = {"leaving": self.leaving, "coming": self.coming, "pieces": self.pieces}
        plain: dict[str, Any] = msgspec.to_builtins(state, builtin_types=(bytes,))
        return plain

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self.leaving = {key: Leaving(**each) for key, each in state["leaving"].items()}
        self.coming = {key: Coming(**each | {"missing": set(each["missing"])}) for key, each in state["coming"].items()}
        self.pieces = dict(state["pieces"])
