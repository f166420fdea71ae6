import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { Lesson } from './lane.js';
import type { TextLine } from './role-text.js';

const ITEM = /^([ \t]*)[-*+][ \t]+(.*)$/;
const DATED = /^(\d{4}-\d{2}-\d{2})(?:[ \t]*[—–:][ \t]*|[ \t]+-[ \t]+|[ \t]+)(.*)$/;

/** A lesson with its lines, including continuation lines. */
export interface LessonLines extends Lesson {
  /** First line, from 0. */
  readonly at: number;
  readonly lines: number;
  /** Indentation before its dash. */
  readonly indent: string;
}

/**
 * Lessons in the lines [from, to), indented by at least `least`. Lines indented further than the first lesson are
 * continuations.
 */
export function lessonsIn(lines: readonly TextLine[], from: number, to: number, least: number): LessonLines[] {
  const lessons: { -readonly [Field in keyof LessonLines]: LessonLines[Field] }[] = [];
  for (let at = from; at < to; at++) {
    const line = lines[at];
    if (!line || line.verbatim || line.level > 0 || line.text.trim() === '') continue;
    const [, indent = '', item] = ITEM.exec(line.text) ?? [];
    const last = lessons.at(-1);
    if (item !== undefined && indent.length >= least && indent.length <= (lessons[0]?.indent.length ?? 3) + 1) {
      const [, date, text] = DATED.exec(item) ?? [];
      lessons.push({ date, text: (text ?? item).trim(), line: at + 1, at, lines: 1, indent });
    } else if (last && /^[ \t]/.test(line.text) && last.at + last.lines === at) {
      last.text = `${last.text} ${line.text.trim()}`;
      last.lines += 1;
    }
  }
  return lessons;
}

export const lessonLine = (indent: string, date: string, text: string): string => `${indent}- ${date} — ${text}`;

/** Suffix of a lesson that its run marked as valid in every context. */
export const EVERYWHERE = ' (context-independent)';

/**
 * Cleans a lesson for storage: one line, without hidden characters or secrets, truncated to the limit. Empty if nothing
 * remains.
 */
export function lessonText(foreign: string): string {
  const text = cleanText(foreign);
  const mark = text.endsWith(EVERYWHERE) ? EVERYWHERE : '';
  return cut(text.slice(0, text.length - mark.length), TEAM_LIMITS.lessonCharacters - mark.length) + mark;
}

/** Whether the cleaned lesson exceeds the limit. */
export function isTooLong(foreign: string): boolean {
  return [...cleanText(foreign)].length > TEAM_LIMITS.lessonCharacters;
}

function cleanText(foreign: string): string {
  return inert(redact(foreign.replace(/\s+/gu, ' ').trim()));
}

/** Normalised form for comparing lessons: case and spacing are ignored. */
export function foldedLesson(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function hasLesson(lessons: readonly Lesson[], text: string): boolean {
  const folded = foldedLesson(text);
  return lessons.some((lesson) => foldedLesson(lesson.text) === folded);
}

const STATUS_NOTE = /^status: (?:stable|probationary|retired) after /;

/** Line among a row's lessons that records the reason for its status. */
export const statusNote = (why: string, run: string): string => `status: ${why} (${run})`;

/** Status notes are not lessons. */
export function isStatusNote(lesson: Pick<Lesson, 'text'>): boolean {
  return STATUS_NOTE.test(lesson.text);
}
