import { TroupeError } from '#kernel/errors.js';
import type { RoleProblem } from './lane.js';

/** One line of a role file, with its meaning in Markdown. */
export interface TextLine {
  /** Without its line end. */
  readonly text: string;
  /** Line end: LF, CRLF or CR; empty on an unterminated last line. */
  readonly end: string;
  /** Whether it is inside a code fence, an HTML comment or the front matter, and thus plain text. */
  readonly verbatim: boolean;
  /** Level of a heading, 1 to 6, else 0. */
  readonly level: number;
  /** Title of a heading. */
  readonly title: string;
}

/** A role file as lines. Lossless: `printText` returns the same bytes. */
export interface RoleText {
  readonly bom: string;
  readonly lines: readonly TextLine[];
  /** Line end for new lines. */
  readonly eol: string;
  /** A fence, comment or front matter that is never closed. */
  readonly unclosed: { readonly line: number; readonly what: string } | undefined;
}

const BOM = '\uFEFF';
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const COMMENT = /^ {0,3}<!--/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;

/** Parses any text. Follows CommonMark for blocks at the left margin. */
export function parseText(source: string): RoleText {
  const bom = source.startsWith(BOM) ? BOM : '';
  const raw = rawLines(source.slice(bom.length));
  const frontMatter = raw[0]?.text.trimEnd() === '---';
  const noEnd = frontMatter && !raw.slice(1).some(({ text }) => isFrontMatterEnd(text));
  let block = frontMatter && !noEnd ? FRONT_MATTER : undefined;
  const lines = raw.map((line, index): TextLine => {
    if (block) {
      if (index > block.begin && block.isEnd(line.text)) block = undefined;
      return { ...line, ...TEXT, verbatim: true };
    }
    block = blockFrom(line.text, index);
    if (!block) return { ...line, ...TEXT, ...heading(line.text) };
    if (block.endsAtOnce) block = undefined;
    return { ...line, ...TEXT, verbatim: true };
  });
  const open = noEnd ? FRONT_MATTER : block;
  // With a bare CR as line end, the CR and the LF of an empty next line would read as one line end.
  const eol = raw.find(({ end }) => end.endsWith('\n'))?.end ?? (raw.some(({ end }) => end !== '') ? '\r' : '\n');
  return { bom, lines, eol, unclosed: open && { line: open.begin + 1, what: open.what } };
}

export function printText(text: RoleText): string {
  return text.bom + text.lines.map((line) => line.text + line.end).join('');
}

/** Replaces `remove` lines from line `at` (from 0) with others, given without line ends. */
export interface LineEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

/** Applies edits; all other bytes stay unchanged. Edits do not overlap; those at the same line keep their order. */
export function applyEdits(text: RoleText, edits: readonly LineEdit[]): string {
  const lines: { text: string; end: string }[] = text.lines.map((line) => ({ text: line.text, end: line.end }));
  for (const { at, remove, insert } of edits.toSorted((left, right) => left.at - right.at).toReversed()) {
    const added = insert.map((line) => ({ text: line, end: text.eol }));
    const last = added.at(-1);
    const before = at === lines.length ? lines.at(-1) : undefined;
    // A text without a final line end stays without one.
    if (last && remove > 0) last.end = lines[at + remove - 1]?.end ?? text.eol;
    else if (last && before?.end === '') {
      before.end = text.eol;
      last.end = '';
    }
    lines.splice(at, remove, ...added);
  }
  return text.bom + lines.map((line) => line.text + line.end).join('');
}

/** Problems of the text as such. */
export function textProblems(file: string, { lines, unclosed }: RoleText): RoleProblem[] {
  const [marker] = conflictMarkers(lines);
  const conflict = 'A merge conflict: keep one side and remove the markers.';
  const open = `A ${unclosed?.what} is not closed: the rest is ignored.`;
  return [
    ...(marker === undefined ? [] : [{ file, line: marker + 1, severity: 'error' as const, text: conflict }]),
    ...(unclosed === undefined ? [] : [{ file, line: unclosed.line, severity: 'error' as const, text: open }]),
  ];
}

/**
 * Lines, from 0, with git conflict markers, also inside fences and comments: a person has to resolve them. Seven equals
 * signs alone underline a heading.
 */
export function conflictMarkers(lines: readonly Pick<TextLine, 'text'>[]): number[] {
  const marks = (sign: RegExp) => lines.flatMap(({ text }, at) => (sign.test(text) ? [at] : []));
  const outer = marks(/^(?:<{7}|>{7}|\|{7})(?: |$)/);
  return outer.length === 0 ? [] : [...outer, ...marks(/^={7}$/)].sort((left, right) => left - right);
}

/** Refuses to append to a text with a conflict or an unclosed block at its end. Errors: `bad_role_file`. */
export function refuseUnclosed(file: string, text: RoleText): void {
  for (const problem of textProblems(file, text)) throw badFile(problem);
}

/** The problem as an error, for a caller that wanted to change that place. */
export function badFile({ file, line, text }: RoleProblem): TroupeError {
  return new TroupeError('bad_role_file', { what: `${file}:${line}: ${text}`, details: { file, line } });
}

interface Raw {
  readonly text: string;
  readonly end: string;
}

function rawLines(source: string): Raw[] {
  const lines: Raw[] = [];
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code !== 10 && code !== 13) continue;
    const next = code === 13 && source.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
    lines.push({ text: source.slice(start, at), end: source.slice(at, next) });
    start = next;
    at = next - 1;
  }
  if (start < source.length) lines.push({ text: source.slice(start), end: '' });
  return lines;
}

/** A block of lines that are plain text. */
interface Block {
  readonly what: string;
  /** Its first line, from 0. */
  readonly begin: number;
  isEnd(text: string): boolean;
  /** Whether it ends on its first line. */
  readonly endsAtOnce: boolean;
}

const TEXT = { verbatim: false, level: 0, title: '' } as const;
const FRONT_MATTER: Block = { what: 'front matter', begin: 0, isEnd: isFrontMatterEnd, endsAtOnce: false };

function blockFrom(text: string, begin: number): Block | undefined {
  const comment = COMMENT.exec(text);
  if (comment) {
    const isEnd = (line: string) => line.includes('-->');
    return { what: 'comment', begin, isEnd, endsAtOnce: isEnd(text.slice(comment[0].length)) };
  }
  const [, mark, info] = FENCE.exec(text) ?? [];
  if (mark === undefined || (mark.startsWith('`') && info?.includes('`'))) return undefined;
  return { what: 'code fence', begin, isEnd: (line) => closesFence(line, mark), endsAtOnce: false };
}

function isFrontMatterEnd(text: string): boolean {
  const line = text.trimEnd();
  return line === '---' || line === '...';
}

function closesFence(text: string, mark: string): boolean {
  const line = text.trimEnd();
  const closing = line.trimStart();
  const indent = line.length - closing.length;
  return indent <= 3 && closing.length >= mark.length && closing === mark.charAt(0).repeat(closing.length);
}

function heading(text: string): Pick<TextLine, 'level' | 'title'> | undefined {
  const [, marks, title = ''] = HEADING.exec(text) ?? [];
  return marks === undefined ? undefined : { level: marks.length, title: headingTitle(title) };
}

/** Title without an optional closing `##`. */
function headingTitle(rest: string): string {
  const title = rest.trim();
  let end = title.length;
  while (title.charAt(end - 1) === '#') end -= 1;
  if (end === 0) return '';
  return end < title.length && /\s/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title;
}
