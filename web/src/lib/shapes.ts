/** The pieces a drawing is made of: every shape of a pattern, where pipes end in it, and what can be set on it. */

export type FieldKind = 'text' | 'number' | 'flag' | 'list' | 'period' | 'guard' | 'point' | 'order';

export interface Field {
  key: string;
  label: string;
  kind: FieldKind;
  isOptional?: boolean;
}

export interface Slot {
  key: string;
  label: string;
  /** Any number of pipes end here, in their order. */
  takesMany?: boolean;
}

export interface Shape {
  title: string;
  hint: string;
  sign: string;
  slots: Slot[];
  fields: Field[];
  /** What a new piece has. Shapes without it are drawn, but are not among the pieces to choose. */
  fresh?: Record<string, unknown>;
}

const one = (label = 'what'): Slot[] => [{ key: 'pattern', label }];
const many: Slot[] = [{ key: 'parts', label: 'parts', takesMany: true }];
const period = (label = 'Span'): Field => ({ key: 'period', label, kind: 'period' });
const span = (text: string) => ({ is: 'period', text });
const order: Field = { key: 'order', label: 'Order', kind: 'order', isOptional: true };

export const SHAPES: Record<string, Shape> = {
  Primitive: {
    title: 'Event', hint: 'an event of a type', sign: '●', slots: [],
    fields: [
      { key: 'type', label: 'Type', kind: 'text' },
      { key: 'variable', label: 'Called', kind: 'text', isOptional: true },
      { key: 'site', label: 'Site', kind: 'text', isOptional: true },
    ],
  },
  Sequence: { title: 'Followed by', hint: 'each part after the one before', sign: '→', slots: many, fields: [order], fresh: { order: 'gap' } },
  Both: { title: 'All of', hint: 'all parts, in any order', sign: '∧', slots: many, fields: [], fresh: {} },
  Either: { title: 'Any of', hint: 'one of the parts', sign: '∨', slots: many, fields: [], fresh: {} },
  Absence: {
    title: 'Without', hint: 'first, then last, and nothing of the third between', sign: '⊘',
    slots: [{ key: 'first', label: 'first' }, { key: 'last', label: 'last' }, { key: 'without', label: 'without' }],
    fields: [{ key: 'guard', label: 'Only if', kind: 'guard', isOptional: true }, order], fresh: { order: 'gap' },
  },
  Never: { title: 'Not', hint: 'none of it, between the parts around it', sign: '¬', slots: one(), fields: [], fresh: {} },
  Where: {
    title: 'Where', hint: 'only where a condition holds', sign: '?', slots: one(), fields: [{ key: 'guard', label: 'Condition', kind: 'guard' }],
    fresh: { guard: { is: 'guard', text: 'true' } },
  },
  Within: { title: 'Within', hint: 'no longer than a span', sign: '≤', slots: one(), fields: [period()], fresh: { period: span('10 min') } },
  Streak: {
    title: 'Times in a row', hint: 'so many in a row, for example with the same value', sign: '≡', slots: one(),
    fields: [
      { key: 'count', label: 'Times', kind: 'number' },
      { key: 'same', label: 'With the same', kind: 'list', isOptional: true },
      { key: 'different', label: 'With different', kind: 'text', isOptional: true },
      { ...period('Within'), isOptional: true },
      { key: 'once', label: 'Once a burst', kind: 'flag', isOptional: true },
    ],
    fresh: { count: 3, period: span('10 min'), once: true },
  },
  Times: {
    title: 'Times', hint: 'any so many, with equal or different values', sign: '#', slots: one(),
    fields: [
      { key: 'count', label: 'Times', kind: 'number' },
      { key: 'attribute', label: 'Attribute', kind: 'text' },
      { key: 'same', label: 'Equal', kind: 'flag' },
    ],
    fresh: { count: 3, attribute: 'id', same: true },
  },
  Repeat: {
    title: 'Repeated', hint: 'one after the other, from least to most', sign: '↻', slots: one(),
    fields: [
      { key: 'least', label: 'Least', kind: 'number' },
      { key: 'most', label: 'Most', kind: 'number' },
      { key: 'same', label: 'With the same', kind: 'list', isOptional: true },
    ],
    fresh: { least: 2, most: 3 },
  },
  By: {
    title: 'By', hint: 'all events have equal values', sign: '=', slots: one(), fields: [{ key: 'attributes', label: 'Attributes', kind: 'list' }],
    fresh: { attributes: ['id'] },
  },
  After: {
    title: 'Later', hint: 'a span after it', sign: '+', slots: one(),
    fields: [period(), { key: 'instant', label: 'Starts there, too', kind: 'flag', isOptional: true }], fresh: { period: span('1 min') },
  },
  Accumulate: {
    title: 'All before', hint: 'the last, with each of the first before it', sign: '∑',
    slots: [{ key: 'each', label: 'each' }, { key: 'last', label: 'last' }], fields: [], fresh: {},
  },
  Every: { title: 'Every', hint: 'again and again, by the clock', sign: '∞', slots: [], fields: [period()], fresh: { period: span('1 hour') } },
  Named: { title: 'Called', hint: 'a name for what is inside', sign: '≔', slots: one(), fields: [{ key: 'name', label: 'Name', kind: 'text' }] },
  Concurrent: { title: 'At once', hint: 'neither before the other', sign: '∥', slots: [{ key: 'left', label: 'one' }, { key: 'right', label: 'other' }], fields: [] },
  Instant: { title: 'As one instant', hint: 'as if it happened at its end', sign: '·', slots: one(), fields: [] },
  Between: { title: 'Between times', hint: 'from one instant to another', sign: '|·|', slots: one(), fields: [{ key: 'start', label: 'Start (µs)', kind: 'number' }, { key: 'stop', label: 'Stop (µs)', kind: 'number' }] },
  AnyEvent: { title: 'Any event', hint: 'of any declared type', sign: '*', slots: [], fields: [] },
  At: { title: 'At', hint: 'at a time, or again and again', sign: '@', slots: [], fields: [{ key: 'point', label: 'Time', kind: 'point' }] },
  AtInstant: { title: 'At instant', hint: 'once', sign: '@', slots: [], fields: [{ key: 'instant', label: 'Instant (µs)', kind: 'number' }] },
  Atom: { title: 'State', hint: 'of a CORE automaton: change it as text', sign: '[ ]', slots: [], fields: [] },
  Widened: { title: 'Looks at', hint: 'of a CORE automaton: change it as text', sign: '[ ]', slots: one(), fields: [] },
  Concatenation: { title: 'Chain', hint: 'of a CORE automaton', sign: '→', slots: many, fields: [{ key: 'strong', label: 'Strong', kind: 'flag' }] },
  Alternation: { title: 'Branches', hint: 'of a CORE automaton', sign: '∨', slots: many, fields: [] },
  Iteration: { title: 'Any number', hint: 'of a CORE automaton', sign: '↻', slots: one(), fields: [] },
  Timing: { title: 'Timer', hint: 'of a CORE automaton', sign: '∞', slots: [{ key: 'first', label: 'first' }, { key: 'second', label: 'second' }], fields: [{ key: 'timer', label: 'Called', kind: 'text' }] },
  Parallel: { title: 'Beside', hint: 'two automata', sign: '∥', slots: [{ key: 'left', label: 'one' }, { key: 'right', label: 'other' }], fields: [] },
  Automaton: { title: 'Automaton', hint: 'a CORE expression', sign: '◇', slots: one(), fields: [{ key: 'run', label: 'Run', kind: 'text', isOptional: true }] },
};

/** The operators to choose from. */
export const OPERATORS = Object.keys(SHAPES).filter((each) => SHAPES[each]!.fresh);
