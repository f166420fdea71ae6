import type { Status } from '#core/graph/task.js';
import { cellsOf } from '#kernel/cells.js';
import { sha256 } from '#kernel/hash.js';
import { headingOf, type MarkdownLine, markdownLines } from '#kernel/markdown-lines.js';
import type { ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { plainText, sections, titleOf } from './reading.js';

const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+\[([ xX~/-])\](?:[ \t]+(.*))?$/;
const MARKS: Readonly<Record<string, readonly [status: Status, state: string]>> = {
  ' ': ['open', 'open'],
  '/': ['open', 'in progress'],
  '~': ['open', 'in progress'],
  '-': ['abandoned', 'cancelled'],
  x: ['done', 'done'],
};
const TAB = 4;
const KEY_CHARACTERS = 16;

interface Item {
  readonly indent: number;
  readonly number: boolean;
  readonly mark: string;
  readonly raw: string;
  readonly place: readonly string[];
  readonly parent: Item | undefined;
  /** Item before it in the same numbered list. */
  before: Item | undefined;
  readonly key: string;
  readonly more: string[];
}

/** Whether a text has at least one item of a checklist. */
export function hasChecklist(text: string): boolean {
  return markdownLines(text).some((line) => line.kind === 'text' && ITEM.test(line.text));
}

/**
 * Reads the items of Markdown checklists. An item waits for the items nested in it, as one ticks it when they are
 * ticked; items of a numbered list wait for the item before. Headings and other text tell where an item stands.
 */
export function parseChecklist({ text }: ImportFile): ParsedImport {
  const tasks: ImportedTask[] = [];
  const left: LeftOut[] = [];
  for (const item of itemsOf(markdownLines(plainText(text)))) {
    const title = titleOf(withoutMarkup(item.raw)) || titleOf(item.raw);
    if (title === '') left.push({ key: item.key, title: item.place.join(' › '), why: 'an item without text' });
    else tasks.push(taskOf(item, title));
  }
  return { tasks, broken: [], left };
}

function itemsOf(lines: readonly MarkdownLine[]): Item[] {
  const items: Item[] = [];
  const counts = new Map<string, number>();
  const last = new Map<string, Item>();
  let headings: { readonly level: number; readonly title: string }[] = [];
  let open: Item[] = [];
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading) {
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      open = [];
      last.clear();
      continue;
    }
    const found = line.kind === 'text' ? ITEM.exec(line.text) : null;
    if (!found) {
      open = belonging(line, open);
      if (open.length === 0) last.clear(); // other text ends a list
      continue;
    }
    const [, blanks = '', , number, mark = ' ', raw = ''] = found;
    const indent = widthOf(blanks);
    open = open.filter((item) => item.indent < indent);
    const parent = open.at(-1);
    const place = headings.map(({ title }) => title);
    const path = sha256(JSON.stringify([parent?.key ?? place, raw.trim()])).slice(0, KEY_CHARACTERS);
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const list = `${parent?.key ?? ''} ${indent}`;
    const item: Item = {
      ...{ indent, raw: raw.trim(), place, parent, more: [], number: number !== undefined },
      mark: mark.toLowerCase(),
      before: undefined,
      key: count === 1 ? path : `${path}-${count}`,
    };
    const earlier = last.get(list);
    if (item.number && earlier?.number === true) item.before = earlier;
    last.set(list, item);
    items.push(item);
    open.push(item);
  }
  return items;
}

/** Adds a line to the innermost item that it is indented below. Returns the items still open after it. */
function belonging(line: MarkdownLine, open: Item[]): Item[] {
  if (line.text.trim() === '') {
    open.at(-1)?.more.push('');
    return open;
  }
  const indent = widthOf(/^[ \t]*/.exec(line.text)?.[0] ?? '');
  const still = open.filter((item) => item.indent < indent);
  still.at(-1)?.more.push(line.text);
  return still;
}

function widthOf(blanks: string): number {
  return cellsOf(blanks.replaceAll('\t', ' '.repeat(TAB)));
}

function taskOf(item: Item, title: string): ImportedTask {
  const [status, state] = MARKS[item.mark] ?? ['open', 'open'];
  const isPlain = title === item.raw.replace(/\s+/g, ' ');
  return {
    key: item.key,
    wish: '',
    title,
    status,
    state,
    text: sections([
      ['', isPlain ? '' : item.raw],
      ['', dedented(item.more)],
      ['', item.place.length > 0 ? `From the section ${item.place.join(' › ')}.` : ''],
    ]),
    after: item.before === undefined ? [] : [item.before.key],
    ...(item.parent === undefined ? {} : { parent: item.parent.key }),
    labels: [],
    rest: {},
  };
}

/** Text of a line without emphasis, code marks and the addresses of links. */
function withoutMarkup(text: string): string {
  return text
    .replace(/!?\[([^\][]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\*\*|__|`|~~/g, '')
    .trim();
}

function dedented(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const least = depths.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => line.slice(Number.isFinite(least) ? least : 0))
    .join('\n')
    .trim();
}
