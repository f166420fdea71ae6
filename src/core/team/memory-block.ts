import type { Memory } from './memory.js';
import { recordMark, stateLine } from './record-mark.js';
import { shut } from './render-decisions.js';
import { dayOf } from './render-memories.js';

const BEGIN = '<!-- troupe:memory:begin -->';
const END = '<!-- troupe:memory:end -->';

/** A part of a file that is ours, between two marks. Its last line tells which state of it this is. */
export function memoryBlock(body: string): string {
  const text = body.trimEnd();
  return [BEGIN, '', ...(text === '' ? [] : [text, '']), stateLine(text), END].join('\n');
}

/** The part of a member's history.md that is ours: its updates and what it has learned, each with the id it has everywhere. */
export function renderDiary(memories: readonly Memory[], idOf: (memory: Memory) => string | undefined): string {
  const part = (title: string, type: Memory['type']) => {
    const rows = memories.filter((memory) => memory.type === type);
    return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows.map((row) => lineOf(row, idOf(row)))];
  };
  return memoryBlock(['## Memory', ...part('Updates', 'update'), ...part('Learnings', 'learning')].join('\n'));
}

/** Where the block stands in a text. Where git left several marks of a kind it reaches from the first to the last. */
export function findMemoryBlock(text: string): { readonly from: number; readonly to: number } | 'none' | 'unclear' {
  const [from, end] = [text.indexOf(BEGIN), text.lastIndexOf(END)];
  if (from < 0 && end < 0) return 'none';
  return from >= 0 && from < end ? { from, to: end + END.length } : 'unclear';
}

/** A text with the block in the place of the one there is, else at the end. Every other byte stays. */
export function withMemoryBlock(text: string, block: string): string {
  const found = findMemoryBlock(text);
  if (typeof found === 'object') return `${text.slice(0, found.from)}${block}${text.slice(found.to)}`;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${block}\n`;
}

function lineOf(memory: Memory, id: string | undefined): string {
  const [first = '', ...more] = shut(memory.content).split('\n');
  const head = `${dayOf(memory)} (${memory.importance}) ${first}`;
  const rest = more.map((line) => (line === '' ? '' : `  ${line}`));
  const mark = id === undefined ? '' : ` ${recordMark('memory', id, [head, ...more].join('\n'))}`;
  return [`- ${head}${mark}`, ...rest].join('\n');
}
