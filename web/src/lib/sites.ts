/** The map of sites: what the service tells of them, and where each stands in the drawing. */

export interface Site {
  site: string;
  is_silent: boolean;
  heard: number | null;
  precision: number | null;
  sources: number;
  parts: number;
  clock: number | null;
}

export interface SitePart {
  site: string;
  part: string;
  role: string;
  rules: string[];
  inputs: string[];
  outputs: number;
  held: number | null;
  waiting: number | null;
  rate: number | null;
  done: number | null;
}

export interface SiteLink {
  site: string;
  to: string;
  messages: number;
  bytes: number | null;
  rate: number | null;
  bytes_rate: number | null;
}

export interface Blocked {
  rules: string[];
  part: string;
  site: string;
  stream: string;
  since: number;
  for: number;
  waits_for: string | null;
  why: string;
}

export interface SiteMap {
  broker: string;
  trouble: string;
  sites: Site[];
  parts: SitePart[];
  links: SiteLink[];
  streams: { stream: string; site: string | null; to: string; part: string }[];
  blocked: Blocked[];
  sources: { site: string; source: string; types: string[] | null }[];
  detections: { id: string; rule: string; time: number; site: string; detected: number }[];
}

export interface Passage {
  stream: string;
  giver: string;
  taker: string;
  delay: number | null;
  error: number;
}

export interface Step {
  part: string;
  role: string;
  rules: string[];
  site: string;
  from: (Step | { event: { type: string; source: string; id: string; end: number; site: string | null } })[];
  by?: Passage | null;
}

export interface Trail {
  detection: { id: string; rule: string; start_us: number; time_us: number };
  trail: Step;
  told: Passage[];
  silent: string[];
}

/** Microseconds for which a rule may wait before that is shown: to hear how far the others are takes a moment always. */
export const PATIENCE = 1_000_000;
/** Boxes that are drawn: beyond it, sites that stand for the same are one box. */
export const MOST = 24;
const PARTS = 4;
const [LINE, HEAD, GAP, ROAD] = [21, 40, 26, 92];
const WIDE = 700;
const STACKED = 6;

/** One site in the drawing, or several that give to the same. */
export interface Box {
  id: string;
  sites: Site[];
  parts: SitePart[];
  sources: string[];
  waits: Blocked[];
  isSilent: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All streams that go from one box to another. */
export interface Pipe {
  from: Box;
  to: Box;
  streams: string[];
  messages: number;
  bytes: number;
  rate: number | null;
  bytesRate: number | null;
  blocked: Blocked[];
  path: string;
  label: { x: number; y: number };
}

export interface Drawn {
  boxes: Box[];
  pipes: Pipe[];
  width: number;
  height: number;
  isGrouped: boolean;
}

/** What is worth being told as blocked: what waits for somebody who is silent, and then what waits for longer than it takes to ask. */
export function blockedOf(map: SiteMap): Blocked[] {
  const silent = new Set(map.sites.filter((each) => each.is_silent).map((each) => each.site));
  const [on, others] = [true, false].map((is) => map.blocked.filter((each) => silent.has(each.waits_for ?? '') === is));
  return [...on!, ...others!.filter((each) => each.for >= PATIENCE)];
}

/** What a part is called: its rules, or what is cut off them. */
export function titleOf(part: { part: string; rules: string[] }): string {
  return part.rules.join(', ') || part.part;
}

/** Where everything stands in so much width. `only`: that site with those it gives to and takes from. */
export function drawn(map: SiteMap, width: number, only = ''): Drawn {
  const between = map.streams.filter((each) => each.site !== null && each.site !== each.to) as { stream: string; site: string; to: string }[];
  const near = new Set(between.flatMap((each) => (each.site === only || each.to === only ? [each.site, each.to] : [])));
  const sites = map.sites.filter((each) => !only || each.site === only || near.has(each.site));
  const layers = layered(sites.map((each) => each.site), between);
  const groups = grouped(sites, between, layers);
  const blocked = blockedOf(map);
  const boxes = groups.map((some) => boxOf(map, some, blocked));
  const height = place(boxes, (box) => layers.get(box.sites[0]!.site)!, width);
  const pipes = pipesOf(map, boxes, between, blocked);
  return { boxes, pipes, width, height, isGrouped: groups.length < sites.length };
}

/** How far each site is from where events are born: what gives stands before what takes, but where they go round. */
function layered(names: string[], between: { site: string; to: string }[]): Map<string, number> {
  const givers = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { site, to } of between) if (givers.has(site)) givers.get(to)?.add(site);
  const layers = new Map<string, number>();
  const under = new Set<string>();
  const visit = (name: string): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    under.add(name);
    const before = [...givers.get(name)!].filter((giver) => !under.has(giver)).map(visit);
    under.delete(name);
    const layer = before.length ? Math.max(...before) + 1 : 0;
    layers.set(name, layer);
    return layer;
  };
  names.forEach(visit);
  return layers;
}

/** Each site by itself; where there are too many, those together that stand at the same place and give to the same. */
function grouped(sites: Site[], between: { site: string; to: string }[], layers: Map<string, number>): Site[][] {
  if (sites.length <= MOST) return sites.map((each) => [each]);
  const targets = (name: string) => [...new Set(between.filter((each) => each.site === name).map((each) => each.to))].sort().join();
  const by = (key: (site: Site) => string) => {
    const found = new Map<string, Site[]>();
    for (const each of sites) found.set(key(each), [...(found.get(key(each)) ?? []), each]);
    return [...found.values()];
  };
  const fine = by((each) => `${layers.get(each.site)} ${each.is_silent} ${targets(each.site)}`);
  return fine.length <= MOST ? fine : by((each) => `${layers.get(each.site)} ${each.is_silent}`);
}

function boxOf(map: SiteMap, sites: Site[], blocked: Blocked[]): Box {
  const names = new Set(sites.map((each) => each.site));
  const parts = map.parts.filter((each) => names.has(each.site));
  const sources = map.sources.filter((each) => names.has(each.site)).map((each) => each.source);
  const waits = blocked.filter((each) => names.has(each.site));
  const isSilent = sites.some((each) => each.is_silent);
  const lines = Math.min(parts.length, PARTS) + Number(parts.length > PARTS) + Number(sources.length > 0) + Number(isSilent) + Number(waits.length > 0);
  return { id: sites[0]!.site, sites, parts, sources, waits, isSilent, x: 0, y: 0, width: 0, height: HEAD + LINE * Math.max(lines, 1) };
}

/** Gives each box its place, in columns where there is room and in rows where there is not; how high all of it is. */
function place(boxes: Box[], layerOf: (box: Box) => number, width: number): number {
  const numbers = [...new Set(boxes.map(layerOf))].sort((one, other) => one - other);
  const layers = numbers.map((number) => boxes.filter((box) => layerOf(box) === number));
  const card = Math.min(width >= WIDE ? 230 : 170, (width - GAP) / 2);
  for (const box of boxes) box.width = card;
  const isWide = width >= WIDE && layers.length * (card + ROAD) - ROAD <= width && layers.every((each) => each.length <= STACKED);
  return isWide ? inColumns(layers, card, width) : inRows(layers, card, width);
}

function inColumns(layers: Box[][], card: number, width: number): number {
  const tall = (layer: Box[]) => layer.reduce((sum, box) => sum + box.height + GAP, -GAP);
  const height = Math.max(0, ...layers.map(tall));
  const step = layers.length > 1 ? Math.min((width - card) / (layers.length - 1), card + 360) : 0;
  const left = (width - card - step * (layers.length - 1)) / 2;
  layers.forEach((layer, number) => {
    let y = (height - tall(layer)) / 2;
    for (const box of layer) {
      [box.x, box.y] = [left + number * step, y];
      y += box.height + GAP;
    }
  });
  return height;
}

function inRows(layers: Box[][], card: number, width: number): number {
  const fit = Math.max(1, Math.floor((width + GAP) / (card + GAP)));
  let y = 0;
  for (const layer of layers) {
    for (let at = 0; at < layer.length; at += fit) {
      const row = layer.slice(at, at + fit);
      const left = (width - row.length * (card + GAP) + GAP) / 2;
      row.forEach((box, place) => ([box.x, box.y] = [left + place * (card + GAP), y]));
      y += Math.max(...row.map((box) => box.height)) + (at + fit < layer.length ? GAP : ROAD * 0.75);
    }
  }
  return Math.max(0, y - ROAD * 0.75);
}

function pipesOf(map: SiteMap, boxes: Box[], between: { stream: string; site: string; to: string }[], blocked: Blocked[]): Pipe[] {
  const at = new Map(boxes.flatMap((box) => box.sites.map((each) => [each.site, box] as const)));
  const pipes = new Map<string, Pipe>();
  for (const { stream, site, to } of between) {
    const [from, into] = [at.get(site), at.get(to)];
    if (!from || !into || from === into) continue;
    const key = `${from.id} ${into.id}`;
    const known = pipes.get(key) ?? { from, to: into, streams: [], messages: 0, bytes: 0, rate: null, bytesRate: null, blocked: [], ...curve(from, into) };
    if (!known.streams.includes(stream)) known.streams.push(stream);
    pipes.set(key, known);
  }
  for (const link of map.links) {
    const pipe = pipes.get(`${at.get(link.site)?.id} ${at.get(link.to)?.id}`);
    if (!pipe) continue;
    pipe.messages += link.messages;
    pipe.bytes += link.bytes ?? 0;
    if (link.rate !== null) pipe.rate = (pipe.rate ?? 0) + link.rate;
    if (link.bytes_rate !== null) pipe.bytesRate = (pipe.bytesRate ?? 0) + link.bytes_rate;
  }
  for (const each of blocked) {
    const pipe = pipes.get(`${at.get(each.waits_for ?? '')?.id} ${at.get(each.site)?.id}`);
    pipe?.blocked.push(each);
  }
  return [...pipes.values()];
}

/** From one box to another, out of the side that is nearer. Those that go there and back are kept apart. */
function curve(a: Box, b: Box): Pick<Pipe, 'path' | 'label'> {
  const [right, left] = [b.x >= a.x + a.width, a.x >= b.x + b.width];
  let [x, y, toX, toY, bendX, bendY] = [0, 0, 0, 0, 0, 0];
  if (right || left) {
    const off = right ? 0 : 14;
    [x, toX] = right ? [a.x + a.width, b.x] : [a.x, b.x + b.width];
    [y, toY, bendX] = [a.y + a.height / 2 + off, b.y + b.height / 2 + off, (toX - x) / 2];
  } else {
    const isDown = b.y > a.y;
    const off = isDown ? 0 : 14;
    [y, toY] = isDown ? [a.y + a.height, b.y] : [a.y, b.y + b.height];
    [x, toX, bendY] = [a.x + a.width / 2 + off, b.x + b.width / 2 + off, (toY - y) / 2];
  }
  const path = `M${x},${y}C${x + bendX},${y + bendY} ${toX - bendX},${toY - bendY} ${toX},${toY}`;
  // from row to row a pipe may go behind others: there what is written beside it stands where it begins
  const label = right || left ? { x: (x + toX) / 2, y: (y + toY) / 2 } : { x, y: y + (toY > y ? 13 : -13) };
  return { path, label };
}

/** What went from one site to another on a detection's way. */
export function hopsOf(trail: Trail): Passage[] {
  const found: Passage[] = [];
  const walk = (step: Step) => {
    for (const way of step.from) {
      const by = (way as Step).by;
      if (by && by.giver !== by.taker) found.push(by);
      if (!('event' in way)) walk(way);
    }
  };
  walk(trail.trail);
  return [...found, ...trail.told.filter((each) => each.giver !== each.taker)];
}

/** The sites that a detection's way goes over, also where it goes from one part to another at one site. */
export function sitesOf(trail: Trail): Set<string> {
  const found = new Set<string>(hopsOf(trail).flatMap((each) => [each.giver, each.taker]));
  const walk = (step: Step) => {
    found.add(step.site);
    for (const way of step.from) {
      if (!('event' in way)) walk(way);
      else if (way.event.site) found.add(way.event.site);
    }
  };
  walk(trail.trail);
  return found;
}

/** A length of time, short. */
export function lasting(microseconds: number): string {
  const sizes: [string, number][] = [['h', 3.6e9], ['min', 6e7], ['s', 1e6], ['ms', 1e3]];
  const [unit, size] = sizes.find((each) => Math.abs(microseconds) >= each[1]) ?? ['µs', 1];
  return `${Number((microseconds / size).toPrecision(3))} ${unit}`;
}

/** Bytes, short. */
export function weight(bytes: number): string {
  const sizes: [string, number][] = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]];
  const [unit, size] = sizes.find((each) => bytes >= each[1]) ?? ['B', 1];
  return `${Number((bytes / size).toPrecision(3))} ${unit}`;
}
