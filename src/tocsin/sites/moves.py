"""Parts that move from one site to another while events flow, with what they remember (001 section 6.1).

    here     saves the part's state, goes on, and reports nothing more of its streams for now
    there    goes on from that state, takes the streams from where it was saved, and says when all of them come
    here     stops; whoever took the part's streams takes them there

Both run for a while, and give out the same, number by number: it depends on what happened alone. So nothing waits, and
whoever takes both takes each output once. With `stays`, both go on: that is a replica.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tocsin.sites.hosts import Host
from tocsin.sites.outboxes import COMING, HOLD, REQUESTS, Outbox
from tocsin.sites.parts import TOLD, part_of, part_record

if TYPE_CHECKING:
    from tocsin.sites.site import Site


class Moves:
    """The parts that are on their way from or to a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.leaving: dict[str, tuple[str, bool, list[str]]] = {}
        """Parts that another site takes over: which, whether they stay here too, and the streams that are held."""
        self.coming: dict[str, tuple[str, set[str]]] = {}
        """Parts that come here: where from, and which of their streams do not come yet."""

    def asked_to(self, record: list[Any], sender: str) -> None:
        """Another site, or a person, wants something moved."""
        match record:
            case ["move", key, to, stays]:
                self.move(key, to, stays=stays)
            case ["adopt", part, state, inputs, stays]:
                self._adopt(part, state, inputs, sender, stays=stays)
            case ["adopted", key]:
                self._adopted(key)
            case ["kept", key]:
                self._stays(key)
            case ["takers", stream, hold, takers]:
                self._take_over(stream, hold, takers)
            case ["moved", stream, to]:
                self._moved(stream, to)

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
                waits = links.outbox(stream).takers.get(COMING + to)
                links.joined(stream, COMING + to, way, taken if waits is None else min(taken, waits.reported))
                if to not in links.outbox(stream).takers:
                    links.joined(stream, to, way, taken)
                inputs[stream] = [site.name, way, taken]
            else:
                links.held_reports.setdefault(stream, inbox.following - 1)
                held.append(stream)
                inputs[stream] = [links.producers[stream], way, inbox.following - 1]
        boxes = {stream: self._box(stream, stays=stays) for stream in (key, key + TOLD)}
        self.leaving[key] = to, stays, held
        site.audit.note(site.now, "leaves", key, to, stays)
        # Written now: the part goes on, and its state is sent later.
        state = msgspec.msgpack.encode({"host": host.state(), "boxes": boxes})
        site.tell(to, ["adopt", part_record(host.part), state, inputs, stays])

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
        state: bytes,
        inputs: Mapping[str, list[Any]],
        sender: str,
        *,
        stays: bool,
    ) -> None:
        site, links = self._site, self._site.links
        part = part_of(record)
        if part.key in site.hosts:
            site.tell(sender, ["kept", part.key])  # one runs here already, which has given out what it has
            return
        site.forget_beginning(part.key)
        host = site.hosts[part.key] = Host(part)
        if stays:  # wanted here, whoever takes it
            site.kept.add(part.key)
        site.note_part("comes", part, sender)
        saved = msgspec.msgpack.decode(state)
        host.restore(saved["host"])
        self.coming[part.key] = sender, set(inputs)
        for stream, box in saved["boxes"].items():
            site.gone.pop(stream, None)
            self._give_out(stream, Outbox.restored(box), stays=stays)
        for stream, (producer, way, after) in inputs.items():
            site.ways[stream] = way
            site.follow(stream, part.key)
            if producer == site.name or site.is_given(stream):
                first, outputs = links.outbox(stream).after(after, links.outbox(stream).last)
                for number, output in enumerate(outputs, first):
                    host.offer(stream, number, output)
                site.connect(stream, part.key)
                self.is_coming(stream)
            else:
                inbox = links.expect(stream, producer, after + 1)
                inbox.go_back(after)
                site.tell(producer, ["take", stream, way, inbox.following - 1, None, None, inbox.turn])
        site.stir(part.key)
        for stream in (part.key, part.key + TOLD):
            site.begins_to_come(stream, None)

    def _give_out(self, stream: str, box: Outbox, *, stays: bool) -> None:
        """Goes on giving out a stream; who takes it here has taken some of it from where it was given out before."""
        site, links = self._site, self._site.links
        inbox = links.inboxes.get(stream)
        links.outboxes[stream] = box
        if stays:
            box.takers = {site.name: box.takers[site.name]} if site.name in box.takers else {}
        if inbox is not None:
            first, outputs = box.after(inbox.following - 1, box.last)
            for to, _, held in self.leaving.values():  # a part that takes it has left, and takes it from here there
                if stream in held:
                    box.join(COMING + to, REQUESTS, links.held_reports.get(stream, inbox.following - 1))
            links.forget(stream)
            site.came(stream, first, outputs)
            box.leave(site.name)
            self.is_coming(stream)
        else:
            links.producers.pop(stream, None)  # if it was asked for, and has not come yet: it comes from here
            box.leave(site.name)
        site.catch_up(stream)

    def is_coming(self, stream: str) -> None:
        """A stream comes: parts that have all of theirs now take over."""
        for key, (sender, missing) in list(self.coming.items()):
            missing.discard(stream)
            if not missing:
                del self.coming[key]
                self._site.audit.note(self._site.now, "came", key, sender)
                self._site.tell(sender, ["adopted", key])
                for each in (key, key + TOLD):
                    box = self._site.links.outbox(each)
                    for site in [site for site in box.takers if not box.holds(site)]:
                        self._site.tell(site, ["moved", each, self._site.name])

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
            takers = {name: [each.reported, each.way] for name, each in box.takers.items() if not box.holds(name)}
            if site.is_taken(stream):
                takers[site.name] = [box.last, site.ways.get(stream, REQUESTS)]
            site.tell(to, ["takers", stream, HOLD + site.name, takers])
            for taker in takers:
                if taker != site.name:
                    site.tell(taker, ["moved", stream, to])
            if site.is_taken(stream):
                links.expect(stream, to, box.last + 1)
                site.tell(to, ["take", stream, site.ways.get(stream, REQUESTS), box.last, None, None, 0])
        site.drop(key)

    def _released(self, key: str) -> tuple[str, bool]:
        """A part is on its way no more: what was held for that is not held any longer. Where it went, and how."""
        to, stays, held = self.leaving.pop(key)
        if to not in [other for other, _, _ in self.leaving.values()]:
            for box in self._site.links.outboxes.values():
                box.leave(COMING + to)
        still_held = {stream for _, _, others in self.leaving.values() for stream in others}
        for stream in held:
            if stream not in still_held:
                self._site.links.held_reports.pop(stream, None)
        return to, stays

    def _stays(self, key: str) -> None:
        """Where a part was to go there is one already: this one goes on here."""
        if key in self.leaving:
            to, stays = self._released(key)
            self._site.audit.note(self._site.now, "stays", key, to, stays)

    def _take_over(self, stream: str, hold: str, takers: Mapping[str, list[Any]]) -> None:
        """Who takes a stream that was moved here, and what of it: nothing has to be held for others any more."""
        site, links = self._site, self._site.links
        if stream in site.gone:
            site.tell(site.gone[stream], ["takers", stream, hold, dict(takers)])
            return
        to, stays, _ = self.leaving.get(stream.removesuffix(TOLD), ("", True, []))
        if not stays:  # it is on its way already, with what is held here
            site.tell(to, ["takers", stream, hold, {}])
        box = links.outbox(stream)
        for name, (reported, way) in takers.items():
            if name != site.name and name not in box.takers:
                links.joined(stream, name, way, reported)
        box.leave(hold)

    def _moved(self, stream: str, to: str) -> None:
        """A stream that is taken here comes from another site."""
        site, links = self._site, self._site.links
        inbox = links.inboxes.get(stream)
        if to == site.name:
            if inbox is None and site.is_given(stream):
                site.begins_to_come(stream, None)
            return
        if inbox is None and stream not in links.producers and not site.is_given(stream):
            site.tell(to, ["leave", stream])  # nobody takes it here any more
            return
        if inbox is None:
            if stream in links.producers:  # it was asked for, and has not come yet
                links.producers[stream] = to
                site.tell(to, ["take", stream, site.ways.get(stream, REQUESTS), None, None, None, 0])
            return
        links.producers[stream] = to
        site.tell(to, ["take", stream, site.ways.get(stream, REQUESTS), inbox.following - 1, None, None, inbox.turn])

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        coming = {key: [sender, sorted(missing)] for key, (sender, missing) in self.coming.items()}
        return {"leaving": {key: list(each) for key, each in self.leaving.items()}, "coming": coming}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self.leaving = {key: (to, stays, held) for key, (to, stays, held) in state["leaving"].items()}
        self.coming = {key: (sender, set(missing)) for key, (sender, missing) in state["coming"].items()}
