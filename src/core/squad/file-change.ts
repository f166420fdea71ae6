import { appendLines, type FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { type JsonObject, parseJsonObject, sameJson } from '#kernel/json.js';

/**
 * Squad files that casting reads: path relative to the project → text. Missing files have no entry. A folder whose mere
 * existence matters has an entry with a trailing `/` and empty text.
 */
export type SquadTexts = ReadonlyMap<string, string>;

/** File changes of a decision, applied all or nothing, and its result. Without changes no file is touched. */
export interface SquadPlan<Result> {
  readonly changes: readonly FileChange[];
  readonly result: Result;
}

/** Returns the files with the changes applied. */
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

/** A line that could not be parsed. It stays in place because the file is append-only. */
export interface UnparsedLine {
  readonly file: string;
  readonly line: number;
}

/**
 * Parses the objects of a JSON-lines file. Blank lines are skipped and bad ones reported; of several lines with the
 * same id (a merge can duplicate one) the first is used.
 */
export function readEventLines<Event>(
  text: string | undefined,
  file: string,
  idField: string,
  parse: (value: JsonObject) => Event | undefined,
): { events: readonly Event[]; badLines: readonly UnparsedLine[] } {
  const events: Event[] = [];
  const badLines: UnparsedLine[] = [];
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

/** Path for the previous version: `routing.prev.md` for `routing.md`. */
const previousPath = (path: string) => path.replace(/\.md$/, '.prev.md');

/** Returns the change that copies an edited client file into the folder of the team. */
export function savedClientFile(path: string, text: string): FileChange {
  const name = path.replace(/^\./, '').replace(/\.md$/, '').replaceAll('/', '-');
  return { kind: 'create', path: `.squad/outputs/${name}.prev.${sha256(text).slice(0, 8)}.md`, text };
}

export const isPreviousVersion = (path: string) => /\.prev(?:\.[0-9a-f]{8})?\.md$/.test(path);

/** Keeps the text of a replaced file beside it, under a new name if an earlier version is already kept there. */
export function previousVersion(texts: SquadTexts, path: string, text: string): FileChange[] {
  const first = previousPath(path);
  const existing = texts.get(first);
  if (existing === text) return [];
  if (existing === undefined) return [{ kind: 'write', path: first, text }];
  return [{ kind: 'create', path: path.replace(/\.md$/, `.prev.${sha256(text).slice(0, 8)}.md`), text }];
}

/**
 * Whether two Markdown texts have the same content. Layout is ignored: line endings, blank lines, table padding, list
 * markers, code marks and links around a cell. A clone on another system or a formatter changes these.
 */
export function sameMarkdown(left: string | undefined, right: string): boolean {
  return left !== undefined && (left === right || normalisedMarkdown(left) === normalisedMarkdown(right));
}

/** Whether two JSON files hold equal objects; false if either is not a JSON object. */
export function sameJsonText(left: string | undefined, right: string): boolean {
  const [one, other] = [parseJsonObject(left), parseJsonObject(right)];
  return one !== undefined && other !== undefined && sameJson(one, other);
}

/** Returns the text of a table cell without Markdown marks. */
export function normalisedCell(cell: string): string {
  const plain = cell.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, words: string, to: string) =>
    words.includes('/') ? words : to,
  );
  return plain.replaceAll('`', '').replace(/\*\*/g, '').replace(/\s+/g, ' ').trim();
}

/** Like `normalisedCell`, with emoji removed. */
export function plainCell(cell: string): string {
  return normalisedCell(cell.replace(/\p{Extended_Pictographic}|\ufe0e|\ufe0f|\u200d/gu, ''));
}

function normalisedMarkdown(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => normalisedLine(line))
    .filter((line) => line !== '')
    .join('\n');
}

function normalisedLine(line: string): string {
  const trimmed = line.trim();
  if (!trimmed.startsWith('|')) return trimmed.replace(/^[*+]\s+/, '- ').replace(/\s+/g, ' ');
  if (/^[|:\s-]+$/.test(trimmed)) return '|-';
  return trimmed
    .split(/(?<!\\)\|/)
    .map(normalisedCell)
    .join('|');
}
