import { TEAM_LIMITS } from '#kernel/limits/team.js';
import {
  type CheckedValue,
  checkedAgent,
  checkedLine,
  checkedSlug,
  checkedText,
  ENTRY_TYPES,
  type EntryText,
} from './memory.js';
import { INBOX_FOLDER, type Inbox, inboxPath, type SkippedFile } from './memory-ledger.js';

const RATIONALE = '**Rationale:**';

/** Parses the text of an inbox file. Returns the entry, or the reason for rejecting it. */
export function readInboxFile(text: string): { readonly entry: EntryText } | { readonly reason: string } {
  const read = readFrontMatter(text);
  if ('reason' in read) return read;
  const missing = ['agent', 'slug', 'type', 'title'].filter((key) => !read.fields.get(key));
  if (missing.length > 0) return { reason: `the front matter has no ${missing.join(', ')}` };
  const field = (key: string) => read.fields.get(key) ?? '';
  return checkedEntry({
    agent: field('agent'),
    slug: field('slug'),
    type: field('type'),
    title: field('title'),
    content: read.body,
    rationale: '',
  });
}

/**
 * Normalises an entry from any source, or returns the reason for rejecting it. The result survives being written to a
 * file and read again unchanged.
 */
export function checkedEntry(
  fields: Readonly<Record<keyof EntryText, string>>,
): { readonly entry: EntryText } | { readonly reason: string } {
  const [agent, slug] = [checkedAgent(fields.agent), checkedSlug(fields.slug)];
  const [title, body] = [checkedLine('title', fields.title), checkedText('the text', bodyOf(fields))];
  const type = ENTRY_TYPES.find((one) => one === fields.type);
  for (const part of [agent, slug, title, body]) if ('reason' in part) return part;
  if (type === undefined) return { reason: `type is not one of ${ENTRY_TYPES.join(', ')}` };
  const entry = { agent: textOf(agent), slug: textOf(slug), type, title: textOf(title), ...splitBody(textOf(body)) };
  const back = readFrontMatter(renderInboxFile(entry));
  return 'reason' in back ? back : { entry };
}

export function renderInboxFile(entry: EntryText): string {
  const fields = ['agent', 'slug', 'type', 'title'] as const;
  const head = fields.map((key) => `${key}: ${frontMatterValue(entry[key])}`);
  const body = bodyOf(entry);
  return `${['---', ...head, '---', '', ...(body === '' ? [] : [body])].join('\n').trimEnd()}\n`;
}

/** Splits a body at the last line that starts with `**Rationale:**`. */
export function splitBody(body: string): { readonly content: string; readonly rationale: string } {
  const lines = body.split('\n');
  const at = lines.findLastIndex((line) => line.startsWith(RATIONALE));
  if (at === -1) return { content: body.trim(), rationale: '' };
  const rationale = lines.slice(at).join('\n').slice(RATIONALE.length).trim();
  return { content: lines.slice(0, at).join('\n').trim(), rationale };
}

/** Joins content and rationale; the inverse of `splitBody`. */
function bodyOf({ content, rationale }: { readonly content: string; readonly rationale: string }): string {
  const parts = [content.trim(), rationale.trim() === '' ? '' : `${RATIONALE} ${rationale.trim()}`];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function sameEntry(left: EntryText, right: EntryText): boolean {
  return (['agent', 'slug', 'type', 'title', 'content', 'rationale'] as const).every((key) => left[key] === right[key]);
}

const textOf = (checked: CheckedValue) => ('value' in checked ? checked.value : '');

const FENCE = /^---[ \t]*$/;
const PAIR = /^([A-Za-z][A-Za-z0-9_-]{0,39})[ \t]*:(?:[ \t]+(.*))?$/;
/** First characters that YAML does not read as plain text. */
const RICH = /^[[\]{}&*!|>%@`?]/;

interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Parses the front matter between two `---` lines at the start of a text, and the body after it; otherwise returns the
 * reason. Each field must be one line of plain or quoted text: values that YAML could read as something else are
 * rejected.
 */
function readFrontMatter(text: string): FrontMatter | { readonly reason: string } {
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const end = endOf(lines);
  if (end === undefined) return { reason: 'has no front matter between two lines of ---' };
  const fields = new Map<string, string>();
  for (const [index, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, key, source = ''] = PAIR.exec(line.trimEnd()) ?? [];
    if (key === undefined) return { reason: `line ${index + 2} of the front matter is not “key: value”` };
    if (fields.has(key)) return { reason: `${key} appears twice in the front matter` };
    const value = plain(source.trim());
    if (value === undefined) return { reason: `the value of ${key} is not plain text` };
    fields.set(key, value);
  }
  const rest = lines.slice(end + 1);
  if (beginsAnother(rest)) return { reason: 'has two blocks of front matter' };
  return { fields, body: rest.join('\n') };
}

/** Returns the value plain if it can be read back unchanged, otherwise quoted as JSON. */
function frontMatterValue(value: string): string {
  return plain(value) === value && value === value.trim() && !value.includes('\n') ? value : JSON.stringify(value);
}

function plain(source: string): string | undefined {
  if (source.startsWith('"')) return quoted(source);
  if (source.startsWith("'")) return /^'((?:[^']|'')*)'$/.exec(source)?.[1]?.replaceAll("''", "'");
  return RICH.test(source) ? undefined : source;
}

function quoted(source: string): string | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Index of the closing `---` line of a block that starts in the first line; undefined if there is none. */
function endOf(lines: readonly string[]): number | undefined {
  const [first = ''] = lines;
  if (!FENCE.test(first)) return undefined;
  const end = lines.slice(1, TEAM_LIMITS.frontMatterLines + 2).findIndex((line) => FENCE.test(line));
  return end === -1 ? undefined : end + 1;
}

/**
 * Whether another block of front matter follows. A lone `---` line is a rule; it starts a second block only if nothing
 * but fields stands before the next one.
 */
function beginsAnother(lines: readonly string[]): boolean {
  const from = lines.findIndex((line) => line.trim() !== '');
  const end = from === -1 ? undefined : endOf(lines.slice(from));
  if (end === undefined) return false;
  const between = lines.slice(from + 1, from + end).filter((line) => line.trim() !== '');
  return between.length > 0 && between.every((line) => PAIR.test(line.trimEnd()));
}

export interface ImportedEntry {
  readonly file: string;
  readonly sha256: string;
  readonly entry: EntryText;
}

/**
 * Parses the inbox into readable and unreadable entries. Of several different files with the same agent and slug, the
 * one with the canonical file name counts, otherwise the first.
 */
export function readInbox(inbox: Inbox): {
  readonly entries: readonly ImportedEntry[];
  readonly skipped: readonly SkippedFile[];
} {
  const readable: ImportedEntry[] = [];
  const skipped: SkippedFile[] = [];
  for (const file of inbox.files) {
    if ('problem' in file) skipped.push({ file: file.path, reason: file.problem });
    else {
      const read = readInboxFile(file.text);
      if ('reason' in read) skipped.push({ file: file.path, reason: read.reason });
      else readable.push({ file: file.path, sha256: file.sha256, entry: read.entry });
    }
  }
  const preferred = new Map<string, ImportedEntry>();
  for (const one of readable) {
    const other = preferred.get(keyOf(one));
    if (other === undefined || rank(one) < rank(other)) preferred.set(keyOf(one), one);
  }
  const entries: ImportedEntry[] = [];
  for (const one of readable) {
    const { file, entry } = preferred.get(keyOf(one)) ?? one;
    if (sameEntry(one.entry, entry)) entries.push(one);
    else skipped.push({ file: one.file, reason: `has agent and slug of ${file}` });
  }
  if (inbox.more) {
    const reason = `holds more than ${TEAM_LIMITS.inboxFiles} files: the rest was ignored`;
    skipped.push({ file: INBOX_FOLDER, reason });
  }
  return { entries, skipped };
}

const keyOf = ({ entry }: ImportedEntry) => `${entry.agent}\0${entry.slug}`;

function rank({ file, entry }: ImportedEntry): number {
  const [own, withAgent] = [inboxPath(entry.slug), inboxPath(`${entry.slug}--${entry.agent}`)];
  return file === own ? 0 : file === withAgent ? 1 : 2;
}
