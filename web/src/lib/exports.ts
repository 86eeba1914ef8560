/** A rule as a file: YAML as `tocsin detect` reads it, Python, or a picture of the drawing. */
import { COLUMN, type Drawing } from './drawing';
import type { RuleDocument } from './records';
import { SHAPES } from './shapes';
import { fieldText, titleOf } from './told';

/** A rules file with this rule. JSON is YAML, so values need no rules of their own. */
export function yaml(document: RuleDocument): string {
  const lines = Object.entries(document)
    .filter(([key, value]) => !['callback', 'owner', 'shadow', 'enabled', 'partition', 'budget', 'allow_unbounded'].includes(key) && value !== '')
    .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
  return `rules:\n  -${lines.join('\n').slice(3)}\n`;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The drawing as a picture that stands alone. */
export function svg(drawing: Drawing, rule: string): string {
  const [wide, tall] = [170, 62];
  const width = Math.max(...drawing.pieces.map((each) => each.x)) + wide + 40;
  const height = Math.max(...drawing.pieces.map((each) => each.y)) + tall + 40;
  const at = new Map(drawing.pieces.map((each) => [each.id, each]));
  const pipes = drawing.pipes.map((pipe) => {
    const [from, to] = [at.get(pipe.from)!, at.get(pipe.to)!];
    const [x1, y1, x2, y2] = [from.x + wide + 20, from.y + tall / 2 + 20, to.x + 20, to.y + tall / 2 + 20];
    const bend = Math.min(60, COLUMN / 3);
    return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="#3aa0ad" stroke-width="5"/>`;
  });
  const pieces = drawing.pieces.map((each) => {
    const said = (SHAPES[each.is]?.fields ?? []).filter((field) => field.key !== 'type' && field.kind !== 'order').map((field) => fieldText(field, each.fields[field.key])).filter(Boolean);
    return (
      `<g transform="translate(${each.x + 20} ${each.y + 20})"><rect width="${wide}" height="${tall}" rx="12" fill="#fff" stroke="#0b6b73" stroke-width="2"/>` +
      `<text x="12" y="26" font-weight="600">${escaped(titleOf(each, rule).slice(0, 22))}</text><text x="12" y="46" font-size="11">${escaped(said.join(', ').slice(0, 28))}</text></g>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">${pipes.join('')}${pieces.join('')}</svg>`;
}

export function download(name: string, text: string, kind: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
