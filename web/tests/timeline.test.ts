import { expect, test } from 'vitest';
import type { EventRecord } from '../src/lib/records';
import { Frames } from '../src/lib/stream';
import { columns, lanesOf, placeOf, ticks, zoomed } from '../src/lib/timeline';

const at = (second: number) => new Date(second * 1000).toISOString();
const event = (source: string, second: number): EventRecord => ({ type: 'a', source, time: at(second), arrival: at(second + 1) });

test('events lie in lanes by source, in order of time, the busiest first', () => {
  const lanes = lanesOf([event('door', 9), event('web', 3), event('web', 1)]);
  expect(lanes.map((each) => [each.source, [...each.times]])).toEqual([['web', [1000, 3000]], ['door', [9000]]]);
});

test('a column counts what falls on it, and nothing beyond the view', () => {
  const times = Float64Array.from([0, 10, 11, 12, 95, 100, 101]);
  expect(placeOf(times, 11)).toBe(2);
  expect([...columns(times, { from: 10, to: 100 }, 9)]).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('zooming leaves the time under the pointer where it is', () => {
  const view = zoomed({ from: 0, to: 1000 }, 0.5, 250);
  expect([view.from, view.to]).toEqual([125, 625]);
  expect(ticks({ from: 0, to: 60_000 }, 600)).toEqual([0, 30_000, 60_000]);
});

test('messages are cut out of pieces wherever these end', () => {
  const text = 'retry: 2000\n\nid: 1\ndata: {"a": 1}\n\n: beat\n\nid: 2\ndata: {"b": 2}\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const frames = new Frames();
    expect([...frames.take(text.slice(0, cut)), ...frames.take(text.slice(cut))]).toEqual(['{"a": 1}', '{"b": 2}']);
  }
});
