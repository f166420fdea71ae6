import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import { glyphsFor } from './glyphs.js';
import type { Picture, PictureNode } from './picture.js';
import { loopMark, nodeName } from './picture.js';

/** Label lines of a task for other programs: mark and title, loop mark, id. */
function labelOf(node: PictureNode): string[] {
  const loop = loopMark(node, glyphsFor(true));
  const id = inert(node.id);
  const name = nodeName(node);
  return [
    `${STATUS_LOOK[node.state].glyph} ${name}`,
    ...(loop === undefined ? [] : [loop]),
    ...(name === id ? [] : [id]),
  ];
}

/** Generated safe names for tasks, and for missing predecessors. */
function namesOf({ nodes }: Picture): { nameOf: ReadonlyMap<string, string>; missing: ReadonlyMap<string, string> } {
  const names = new Map(nodes.map((node, number) => [node.id, `t${number}`]));
  const missing = new Map<string, string>();
  for (const node of nodes) for (const id of node.missing ?? []) missing.set(id, missing.get(id) ?? `m${missing.size}`);
  return { nameOf: names, missing };
}

/** Each epic with its parts, those of epics among them inside, as lines of a group of the format. */
function clusters(
  { nodes }: Picture,
  leaf: (node: PictureNode) => string,
  group: { readonly open: (epic: PictureNode) => readonly string[]; readonly close: string },
): string[] {
  const parts = new Map<string, PictureNode[]>();
  for (const node of nodes) {
    if (node.epic !== undefined) parts.set(node.epic, [...(parts.get(node.epic) ?? []), node]);
  }
  const drawn = new Set<string>();
  const groupOf = (epic: PictureNode): string[] => {
    drawn.add(epic.id);
    const inside = (parts.get(epic.id) ?? []).flatMap((part) =>
      drawn.has(part.id) ? [] : parts.has(part.id) ? groupOf(part) : [leaf(part)],
    );
    return [...group.open(epic), ...[...inside, leaf(epic)].map((line) => `  ${line}`), group.close];
  };
  const drawnIn = new Set(nodes.map(({ id }) => id));
  const tops = nodes.filter(({ id, epic }) => parts.has(id) && (epic === undefined || !drawnIn.has(epic)));
  return tops.flatMap(groupOf).map((line) => `  ${line}`);
}

/** The graph in Graphviz DOT. Foreign text occurs only in quoted, escaped labels. */
export function dotText(picture: Picture): string {
  const { nameOf: names, missing } = namesOf(picture);
  const name = (id: string) => names.get(id) ?? '';
  const lines = [
    'digraph tasks {',
    '  rankdir=TB;',
    '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];',
    '  edge [color="#5B6472", arrowsize=0.7];',
  ];
  for (const node of picture.nodes) {
    const colour = STATUS_LOOK[node.state].light;
    const strong = node.critical ? ', penwidth=3' : '';
    lines.push(
      `  ${name(node.id)} [label="${labelOf(node).map(dotEscaped).join('\\n')}", color="${colour}"${strong}];`,
    );
  }
  const open = (node: PictureNode) => [
    `subgraph cluster_${name(node.id)} {`,
    `  label="${dotEscaped(nodeName(node))}"; style="rounded,dashed"; color="#5B6472"; fontname="Helvetica"; fontsize=11;`,
  ];
  lines.push(...clusters(picture, (node) => `${name(node.id)};`, { open, close: '}' }));
  for (const [id, own] of missing) lines.push(`  ${own} [label="${dotEscaped(inert(id))}\\nmissing", style=dashed];`);
  for (const { from, to, back } of picture.edges) {
    lines.push(`  ${name(from)} -> ${name(to)}${back ? ' [style=dashed, constraint=false]' : ''};`);
  }
  for (const { id, missing: ids } of picture.nodes) {
    for (const other of ids ?? []) lines.push(`  ${missing.get(other)} -> ${name(id)} [style=dotted];`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/**
 * Escapes the quote, which ends a label, the backslash, which starts an escape, and the ampersand, which starts an
 * entity.
 */
function dotEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** The graph in Mermaid, which many code hosts render. */
export function mermaidText(picture: Picture): string {
  const { nameOf: names, missing } = namesOf(picture);
  const name = (id: string) => names.get(id) ?? '';
  const lines = ['flowchart TD'];
  for (const node of picture.nodes) {
    lines.push(`  ${name(node.id)}["${labelOf(node).map(mermaidEscaped).join('<br/>')}"]:::${classOf(node.state)}`);
  }
  const open = (node: PictureNode) => [`subgraph e${name(node.id)}["${mermaidEscaped(nodeName(node))}"]`];
  lines.push(...clusters(picture, (node) => name(node.id), { open, close: 'end' }));
  for (const [id, own] of missing) lines.push(`  ${own}["${mermaidEscaped(inert(id))}<br/>missing"]:::missing`);
  for (const { from, to, back } of picture.edges) lines.push(`  ${name(from)} ${back ? '-.->' : '-->'} ${name(to)}`);
  for (const { id, missing: ids } of picture.nodes) {
    for (const other of ids ?? []) lines.push(`  ${missing.get(other)} -.- ${name(id)}`);
  }
  for (const state of new Set(picture.nodes.map((node) => node.state))) {
    lines.push(`  classDef ${classOf(state)} fill:#FFFFFF,color:#1B1F24,stroke:${STATUS_LOOK[state].light}`);
  }
  if (missing.size > 0) lines.push('  classDef missing fill:#FFFFFF,color:#5B6472,stroke:#5B6472,stroke-dasharray:4');
  const critical = picture.nodes.filter((node) => node.critical).map((node) => name(node.id));
  for (const one of critical) lines.push(`  style ${one} stroke-width:4px`);
  return `${lines.join('\n')}\n`;
}

const classOf = (state: ShownState): string => state.replaceAll('-', '');

/** Replaces ASCII punctuation except `_` and a few harmless characters with Mermaid entities. */
function mermaidEscaped(text: string): string {
  return text.replace(/[\x21-\x2b\x3b-\x40\x5b-\x60\x7b-\x7e]/g, (sign) =>
    sign === '_' ? sign : `#${sign.charCodeAt(0)};`,
  );
}
