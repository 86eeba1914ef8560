/** A timeline as lanes: what lies where, and what of it is drawn. Times are milliseconds. */
import type { Detection, EventRecord } from './records';
import { instant } from './records';

export interface Lane {
  source: string;
  times: Float64Array;
  events: EventRecord[];
}

export interface View {
  from: number;
  to: number;
}

/** Events by source, each lane in order of time; the busiest sources first. */
export function lanesOf(events: EventRecord[]): Lane[] {
  const by = new Map<string, [number, EventRecord][]>();
  for (const event of events) {
    const lane = by.get(event.source ?? '');
    if (lane) lane.push([instant(event), event]);
    else by.set(event.source ?? '', [[instant(event), event]]);
  }
  const lanes = [...by].map(([source, some]) => {
    some.sort((left, right) => left[0] - right[0]);
    return { source, times: Float64Array.from(some, (each) => each[0]), events: some.map((each) => each[1]) };
  });
  return lanes.sort((left, right) => right.events.length - left.events.length || left.source.localeCompare(right.source));
}

/** The first place in sorted `times` that is not before `time`. */
export function placeOf(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many events fall on each column of pixels: a column is drawn once, however many there are. */
export function columns(times: Float64Array, view: View, width: number): Uint32Array {
  const found = new Uint32Array(width);
  const scale = width / (view.to - view.from);
  const last = placeOf(times, view.to);
  for (let place = placeOf(times, view.from); place < last; place++) {
    found[Math.min(width - 1, Math.floor((times[place]! - view.from) * scale))]!++;
  }
  return found;
}

/** The view that is `factor` as long, about a time that stays where it is. */
export function zoomed(view: View, factor: number, about: number): View {
  const length = Math.min(Math.max((view.to - view.from) * factor, 10), 400 * 86_400_000);
  const share = (about - view.from) / (view.to - view.from);
  return { from: about - share * length, to: about + (1 - share) * length };
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 144e5, 216e5, 432e5, 864e5, 1728e5, 6048e5];

/** Round times for an axis, `room` pixels apart at least. */
export function ticks(view: View, width: number, room = 110): number[] {
  const least = ((view.to - view.from) / width) * room;
  const step = STEPS.find((each) => each >= least) ?? STEPS[STEPS.length - 1]!;
  const found: number[] = [];
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) found.push(time);
  return found;
}

/** The detection that is nearest to a time, at most `reach` from it. */
export function nearest(detections: Detection[], time: number, reach: number): Detection | null {
  let found: Detection | null = null;
  let least = reach;
  for (const each of detections) {
    const distance = Math.abs(Date.parse(each.time) - time);
    if (distance <= least) [found, least] = [each, distance];
  }
  return found;
}
