import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { foldLookAlikes, reportsFailure } from '#kernel/look-alikes.js';
import { headingOf, lineBounds, type MarkdownLine, markdownLines } from '#kernel/markdown-lines.js';
import { cut, inert } from '#kernel/text.js';

/** A parsed handoff: front matter and body. */
export interface Handoff {
  readonly status: 'DONE' | 'BLOCKED';
  /** Phase according to the file, in lower case. */
  readonly phase: string | undefined;
  /** SHA-256 of each file it was made from, by name. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly diagnosis: string | undefined;
  readonly body: readonly MarkdownLine[];
}

export const DIAGNOSES = ['capability', 'ownership', 'contract', 'context', 'decision'] as const;
export type Diagnosis = (typeof DIAGNOSES)[number];

/** Content of a BLOCKED handoff. Untrusted text: fenced for models, made inert for people. */
export interface BlockedReport {
  readonly tried: string;
  readonly why: string;
  readonly needs: string;
  readonly escalation: string;
  readonly diagnosis: Diagnosis | undefined;
}

/** Thrown for a handoff that cannot be parsed; the message tells why. */
export class MalformedHandoff extends Error {}

/** Parses a handoff strictly: anything ambiguous throws `MalformedHandoff`. */
export function parseHandoff(text: string): Handoff {
  const { fields, from } = frontMatter(text);
  const body = markdownLines(from === 0 ? text : text.slice(from));
  return {
    status: statusOf(fields, body),
    phase: scalarOf(fields, 'phase')?.toLowerCase(),
    inputs: inputsOf(fields.get('inputs')),
    diagnosis: diagnosisOf(fields, body),
    body,
  };
}

/** Whether there is any content besides blank lines, comments, headings and rules. */
export function hasContent(lines: readonly MarkdownLine[]): boolean {
  return lines.some(
    (line) => line.kind !== 'comment' && headingOf(line) === undefined && /[\p{L}\p{N}]/u.test(contentOf(line)),
  );
}

/** The lines of a fence itself are no content; the lines between them are. */
function contentOf({ kind, text }: MarkdownLine): string {
  return kind === 'code' && /^ {0,3}(?:`{3}|~{3})/.test(text) ? '' : text;
}

/**
 * Lines below `## title`, up to the next heading of that level or higher; undefined if there is none. Errors:
 * `MalformedHandoff` for a duplicate heading.
 */
export function sectionOf(body: readonly MarkdownLine[], title: string): readonly MarkdownLine[] | undefined {
  const wanted = foldedTitle(title);
  const starts = body.flatMap((line, index) => {
    const heading = headingOf(line);
    return heading?.level === 2 && foldedTitle(heading.title) === wanted ? [index + 1] : [];
  });
  if (starts.length > 1) throw new MalformedHandoff(`\`## ${title}\` appears twice`);
  const [start] = starts;
  if (start === undefined) return undefined;
  const length = body.slice(start).findIndex((line) => (headingOf(line)?.level ?? 3) <= 2);
  return body.slice(start, length < 0 ? undefined : start + length);
}

function foldedTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[\s-]+/g, ' ')
    .replace(/ ?:$/, '')
    .trim();
}

const REPORT_SECTIONS = {
  tried: 'Tried',
  why: 'Why stuck',
  needs: 'Needs',
  escalation: 'Suggested escalation',
} as const;

/** Parses a BLOCKED handoff; returns the missing parts if it is incomplete. */
export function blockedReport({ body, diagnosis }: Handoff): BlockedReport | { readonly lacks: readonly string[] } {
  const lacks: string[] = [];
  const textOf = (title: string) => {
    const section = sectionOf(body, title) ?? [];
    if (!hasContent(section)) lacks.push(`\`## ${title}\``);
    const text = section.filter(({ kind }) => kind !== 'comment').map((line) => line.text);
    return cut(text.join('\n').trim(), HANDOFF_LIMITS.sectionCharacters);
  };
  const report = {
    tried: textOf(REPORT_SECTIONS.tried),
    why: textOf(REPORT_SECTIONS.why),
    needs: textOf(REPORT_SECTIONS.needs),
    escalation: textOf(REPORT_SECTIONS.escalation),
    diagnosis: DIAGNOSES.find((one) => one === diagnosis),
  };
  if (diagnosis !== undefined && report.diagnosis === undefined) lacks.push(`a diagnosis of ${DIAGNOSES.join(', ')}`);
  return lacks.length > 0 ? { lacks } : report;
}

/**
 * Paths of files that a stuck role asks for: words that look like paths; names of handoffs of other phases are resolved
 * to the run's folder. They may not exist.
 */
export function filesAskedFor(needs: string, run: { readonly folder: string; readonly handedOn: ReadonlySet<string> }) {
  const named = needs.match(/(?<![\w/.-])[\w.-]+(?:\/[\w.-]+)*\.[a-z0-9]{1,8}(?![\w/])/gi) ?? [];
  const paths = named.filter((path) => !path.split('/').includes('..'));
  return [...new Set(paths)]
    .slice(0, HANDOFF_LIMITS.filesAskedFor)
    .map((path) => (run.handedOn.has(path) ? `${run.folder}/${path}` : path));
}

interface Field {
  readonly value: string;
  /** Indented lines below the key. */
  readonly nested: readonly string[];
}
type Fields = ReadonlyMap<string, Field>;

const READ_KEYS = ['phase', 'status', 'inputs', 'diagnosis'];

/** Keys of the front matter in lower case, and the offset of the body. Parses only the YAML a handoff needs. */
function frontMatter(text: string): { readonly fields: Fields; readonly from: number } {
  const fields = new Map<string, { value: string; nested: string[] }>();
  let first = true;
  let indent: number | undefined;
  let current: { value: string; nested: string[] } | undefined;
  for (const { start, end, next } of lineBounds(text)) {
    const line = text.slice(start, end).trimEnd();
    if (first) {
      if (line !== '---') return { fields, from: 0 };
      first = false;
      continue;
    }
    if (line === '---' || line === '...') return { fields, from: next };
    const shown = line.trimStart();
    if (shown === '' || shown.startsWith('#')) continue;
    const depth = line.length - shown.length;
    indent ??= depth;
    if (depth > indent) {
      current?.nested.push(shown);
      continue;
    }
    const [, key, value = ''] = /^([a-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/is.exec(shown) ?? [];
    if (key === undefined || depth < indent)
      throw new MalformedHandoff(`its front matter has a line without a key: ${quoted(shown)}`);
    const name = key.toLowerCase();
    if (fields.has(name) && READ_KEYS.includes(name))
      throw new MalformedHandoff(`its front matter says \`${name}\` twice`);
    current = { value, nested: [] };
    fields.set(name, current);
  }
  if (!first) throw new MalformedHandoff('its front matter has no end');
  return { fields, from: 0 };
}

/** A plain or quoted value; undefined if the key is missing. Errors: `MalformedHandoff` for any other value. */
function scalarOf(fields: Fields, key: string): string | undefined {
  const field = fields.get(key);
  if (field === undefined) return undefined;
  const value = unquoted(withoutComment(field.value));
  if (value !== '' && field.nested.length === 0) return value;
  throw new MalformedHandoff(`its front matter gives \`${key}\` no plain value`);
}

function withoutComment(value: string): string {
  const at = value.startsWith('#') ? 0 : value.indexOf(' #');
  return (at < 0 ? value : value.slice(0, at)).trim();
}

function unquoted(value: string): string {
  const [, , text] = /^(["'])([^"'\\]*)\1$/.exec(value) ?? [];
  return (text ?? value).trim();
}

function statusOf(fields: Fields, body: readonly MarkdownLine[]): Handoff['status'] {
  const said = scalarOf(fields, 'status');
  if (said === undefined) {
    const top = body.filter(({ kind }) => kind === 'text').slice(0, HANDOFF_LIMITS.statusLines);
    if (top.some(({ text }) => BLOCKED_LINE.test(plain(text)))) return 'BLOCKED';
    const unclear = top.find(
      ({ text }) => /^status\b/i.test(plain(foldLookAlikes(text)).trim()) && reportsFailure(text),
    );
    if (unclear === undefined) return 'DONE';
    throw new MalformedHandoff(`its status can be read in two ways: ${quoted(unclear.text)}`);
  }
  const status = said.toUpperCase();
  if (status === 'DONE' || status === 'BLOCKED') return status;
  throw new MalformedHandoff(`its status is neither DONE nor BLOCKED: ${quoted(said)}`);
}

/** After the word either nothing, or a reason separated from it. */
const BLOCKED_LINE = /^status[ \t]*:[ \t]*blocked[ \t]*(?:$|[.,;:!()–—-])/i;

/** A line without list or heading marker and without emphasis. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]+/, '')
    .replace(/[*_]/g, '')
    .trim();
}

function diagnosisOf(fields: Fields, body: readonly MarkdownLine[]): string | undefined {
  const said = scalarOf(fields, 'diagnosis');
  if (said !== undefined) return said.toLowerCase();
  for (const { kind, text } of body) {
    const [, word] = kind === 'text' ? (/^diagnosis[ \t]*:[ \t]*(\S+)$/i.exec(plain(text)) ?? []) : [];
    if (word !== undefined) return word.toLowerCase();
  }
  return undefined;
}

/** Parses `{FILE: hash, …}`, or one line a file below the key. */
function inputsOf(field: Field | undefined): ReadonlyMap<string, string> {
  const inputs = new Map<string, string>();
  if (field === undefined) return inputs;
  for (const entry of inputEntries(field)) {
    const at = entry.indexOf(':');
    const name = unquoted(entry.slice(0, Math.max(0, at)).trim()).replace(/^\.\//, '');
    const [, hash] = /^(?:sha256[:-])?([0-9a-f]{64})$/i.exec(unquoted(entry.slice(at + 1).trim())) ?? [];
    if (name === '' || hash === undefined)
      throw new MalformedHandoff(`an entry of its \`inputs\` is not a file with its SHA-256: ${quoted(entry)}`);
    if (inputs.has(name)) throw new MalformedHandoff(`its \`inputs\` name a file twice: ${quoted(name)}`);
    if (inputs.size >= HANDOFF_LIMITS.inputs)
      throw new MalformedHandoff(`its \`inputs\` name more than ${HANDOFF_LIMITS.inputs} files`);
    inputs.set(name, hash.toLowerCase());
  }
  return inputs;
}

function inputEntries({ value, nested }: Field): readonly string[] {
  const inline = withoutComment(value);
  const below = nested.map(withoutComment).filter((line) => line !== '');
  if (inline === '') return below;
  const whole = [inline, ...below].join(' ').trim();
  if (!whole.startsWith('{') || !whole.endsWith('}'))
    throw new MalformedHandoff('its `inputs` are not a list of files with their SHA-256');
  return whole
    .slice(1, -1)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function quoted(text: string): string {
  return JSON.stringify(cut(inert(text), HANDOFF_LIMITS.lineCharacters));
}
