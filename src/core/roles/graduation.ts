// Graduation: adds a lesson to the core role and deletes its sources. The resulting files are derived from the approved
// graduation.
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import type { GraduationCandidate, LessonSource } from './candidates.js';
import { addCoreLesson } from './core-file.js';
import type { Lesson, RoleRegistry } from './lane.js';
import { foldedLesson } from './lesson.js';
import { readRoles, strikeLessons } from './registry.js';
import { coreFile } from './role-paths.js';
import { parseText } from './role-text.js';

/** Texts of role files by path. */
type Texts = ReadonlyMap<string, string>;

/** An approved graduation; complete, so that it can be repeated. */
export interface Graduation {
  readonly role: string;
  readonly lesson: string;
  /** Such as `2026-03-01`. */
  readonly date: string;
  readonly sources: readonly Pick<LessonSource, 'origin' | 'name' | 'text'>[];
}

/** A changed file, before and after. */
export interface RoleFileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Graduation of a candidate. Errors: `bad_input` for a candidate that names no single lesson. */
export function graduationOf(candidate: GraduationCandidate, date: string): Graduation {
  if (!('lesson' in candidate)) {
    throw new TroupeError('bad_input', {
      what: `${candidate.id} does not name a single lesson: ${SUGGESTED[candidate.why]}.`,
      hint: `See \`troupe roles show ${candidate.role}\`; only a person can decide.`,
    });
  }
  const { role, lesson, sources } = candidate;
  return { role, lesson, date, sources: sources.map(({ origin, name, text }) => ({ origin, name, text })) };
}

const SUGGESTED = {
  'several-lanes': 'it says that several lanes have this role',
  'many-solo-lessons': 'it says that solo runs have learned much',
} as const;

/** All changed files. Idempotent: a second call finds the lesson present and its sources gone. */
export function graduated(texts: Texts, { role, lesson, date, sources }: Graduation): RoleFileChange[] {
  const place = coreFile(role);
  if (!texts.has(place)) throw new TroupeError('role_not_found', { what: `There is no role ${role}.` });
  const after = new Map<string, string>();
  for (const [file, lessons] of presentIn(readRoles(texts), sources)) {
    const struck = strikeLessons(file, texts.get(file) ?? '', lessons);
    if (struck !== undefined) after.set(file, struck);
  }
  const core = after.get(place) ?? texts.get(place) ?? '';
  after.set(place, addCoreLesson(role, core, 'core', { date, text: lesson }).text);
  return [...after].flatMap(([file, text]) => {
    const before = texts.get(file) ?? '';
    return before === text ? [] : [{ file, before, after: text }];
  });
}

/** Sources that still exist, by file: the matching lessons of the row or of the solo runs. */
function presentIn({ cores, rows }: RoleRegistry, sources: Graduation['sources']): ReadonlyMap<string, Lesson[]> {
  const byFile = new Map<string, Lesson[]>();
  for (const { origin, name, text } of sources) {
    const lessons = origin === 'solo' ? cores.get(name)?.solo : rows[origin].find((row) => row.name === name)?.lessons;
    const lesson = lessons?.find((one) => foldedLesson(one.text) === foldedLesson(text));
    const file = coreFile(origin === 'solo' ? name : origin);
    if (lesson) byFile.set(file, [...(byFile.get(file) ?? []), lesson]);
  }
  return byFile;
}

/** Hash of the graduation as shown: an approval names it, and applies only to exactly that. */
export function seenHash({ role, lesson, sources }: Graduation): string {
  return sha256(JSON.stringify([role, lesson, sources.map(({ origin, name, text }) => [origin, name, text])])).slice(
    0,
    16,
  );
}

/** Detail of its event. */
export function graduationDetail(graduation: Graduation, changes: readonly RoleFileChange[]): JsonObject {
  const { role, lesson, date, sources } = graduation;
  return {
    role,
    lesson,
    date,
    sources: sources.map(({ origin, name, text }) => ({ origin, name, text })),
    files: changes.map(({ file, before, after }) => ({ file, before, after })),
  };
}

/** Removed and added lines by file, for people. */
export function differenceText(changes: readonly RoleFileChange[]): string {
  return changes
    .map(({ file, before, after }) => {
      const [old, now] = [linesOf(before), linesOf(after)];
      const gone = lineDifference(old, now).map((line) => `- ${line}`);
      return [file, ...gone, ...lineDifference(now, old).map((line) => `+ ${line}`)].join('\n');
    })
    .join('\n');
}

/** Lines of the first list missing from the second, counted with multiplicity; blank lines are ignored. */
function lineDifference(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) countUp(counts, line);
  return lines.filter((line) => {
    const left = numberOf(counts, line);
    counts.set(line, left - 1);
    return left <= 0 && line.trim() !== '';
  });
}

function linesOf(text: string): string[] {
  return parseText(text).lines.map((line) => line.text);
}
