/** What is said of a piece: the same on the canvas, in forms and to those who do not see it. */
import { RULE, type Piece } from './drawing';
import { SHAPES, type Field } from './shapes';

export function titleOf(piece: Piece, rule = ''): string {
  if (piece.is === RULE) return rule || 'rule';
  if (piece.is === 'Primitive') {
    const { type, variable } = piece.fields;
    return typeof variable === 'string' && variable && variable !== type ? `${variable}: ${type}` : String(type ?? '');
  }
  return SHAPES[piece.is]?.title ?? piece.is;
}

/** The value of a field as it is edited; what has no text (a stored form that nobody can write) has none here. */
export function fieldText(field: Field, value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (field.key === 'variable') return '';
  if (value === true) return 'yes';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return String((value as { text?: string }).text ?? '');
  return String(value);
}

/** A field's value from what was written; nothing where it is left out. */
export function fieldValue(field: Field, text: string): unknown {
  const written = text.trim();
  if (field.kind === 'list') return written ? written.split(',').map((each) => each.trim()).filter(Boolean) : field.isOptional ? undefined : [];
  if (!written && field.isOptional) return undefined;
  if (field.kind === 'number') return Number.parseInt(written, 10) || 0;
  if (field.kind === 'period' || field.kind === 'guard' || field.kind === 'point') return { is: field.kind, text: written };
  return written;
}
