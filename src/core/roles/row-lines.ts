import { type LessonLines, lessonsIn } from './lesson.js';
import type { TextLine } from './role-text.js';

/** A field of a row, with the position of its value. */
export interface RowField {
  /** Lower-case key. */
  readonly key: string;
  readonly value: string;
  /** Line, from 0, and range of the value's characters in it. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** Number of continuation lines. */
  readonly more: number;
}

/** Parsed lines of one row. */
export interface RowLines {
  /** Line of its heading, from 0. */
  readonly at: number;
  /** Line after its last line. */
  readonly end: number;
  readonly fields: readonly RowField[];
  readonly lessons: readonly LessonLines[];
  /** Line of `learnings:`; undefined if there is none. */
  readonly learnings: number | undefined;
}

/** At the left margin, or indented by one space. */
const FIELD = /^ ?[-*+][ \t]+([A-Za-z][A-Za-z0-9_-]*):(?=[ \t]|$)/;
/** May follow `model` on its line. */
const SECOND_KEY = /[ \t]effort:(?=[ \t]|$)/;

/**
 * Parses the row with its heading at line `at`: it ends at the next heading of level 3 or less; text below a deeper
 * heading is ignored.
 */
export function rowLines(lines: readonly TextLine[], at: number): RowLines {
  let end = at + 1;
  let text: number | undefined;
  for (let level = 0; end < lines.length; end++) {
    level = lines[end]?.level ?? 0;
    if (level > 0 && level <= 3) break;
    if (level > 3) text ??= end;
  }
  const last = text ?? end;
  const starts: number[] = [];
  for (let index = at + 1; index < last; index++) if (fieldIn(lines[index])) starts.push(index);
  const fields = starts.flatMap((start, index) => fieldsOf(lines, start, starts[index + 1] ?? last));
  const learnings = fields.find(({ key }) => key === 'learnings')?.at;
  const after = starts.find((start) => learnings !== undefined && start > learnings) ?? last;
  const lessons = learnings === undefined ? [] : lessonsIn(lines, learnings + 1, after, 1);
  return { at, end, fields, lessons, learnings };
}

function fieldIn(line: TextLine | undefined): RegExpExecArray | undefined {
  return (line?.verbatim === false && FIELD.exec(line.text)) || undefined;
}

function fieldsOf(lines: readonly TextLine[], at: number, next: number): RowField[] {
  const text = lines[at]?.text ?? '';
  const [begin = '', name = ''] = FIELD.exec(text) ?? [];
  const key = name.toLowerCase();
  const more = key === 'learnings' ? [] : continuation(lines, at + 1, next);
  const second = key === 'model' ? SECOND_KEY.exec(text.slice(begin.length)) : null;
  if (!second) return [field(text, key, at, begin.length, text.length, more)];
  const secondAt = begin.length + second.index;
  return [
    field(text, key, at, begin.length, secondAt, []),
    field(text, 'effort', at, secondAt + second[0].length, text.length, more),
  ];
}

function field(text: string, key: string, at: number, begin: number, end: number, more: readonly string[]): RowField {
  const part = text.slice(begin, end);
  const value = part.trim();
  const from = value === '' ? begin : begin + part.indexOf(value);
  return { key, value: [value, ...more].join(' ').trim(), at, from, to: from + value.length, more: more.length };
}

/** Indented lines directly below a field. */
function continuation(lines: readonly TextLine[], from: number, to: number): string[] {
  const more: string[] = [];
  for (let at = from; at < to; at++) {
    const line = lines[at];
    if (!line || line.verbatim || !/^[ \t]+\S/.test(line.text)) break;
    more.push(line.text.trim().replace(/^[-*+][ \t]+/, ''));
  }
  return more;
}
