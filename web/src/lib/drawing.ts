/**
 * A pattern as pieces that are connected by pipes, and back. Nothing is lost on the way: what a piece does not show it keeps.
 *
 * A pattern is a tree of records, {"is": SHAPE, ...}; some of their keys hold other patterns (the slots of `SHAPES`).
 */
import { SHAPES, type Slot } from './shapes';

export type PatternRecord = { is: string; [key: string]: unknown };

export interface Piece {
  id: string;
  is: string;
  /** What it says besides what flows into it. */
  fields: Record<string, unknown>;
  x: number;
  y: number;
}

/** A pipe from a piece into a slot of another; `place` orders the pipes into a slot that takes many. */
export interface Pipe {
  from: string;
  to: string;
  slot: string;
  place: number;
}

export interface Drawing {
  pieces: Piece[];
  pipes: Pipe[];
}

/** The piece that the whole pattern flows into. */
export const RULE = 'rule';
export const RULE_SLOT: Slot = { key: 'pattern', label: 'detected' };

export function slotsOf(is: string): Slot[] {
  return is === RULE ? [RULE_SLOT] : (SHAPES[is]?.slots ?? []);
}

/** A pattern as a drawing, laid out. */
export function drawn(pattern: PatternRecord | null): Drawing {
  const drawing: Drawing = { pieces: [{ id: RULE, is: RULE, fields: {}, x: 0, y: 0 }], pipes: [] };
  let count = 0;

  function add(record: PatternRecord, to: string, slot: string, place: number): void {
    const id = `p${++count}`;
    const fields: Record<string, unknown> = {};
    let { is } = record;
    let inner = record;
    if (is === 'Named' && isPrimitive(record.pattern)) {
      inner = record.pattern;
      is = inner.is;
      fields.variable = record.name;
    }
    const slots = slotsOf(is);
    for (const [key, value] of Object.entries(inner)) {
      if (key !== 'is' && !slots.some((each) => each.key === key)) fields[key] = value;
    }
    drawing.pieces.push({ id, is, fields, x: 0, y: 0 });
    drawing.pipes.push({ from: id, to, slot, place });
    for (const each of slots) {
      const held = inner[each.key];
      const parts = each.takesMany ? (held as PatternRecord[]) : [held as PatternRecord];
      parts.forEach((part, index) => add(part, id, each.key, index));
    }
  }

  if (pattern) add(pattern, RULE, RULE_SLOT.key, 0);
  return laidOut(drawing);
}

function isPrimitive(value: unknown): value is PatternRecord {
  return typeof value === 'object' && value !== null && (value as PatternRecord).is === 'Primitive';
}

export interface Incomplete {
  piece: string;
  /** What is lacking: the label of a slot, or nothing where the piece itself flows into nothing. */
  lacks: string;
}

/** The pattern that is drawn, or what is lacking. */
export function patternOf(drawing: Drawing): PatternRecord | Incomplete[] {
  const faults: Incomplete[] = [];
  const reached = new Set<string>([RULE]);

  function into(id: string, slot: Slot): PatternRecord[] {
    const pipes = drawing.pipes.filter((each) => each.to === id && each.slot === slot.key).sort((left, right) => left.place - right.place);
    if (pipes.length < (slot.takesMany ? 2 : 1)) faults.push({ piece: id, lacks: slot.label });
    return pipes.map((each) => record(each.from)).filter((each) => each !== null);
  }

  function record(id: string): PatternRecord | null {
    const piece = drawing.pieces.find((each) => each.id === id);
    if (!piece || reached.has(id)) return null;
    reached.add(id);
    const { variable, ...fields } = piece.fields;
    const made: PatternRecord = { is: piece.is, ...fields };
    for (const slot of slotsOf(piece.is)) {
      const parts = into(id, slot);
      made[slot.key] = slot.takesMany ? parts : parts[0];
    }
    return typeof variable === 'string' && variable ? { is: 'Named', name: variable, pattern: made } : made;
  }

  const pattern = into(RULE, RULE_SLOT)[0];
  for (const each of drawing.pieces) if (!reached.has(each.id)) faults.push({ piece: each.id, lacks: '' });
  return faults.length || !pattern ? faults : pattern;
}

export const COLUMN = 215;
export const ROW = 96;

/** The same drawing, with what flows on the left of what it flows into. */
export function laidOut(drawing: Drawing): Drawing {
  const depth = new Map<string, number>();
  const height = new Map<string, number>();
  let row = 0;

  function place(id: string, level: number): number {
    if (depth.has(id)) return height.get(id) ?? 0;
    depth.set(id, level);
    const from = inputs(drawing, id).map((each) => place(each.from, level + 1));
    const y = from.length ? (from[0]! + from[from.length - 1]!) / 2 : row++ * ROW;
    height.set(id, y);
    return y;
  }

  place(RULE, 0);
  for (const each of drawing.pieces) {
    if (!depth.has(each.id) && !drawing.pipes.some((pipe) => pipe.from === each.id)) place(each.id, 1);
  }
  const deepest = Math.max(...depth.values());
  const pieces = drawing.pieces.map((each) => ({
    ...each,
    x: (deepest - (depth.get(each.id) ?? 0)) * COLUMN,
    y: height.get(each.id) ?? 0,
  }));
  return { pieces, pipes: drawing.pipes };
}

/** The pipes into a piece, slot by slot. */
export function inputs(drawing: Drawing, id: string): Pipe[] {
  const piece = drawing.pieces.find((each) => each.id === id);
  const slots = slotsOf(piece?.is ?? '').map((each) => each.key);
  return drawing.pipes
    .filter((each) => each.to === id)
    .sort((left, right) => slots.indexOf(left.slot) - slots.indexOf(right.slot) || left.place - right.place);
}

// -- changes: each gives another drawing

function freshId(drawing: Drawing): string {
  let number = drawing.pieces.length;
  while (drawing.pieces.some((each) => each.id === `p${number}`)) number++;
  return `p${number}`;
}

/** Whether a pipe would make a circle. */
export function isCircle(drawing: Drawing, from: string, to: string): boolean {
  if (from === to) return true;
  return drawing.pipes.filter((each) => each.from === to).some((each) => isCircle(drawing, from, each.to));
}

/** A piece flows into a slot: what it flowed into before lets go of it, and a slot for one of what it had. */
export function connected(drawing: Drawing, from: string, to: string, slot: string): Drawing {
  if (isCircle(drawing, from, to)) return drawing;
  const piece = drawing.pieces.find((each) => each.id === to);
  const takesMany = slotsOf(piece?.is ?? '').find((each) => each.key === slot)?.takesMany ?? false;
  const kept = drawing.pipes.filter((each) => each.from !== from && (takesMany || each.to !== to || each.slot !== slot));
  const places = kept.filter((each) => each.to === to && each.slot === slot).map((each) => each.place + 1);
  return { pieces: drawing.pieces, pipes: [...kept, { from, to, slot, place: Math.max(0, ...places) }] };
}

export function unconnected(drawing: Drawing, from: string): Drawing {
  return { pieces: drawing.pieces, pipes: drawing.pipes.filter((each) => each.from !== from) };
}

export function withFields(drawing: Drawing, id: string, fields: Record<string, unknown>): Drawing {
  return { pipes: drawing.pipes, pieces: drawing.pieces.map((each) => (each.id === id ? { ...each, fields } : each)) };
}

/** Without a piece: what alone flowed into it flows on to where it flowed. */
export function without(drawing: Drawing, id: string): Drawing {
  if (id === RULE) return drawing;
  const out = drawing.pipes.find((each) => each.from === id);
  const into = inputs(drawing, id);
  const pipes = drawing.pipes.filter((each) => each.from !== id && each.to !== id);
  if (out && into.length === 1) pipes.push({ ...out, from: into[0]!.from });
  return { pieces: drawing.pieces.filter((each) => each.id !== id), pipes };
}

/**
 * With another piece, connected as it most likely is meant. An operator takes what is selected (or all there is) into its
 * first slot; an event flows into the free slot of what is selected, or comes after all there is.
 */
export function withPiece(drawing: Drawing, is: string, fields: Record<string, unknown>, selected: string | null): [Drawing, string] {
  const id = freshId(drawing);
  const made: Drawing = { pieces: [...drawing.pieces, { id, is, fields, x: 0, y: 0 }], pipes: drawing.pipes };
  const root = drawing.pipes.find((each) => each.to === RULE)?.from;
  const chosen = drawing.pieces.find((each) => each.id === selected && each.id !== RULE);
  const free = chosen && freeSlot(drawing, chosen);
  if (chosen && free) return [laidOut(connected(made, id, chosen.id, free)), id];
  const first = slotsOf(is)[0];
  const target = chosen?.id ?? root;
  if (!target) return [laidOut(connected(made, id, RULE, RULE_SLOT.key)), id];
  if (first) return [laidOut(around(made, target, id, first.key)), id];
  const sequence = drawing.pieces.find((each) => each.id === target && SHAPES[each.is]?.slots[0]?.takesMany);
  if (sequence) return [laidOut(connected(made, id, sequence.id, 'parts')), id];
  const order = freshId(made);
  const more: Drawing = { pieces: [...made.pieces, { id: order, is: 'Sequence', fields: { order: 'gap' }, x: 0, y: 0 }], pipes: made.pipes };
  return [laidOut(connected(around(more, target, order, 'parts'), id, order, 'parts')), id];
}

/** `outer` comes between a piece and what that flows into. */
function around(drawing: Drawing, inner: string, outer: string, slot: string): Drawing {
  const out = drawing.pipes.find((each) => each.from === inner);
  const pipes = drawing.pipes.filter((each) => each.from !== inner);
  if (out) pipes.push({ ...out, from: outer });
  return connected({ pieces: drawing.pieces, pipes }, inner, outer, slot);
}

function freeSlot(drawing: Drawing, piece: Piece): string | null {
  for (const slot of slotsOf(piece.is)) {
    const has = drawing.pipes.filter((each) => each.to === piece.id && each.slot === slot.key).length;
    if (slot.takesMany || !has) return slot.key;
  }
  return null;
}
