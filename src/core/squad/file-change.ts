import { appendLines, type FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { type JsonObject, parseJsonObject, sameJson } from '#kernel/json.js';

/**
 * The files of a squad that casting looks at: path relative to the project → text. What is not there is missing. A folder
 * that counts by being there stands in it too, with a `/` at its end and no text.
 */
export type SquadTexts = ReadonlyMap<string, string>;

/** What a decision wants written, all or nothing, and what it answers. No changes: nothing is touched. */
export interface SquadPlan<Result> {
  readonly changes: readonly FileChange[];
  readonly result: Result;
}

/** The files as they are after changes. */
export function withChanges(texts: SquadTexts, changes: readonly FileChange[]): SquadTexts {
  const after = new Map(texts);
  for (const change of changes) {
    if (change.kind === 'write' || change.kind === 'replace') after.set(change.path, change.text);
    else if (change.kind === 'create') after.set(change.path, after.get(change.path) ?? change.text);
    else if (change.kind === 'append') after.set(change.path, appendLines(after.get(change.path), change.lines));
    else after.delete(change.path);
  }
  return after;
}

/** A line that could not be understood. It stays where it is: the file is append-only. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
}

/**
 * The objects of a JSON-lines file. Blank lines are passed over, bad ones reported; of several lines with the same id
 * (a merge can bring one in twice) the first counts.
 */
export function readEventLines<Event>(
  text: string | undefined,
  file: string,
  idField: string,
  parse: (value: JsonObject) => Event | undefined,
): { events: readonly Event[]; badLines: readonly BadLine[] } {
  const events: Event[] = [];
  const badLines: BadLine[] = [];
  const ids = new Set<string>();
  for (const [index, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJsonObject(line);
    const event = value === undefined ? undefined : parse(value);
    if (value === undefined || event === undefined) {
      badLines.push({ file, line: index + 1 });
      continue;
    }
    const id = value[idField];
    if (typeof id === 'string') {
      if (ids.has(id)) continue;
      ids.add(id);
    }
    events.push(event);
  }
  return { events, badLines };
}

/** Beside `routing.md`: `routing.prev.md`. */
const previousPath = (path: string) => path.replace(/\.md$/, '.prev.md');

/** The copy of a file for a client that somebody changed: among the files of the team. */
export function outputAside(path: string, text: string): FileChange {
  const name = path.replace(/^\./, '').replace(/\.md$/, '').replaceAll('/', '-');
  return { kind: 'create', path: `.squad/outputs/${name}.prev.${sha256(text).slice(0, 8)}.md`, text };
}

export const isPutAside = (path: string) => /\.prev(?:\.[0-9a-f]{8})?\.md$/.test(path);

/** Keeps the text of a file that is taken over beside it; what was kept there before stays. */
export function previousVersion(texts: SquadTexts, path: string, text: string): FileChange[] {
  const first = previousPath(path);
  const existing = texts.get(first);
  if (existing === text) return [];
  if (existing === undefined) return [{ kind: 'write', path: first, text }];
  return [{ kind: 'create', path: path.replace(/\.md$/, `.prev.${sha256(text).slice(0, 8)}.md`), text }];
}

/**
 * Whether two Markdown texts say the same. How it is laid out counts for nothing: line ends, blank lines, padding of tables, the
 * sign a list begins with, code marks and links around a cell. A clone on another system or a formatter changes that much.
 */
export function sameMarkdown(left: string | undefined, right: string): boolean {
  return left !== undefined && (left === right || meaningOf(left) === meaningOf(right));
}

/** Whether two JSON files hold the same; what is no object says nothing. */
export function sameJsonText(left: string | undefined, right: string): boolean {
  const [one, other] = [parseJsonObject(left ?? ''), parseJsonObject(right)];
  return one !== undefined && other !== undefined && sameJson(one, other);
}

/** The text of a table cell without the marks around it. */
export function cellMeaning(cell: string): string {
  const plain = cell.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, words: string, to: string) =>
    words.includes('/') ? words : to,
  );
  return plain.replaceAll('`', '').replace(/\*\*/g, '').replace(/\s+/g, ' ').trim();
}

/** The same without pictures. */
export function plainCell(cell: string): string {
  return cellMeaning(cell.replace(/\p{Extended_Pictographic}|\ufe0e|\ufe0f|\u200d/gu, ''));
}

function meaningOf(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => lineMeaning(line))
    .filter((line) => line !== '')
    .join('\n');
}

function lineMeaning(line: string): string {
  const trimmed = line.trim();
  if (!trimmed.startsWith('|')) return trimmed.replace(/^[*+]\s+/, '- ').replace(/\s+/g, ' ');
  if (/^[|:\s-]+$/.test(trimmed)) return '|-';
  return trimmed
    .split(/(?<!\\)\|/)
    .map(cellMeaning)
    .join('|');
}
