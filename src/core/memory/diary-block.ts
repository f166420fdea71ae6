import type { Memory } from '#core/memory/memory.js';
import { shut } from '#core/memory/render-decisions.js';
import { dayOf } from '#core/memory/render-memories.js';

const BEGIN = '<!-- troupe:memory:begin -->';
const END = '<!-- troupe:memory:end -->';

/** The part of a member's history.md that is ours: its updates and what it has learned. */
export function renderDiaryBlock(memories: readonly Memory[]): string {
  const part = (title: string, type: Memory['type']) => {
    const rows = memories.filter((memory) => memory.type === type);
    return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows.map((row) => lineOf(row))];
  };
  return [BEGIN, '', '## Memory', ...part('Updates', 'update'), ...part('Learnings', 'learning'), '', END].join('\n');
}

/** Where the block stands in a text, or why that cannot be told. */
export function findDiaryBlock(text: string): { readonly from: number; readonly to: number } | 'none' | 'unclear' {
  const [begins, ends] = [placesOf(text, BEGIN), placesOf(text, END)];
  if (begins.length === 0 && ends.length === 0) return 'none';
  const [from = 0, end = 0] = [begins[0], ends[0]];
  return begins.length === 1 && ends.length === 1 && from < end ? { from, to: end + END.length } : 'unclear';
}

/** A history with the block in the place of the one there is, else at the end. Every other byte stays. */
export function withDiaryBlock(text: string, block: string): string {
  const found = findDiaryBlock(text);
  if (typeof found === 'object') return `${text.slice(0, found.from)}${block}${text.slice(found.to)}`;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${block}\n`;
}

function lineOf(memory: Memory): string {
  const [first = '', ...more] = shut(memory.content).split('\n');
  return [
    `- ${dayOf(memory)} (${memory.importance}) ${first}`,
    ...more.map((line) => (line === '' ? '' : `  ${line}`)),
  ].join('\n');
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
