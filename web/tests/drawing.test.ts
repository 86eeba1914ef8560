import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connected, drawn, isCircle, patternOf, RULE, withPiece, without, type PatternRecord } from '../src/lib/drawing';
import { SHAPES } from '../src/lib/shapes';

const word = fc.constantFrom('a', 'b', 'login', 'x');
const value = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.record({ is: fc.constant('guard'), text: word }));
const leaf: fc.Arbitrary<PatternRecord> = fc.oneof(
  fc.record({ is: fc.constant('Primitive'), type: word }),
  fc.record({ is: fc.constant('Named'), name: word, pattern: fc.record({ is: fc.constant('Primitive'), type: word, site: word }) }),
  fc.record({ is: fc.constant('Every'), period: fc.record({ is: fc.constant('period'), text: word }) }),
  fc.record({ is: fc.constant('Atom'), accepts: fc.record({ is: fc.constant('Described'), type: word }) }),
) as fc.Arbitrary<PatternRecord>;

const { pattern } = fc.letrec<{ pattern: PatternRecord }>((tie) => {
  const inner = Object.entries(SHAPES)
    .filter(([is, shape]) => shape.slots.length && is !== 'Named')
    .map(([is, shape]) => {
      const keys: Record<string, fc.Arbitrary<unknown>> = { is: fc.constant(is) };
      for (const slot of shape.slots) keys[slot.key] = slot.takesMany ? fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }) : tie('pattern');
      for (const field of shape.fields) keys[field.key] = value;
      return fc.record(keys);
    });
  return { pattern: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, ...inner) as fc.Arbitrary<PatternRecord> };
});

test('a pattern that is drawn is read as the same pattern', () => {
  fc.assert(fc.property(pattern, (some) => void expect(patternOf(drawn(some))).toEqual(some)), { numRuns: 500 });
});

test('no two pieces of a drawing lie on each other', () => {
  fc.assert(
    fc.property(pattern, (some) => {
      const places = drawn(some).pieces.map((each) => `${each.x} ${each.y}`);
      expect(new Set(places).size).toBe(places.length);
    }),
  );
});

test('a new operator around any piece, and the piece away again, is the drawing as it was', () => {
  fc.assert(
    fc.property(pattern, fc.nat(), (some, which) => {
      const before = drawn(some);
      const full = before.pieces.filter((each) => each.id !== RULE && !SHAPES[each.is]!.slots.some((slot) => slot.takesMany));
      fc.pre(full.length > 0);
      const chosen = full[which % full.length]!;
      const [after, id] = withPiece(before, 'Within', { period: { is: 'period', text: '1 min' } }, chosen.id);
      expect(patternOf(after)).not.toEqual(some);
      expect(patternOf(without(after, id))).toEqual(some);
    }),
  );
});

test('pipes never run in a circle', () => {
  fc.assert(
    fc.property(pattern, fc.nat(), fc.nat(), (some, from, to) => {
      const drawing = drawn(some);
      const [left, right] = [drawing.pieces[from % drawing.pieces.length]!, drawing.pieces[to % drawing.pieces.length]!];
      const slot = SHAPES[right.is]?.slots[0]?.key;
      fc.pre(left.id !== RULE && slot !== undefined);
      const after = connected(drawing, left.id, right.id, slot!);
      if (isCircle(drawing, left.id, right.id)) expect(after).toBe(drawing);
      else for (const each of after.pipes) expect(isCircle({ ...after, pipes: after.pipes.filter((pipe) => pipe !== each) }, each.from, each.to)).toBe(false);
    }),
  );
});

test('events that are chosen one after the other follow each other', () => {
  let [drawing, id] = withPiece(drawn(null), 'Primitive', { type: 'a', variable: 'a' }, null);
  [drawing, id] = withPiece(drawing, 'Primitive', { type: 'b', variable: 'b' }, null);
  const event = (name: string) => ({ is: 'Named', name, pattern: { is: 'Primitive', type: name } });
  expect(patternOf(drawing)).toEqual({ is: 'Sequence', order: 'gap', parts: [event('a'), event('b')] });
  expect(patternOf(without(drawing, id))).toEqual([expect.objectContaining({ lacks: 'parts' })]);
});

test('what is lacking is told', () => {
  expect(patternOf(drawn(null))).toEqual([{ piece: RULE, lacks: 'detected' }]);
  const [drawing] = withPiece(drawn(null), 'Where', { guard: { is: 'guard', text: 'true' } }, null);
  expect(patternOf(drawing)).toEqual([{ piece: 'p1', lacks: 'what' }]);
});
