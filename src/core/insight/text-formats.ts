import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import { glyphsFor } from './glyphs.js';
import type { Picture, PictureNode } from './picture.js';
import { loopMark, nodeName } from './picture.js';

/** What a task says in a picture made by another program: mark and title, what its cycle does, its id. */
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

/** Names that hold nothing foreign, and the predecessors nobody answers to, each once. */
function namesOf({ nodes }: Picture): { nameOf: ReadonlyMap<string, string>; missing: ReadonlyMap<string, string> } {
  const names = new Map(nodes.map((node, number) => [node.id, `t${number}`]));
  const missing = new Map<string, string>();
  for (const node of nodes) for (const id of node.missing ?? []) missing.set(id, missing.get(id) ?? `m${missing.size}`);
  return { nameOf: names, missing };
}

/** The graph in the language of Graphviz. Foreign text stands only in quoted labels, where nothing of it is understood. */
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
  for (const [id, own] of missing) lines.push(`  ${own} [label="${dotEscaped(inert(id))}\\nmissing", style=dashed];`);
  for (const { from, to, back } of picture.edges) {
    lines.push(`  ${name(from)} -> ${name(to)}${back ? ' [style=dashed, constraint=false]' : ''};`);
  }
  for (const { id, missing: ids } of picture.nodes) {
    for (const other of ids ?? []) lines.push(`  ${missing.get(other)} -> ${name(id)} [style=dotted];`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/** Quotes end a label, a backslash begins an escape, an ampersand an entity. */
function dotEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** The graph in the language of Mermaid, as many code hosts draw it. */
export function mermaidText(picture: Picture): string {
  const { nameOf: names, missing } = namesOf(picture);
  const name = (id: string) => names.get(id) ?? '';
  const lines = ['flowchart TD'];
  for (const node of picture.nodes) {
    lines.push(`  ${name(node.id)}["${labelOf(node).map(mermaidEscaped).join('<br/>')}"]:::${classOf(node.state)}`);
  }
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

/** Letters, digits, blanks and a few signs stay; every other ASCII sign becomes the entity that Mermaid knows. */
function mermaidEscaped(text: string): string {
  return text.replace(/[\x21-\x2b\x3b-\x40\x5b-\x60\x7b-\x7e]/g, (sign) =>
    sign === '_' ? sign : `#${sign.charCodeAt(0)};`,
  );
}
