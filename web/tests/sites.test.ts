import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST, blockedOf, drawn, hopsOf, lasting, sitesOf, type SiteMap, type Trail } from '../src/lib/sites';

function mapOf(count: number, ways: [number, number][], silent: number[] = []): SiteMap {
  const name = (at: number) => `s${at % count}`;
  return {
    broker: '', trouble: '', parts: [], blocked: [], sources: [], detections: [],
    sites: Array.from({ length: count }, (_, at) => ({
      site: name(at), is_silent: silent.includes(at), heard: null, precision: null, sources: 0, parts: 0, clock: null,
    })),
    links: ways.map(([site, to]) => ({ site: name(site), to: name(to), messages: 1, bytes: 10, rate: null, bytes_rate: null })),
    streams: ways.map(([site, to]) => ({ stream: `${name(site)}/a`, site: name(site), to: name(to), part: 'p' })),
  };
}

const maps = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 80 }), fc.array(fc.nat(59)))
  .map(([count, ways, silent]) => mapOf(count, ways, silent));

test('every site stands in one box, and no two boxes on one another, whatever flows where', () => {
  fc.assert(
    fc.property(maps, fc.integer({ min: 320, max: 2500 }), (map, width) => {
      const plan = drawn(map, width);
      expect(plan.boxes.flatMap((box) => box.sites.map((each) => each.site)).sort()).toEqual(map.sites.map((each) => each.site).sort());
      for (const [at, one] of plan.boxes.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(-0.01);
        expect(one.x + one.width).toBeLessThanOrEqual(width + 0.01);
        expect(one.y + one.height).toBeLessThanOrEqual(plan.height + 0.01);
        for (const other of plan.boxes.slice(at + 1)) {
          const apart = one.x + one.width <= other.x + 0.01 || other.x + other.width <= one.x + 0.01 || one.y + one.height <= other.y + 0.01 || other.y + other.height <= one.y + 0.01;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});

test('what flows between two sites is one pipe, with what the links sent', () => {
  fc.assert(
    fc.property(maps, (map) => {
      const plan = drawn(map, 1200);
      fc.pre(!plan.isGrouped);
      const ways = new Set(map.streams.filter((each) => each.site !== each.to).map((each) => `${each.site} ${each.to}`));
      expect(plan.pipes.map((pipe) => `${pipe.from.id} ${pipe.to.id}`).sort()).toEqual([...ways].sort());
      for (const pipe of plan.pipes) expect(pipe.bytes).toBeGreaterThan(0);
    }),
  );
});

test('many sites that give to the same are one, but not those that are silent', () => {
  const map = mapOf(100, Array.from({ length: 99 }, (_, at) => [at + 1, 0]), [7, 8]);
  const plan = drawn(map, 1200);
  expect(plan.isGrouped).toBe(true);
  expect(plan.boxes.map((box) => box.sites.length).sort()).toEqual([1, 2, 97].sort());
  expect(plan.boxes.length).toBeLessThanOrEqual(MOST);
  expect(drawn(map, 1200, 's7').boxes.map((box) => box.id)).toEqual(['s0', 's7']);
});

test('what waits for a moment is not told as blocked, unless it waits for somebody who is silent', () => {
  const map = mapOf(3, [[0, 2], [1, 2]], [1]);
  const waits = (on: string, time: number) => ({ rules: ['r'], part: 'p', site: 's2', stream: '', since: 0, for: time, waits_for: on, why: '' });
  map.blocked = [waits('s0', 500), waits('s0', 2_000_000), waits('s1', 500)];
  expect(blockedOf(map).map((each) => each.for)).toEqual([500, 2_000_000]);
  expect(drawn(map, 1200).pipes.map((pipe) => pipe.blocked.length)).toEqual([1, 1]);
});

test('a way goes over the sites of its passages and of its events', () => {
  const by = (giver: string, taker: string) => ({ stream: 's', giver, taker, delay: 1, error: 0 });
  const event = { type: 'a', source: 's', id: '1', end: 0, site: 'gate' };
  const trail = {
    detection: { id: 'd', rule: 'r', start_us: 0, time_us: 0 }, told: [by('office', 'desk')], silent: [],
    trail: { part: 'p', role: 'rule', rules: ['r'], site: 'office', from: [{ event, by: by('gate', 'gate') }, { part: 'j', role: 'join', rules: [], site: 'roof', from: [], by: by('roof', 'office') }] },
  } as unknown as Trail;
  expect(hopsOf(trail).map((each) => `${each.giver} ${each.taker}`)).toEqual(['roof office', 'office desk']);
  expect([...sitesOf(trail)].sort()).toEqual(['desk', 'gate', 'office', 'roof']);
});

test('lengths of time are short', () => {
  expect([12, 3_400, 2_000_000, 90e6, 7.2e9].map(lasting)).toEqual(['12 µs', '3.4 ms', '2 s', '1.5 min', '2 h']);
});
