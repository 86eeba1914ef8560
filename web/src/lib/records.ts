/** What the service tells, as far as the page reads it. */

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

export interface Detection {
  number: number;
  id: string;
  rule: string;
  request: string;
  type: string;
  start: string;
  time: string;
  detected: string;
  events: string[];
  data?: Record<string, Value>;
  notification?: string;
  severity?: string;
  late?: boolean;
}

export interface EventRecord {
  id?: string;
  type?: string;
  source?: string;
  time?: string | string[];
  arrival: string;
  [attribute: string]: Value | undefined;
}

export interface Page<T> {
  items: T[];
  next?: string | null;
}

export interface Status {
  version: string;
  now: string;
  requests: number;
  events: number;
  evaluated: number;
  detections: number;
  duplicates: number;
  refused: Record<string, number>;
  queued_bytes: number;
  store_bytes: number;
  trouble: string;
  deliveries: Record<string, number>;
  rules: Record<string, number>;
  reasons: Record<string, number>;
  failing: Record<string, string>;
}

export interface RuleDocument {
  name?: string;
  language: string;
  expression: string;
  condition?: string;
  by?: string | string[];
  context?: string;
  window?: string;
  order?: string;
  run?: string;
  notify?: string;
  severity?: string;
  callback?: unknown;
  shadow?: string;
  enabled?: boolean;
  [key: string]: unknown;
}

export interface RequestRecord {
  id: string;
  version: number;
  name: string;
  owner: string;
  enabled: boolean;
  changed: string;
  document: RuleDocument;
  rules: string[];
  detections?: number;
}

export interface Delivery {
  number: number;
  target: number;
  state: 'pending' | 'delivered' | 'dead' | 'cancelled';
  attempts: number;
  updated: string;
  due?: string;
  error?: string;
}

export interface Deliveries {
  targets: { target: number; where: string; health: string; reason?: string }[];
  items: Delivery[];
  next?: number | null;
}

export interface Test {
  kind: string;
  text: string;
  holds: boolean;
  values?: Record<string, Value>;
}

export interface Constituent {
  name: string;
  asks: string;
  event?: EventRecord;
}

export interface Miss {
  distance: number;
  time?: string;
  constituents: Constituent[];
  failed: Test[];
}

export interface Explained {
  rule: string;
  pattern: string;
  detections: number;
  remarks: string[];
  fired: { id: string; start: string; time: string; constituents: Constituent[]; met: Test[] }[];
  misses: Miss[];
  tried: number;
  cut: boolean;
}

export interface Why {
  rules: Explained[];
}

/** Why a rule under construction did not fire more often, and in what that was looked for. */
export interface Misses extends Why {
  looked: { events: number; from?: string; is_all: boolean };
}

export interface Proposals {
  proposals: { expression: string; because: string[]; found: number; wrong: number; detections: number; is_cut: boolean; times: string[] }[];
  tried: number;
  events: number;
  together: number;
  apart: number;
  remarks: string[];
}

/** What a part of a rule holds, from a step of a replay to another. */
export interface Holding {
  rule: string;
  part: string;
  events: string[];
  from: number;
  to?: number;
  end?: string;
}

export interface GraphNode {
  id: string;
  kind: string;
  title: string;
  lines: string[];
  rules: string[];
}

export interface SharedGraph {
  said: string;
  graphs: { title: string; nodes: GraphNode[]; edges: { source: string; target: string; kind: string; label: string }[] }[];
  held: { held: number; bytes: number; rules: Record<string, { seen: number; held: number; bytes: number; late: number; refused: number; detections: number }> };
}

/** The instant at which an event ended, in milliseconds. */
export function instant(event: EventRecord): number {
  const time = Array.isArray(event.time) ? event.time[event.time.length - 1] : event.time;
  const found = Date.parse(String(time ?? event.arrival));
  return Number.isNaN(found) ? Date.parse(event.arrival) : found;
}
