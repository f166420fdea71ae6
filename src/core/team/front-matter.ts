import { LIMITS } from '#kernel/limits.js';

const FENCE = /^---[ \t]*$/;
const PAIR = /^([A-Za-z][A-Za-z0-9_-]{0,39})[ \t]*:(?:[ \t]+(.*))?$/;
/** What would be more than plain text to a reader of YAML. */
const RICH = /^[[\]{}&*!|>%@`?]/;

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * The fields between two lines of dashes at the beginning of a text, and what follows; or why there are none. Every field is one
 * line of plain or quoted text: what could mean more is not guessed at.
 */
export function readFrontMatter(text: string): FrontMatter | { readonly reason: string } {
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const end = endOf(lines);
  if (end === undefined) return { reason: 'has no front matter between two lines of ---' };
  const fields = new Map<string, string>();
  for (const [index, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, key, given = ''] = PAIR.exec(line.trimEnd()) ?? [];
    if (key === undefined) return { reason: `line ${index + 2} of the front matter is not “key: value”` };
    if (fields.has(key)) return { reason: `${key} stands twice in the front matter` };
    const value = plain(given.trim());
    if (value === undefined) return { reason: `the value of ${key} is not plain text` };
    fields.set(key, value);
  }
  const rest = lines.slice(end + 1);
  if (beginsAnother(rest)) return { reason: 'has two blocks of front matter' };
  return { fields, body: rest.join('\n') };
}

/** A value as it is written so that it is read as it was. */
export function frontMatterValue(value: string): string {
  return plain(value) === value && value === value.trim() && !value.includes('\n') ? value : JSON.stringify(value);
}

function plain(given: string): string | undefined {
  if (given.startsWith('"')) return quoted(given);
  if (given.startsWith("'")) return /^'((?:[^']|'')*)'$/.exec(given)?.[1]?.replaceAll("''", "'");
  return RICH.test(given) ? undefined : given;
}

function quoted(given: string): string | undefined {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the block ends that the first line begins. */
function endOf(lines: readonly string[]): number | undefined {
  if (!FENCE.test(lines[0] ?? '')) return undefined;
  const end = lines.slice(1, LIMITS.frontMatterLines + 2).findIndex((line) => FENCE.test(line));
  return end === -1 ? undefined : end + 1;
}

/** A line of dashes in a text is a rule; with nothing but fields up to the next one, it is a second block. */
function beginsAnother(lines: readonly string[]): boolean {
  const from = lines.findIndex((line) => line.trim() !== '');
  const end = from === -1 ? undefined : endOf(lines.slice(from));
  if (end === undefined) return false;
  const between = lines.slice(from + 1, from + end).filter((line) => line.trim() !== '');
  return between.length > 0 && between.every((line) => PAIR.test(line.trimEnd()));
}
