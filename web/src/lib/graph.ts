/** The shared graph as it is drawn: parts in columns, or, where it is large, only types and rules. */
import type { GraphNode, SharedGraph } from './records';

export const LARGEST = 300; // parts that are drawn one by one

export interface Part extends GraphNode {
  x: number;
  y: number;
}

export interface Link {
  source: string;
  target: string;
  kind: string;
}

export interface Laid {
  parts: Part[];
  links: Link[];
  /** How many parts there are, where they are not drawn one by one. */
  whole: number;
}

/** The graph, or the parts of one rule; types and rules alone where that would be too much. */
export function laid(graph: SharedGraph, only: string): Laid {
  let nodes = graph.graphs.flatMap((each, place) => each.nodes.map((node) => ({ ...node, id: `${place}.${node.id}` })));
  let links: Link[] = graph.graphs.flatMap((each, place) =>
    each.edges.map((edge) => ({ source: `${place}.${edge.source}`, target: `${place}.${edge.target}`, kind: edge.kind })),
  );
  if (only) nodes = nodes.filter((each) => each.rules.includes(only));
  const whole = nodes.length > LARGEST ? nodes.length : 0;
  if (whole) [nodes, links] = aggregated(nodes);
  const known = new Set(nodes.map((each) => each.id));
  links = links.filter((each) => known.has(each.source) && known.has(each.target));
  return { parts: placed(nodes, links), links, whole };
}

/** A pipe from each type to each rule that takes it. */
function aggregated(nodes: GraphNode[]): [GraphNode[], Link[]] {
  const rules = nodes.filter((each) => each.kind === 'rule').slice(0, LARGEST);
  const types = nodes.filter((each) => each.kind === 'type').slice(0, LARGEST);
  const links = types.flatMap((type) =>
    rules.filter((rule) => type.rules.some((name) => rule.rules.includes(name))).map((rule) => ({ source: type.id, target: rule.id, kind: 'flow' })),
  );
  return [[...types, ...rules], links];
}

/** Parts in columns, each behind what flows into it. */
function placed(nodes: GraphNode[], links: Link[]): Part[] {
  const into = new Map<string, string[]>();
  for (const each of links) into.set(each.target, [...(into.get(each.target) ?? []), each.source]);
  const level = new Map<string, number>();
  const levelOf = (id: string, seen: Set<string>): number => {
    const known = level.get(id);
    if (known !== undefined) return known;
    if (seen.has(id)) return 0;
    const found = Math.max(-1, ...(into.get(id) ?? []).map((each) => levelOf(each, new Set([...seen, id])))) + 1;
    level.set(id, found);
    return found;
  };
  // Parts of one rule lie beside each other, so that fewer pipes cross.
  const order = nodes.filter((each) => each.kind === 'rule').map((each) => each.rules[0] ?? '');
  const rank = (each: GraphNode) => Math.min(...each.rules.map((name) => order.indexOf(name)), order.length);
  nodes = [...nodes].sort((left, right) => rank(left) - rank(right));
  const rows = new Map<number, number>();
  const deepest = Math.max(0, ...nodes.map((each) => levelOf(each.id, new Set())));
  return nodes.map((each) => {
    const column = each.kind === 'rule' ? deepest : levelOf(each.id, new Set());
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { ...each, x: column * 250, y: row * 125 };
  });
}
