// Candidates for graduation: lessons learned in more than one lane, and roles present in more than one lane.
import { compareText } from '#kernel/order.js';
import { LANES, type Lane, type LaneRow, type Lesson, type RoleRegistry } from './lane.js';
import { EVERYWHERE, isStatusNote } from './lesson.js';
import { lessonGroups, lessonOverlap } from './lesson-likeness.js';
import { coreFile, laneFile } from './role-paths.js';

/** Above this number of solo lessons, a person should review them. */
const MANY_SOLO_LESSONS = 15;

/** Origin of a lesson: a lane, or solo runs. */
export type Origin = Lane | 'solo';

/** A lesson with its place. */
export interface LessonSource {
  readonly origin: Origin;
  /** Name of the row or core role. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly date: string | undefined;
  /** Verbatim text. */
  readonly text: string;
}

/** A lesson that supports a candidate. */
export interface CandidateEvidence extends LessonSource {
  /** Word overlap with the first lesson of the group, 0 to 1; the criterion for the grouping. */
  readonly overlap: number;
}

interface Suggestion {
  /** Such as `c1`, in the order of the list. */
  readonly id: string;
  readonly role: string;
  /** Origins of its evidence. */
  readonly origins: readonly Origin[];
}

/** A suggestion with its reason and evidence. */
export type GraduationCandidate =
  /**
   * A lesson of at least two origins, or one that its run marked as context-independent: it can become a core lesson.
   */
  | (Suggestion & {
      readonly why: 'shared-lesson' | 'marked-lesson';
      /** Text of the future core lesson. */
      readonly lesson: string;
      readonly sources: readonly CandidateEvidence[];
    })
  /** The role works in several lanes. */
  | (Suggestion & { readonly why: 'several-lanes'; readonly linked: boolean })
  | (Suggestion & { readonly why: 'many-solo-lessons'; readonly lessons: number });

type Unnumbered = GraduationCandidate extends infer One
  ? One extends GraduationCandidate
    ? Omit<One, 'id'>
    : never
  : never;

/** All candidates for graduation, lessons first. They are suggestions and have no effect by themselves. */
export function candidatesIn(registry: RoleRegistry): GraduationCandidate[] {
  const linked = sourcesByCore(registry);
  const lessons = [...linked].flatMap(([role, sources]) => lessonCandidates(role, sources));
  const shared = lessons.filter(({ why }) => why === 'shared-lesson');
  const marked = lessons.filter(({ why }) => why === 'marked-lesson');
  const all: Unnumbered[] = [...shared, ...marked, ...rolesInLanes(registry), ...bloatedSolo(registry)];
  return all.map((one, index) => ({ ...one, id: `c${index + 1}` }) as GraduationCandidate);
}

/** The lesson without its `EVERYWHERE` mark. */
export function withoutMark(text: string): string {
  return text.endsWith(EVERYWHERE) ? text.slice(0, -EVERYWHERE.length).trimEnd() : text;
}

/** All lessons of each core role, from the rows linked to it and from its solo runs, ordered by name. */
function sourcesByCore({ cores, rows }: RoleRegistry): ReadonlyMap<string, readonly LessonSource[]> {
  const byCore = new Map<string, LessonSource[]>([...cores.keys()].sort().map((name) => [name, []]));
  for (const row of LANES.flatMap((lane) => rows[lane])) {
    if (row.role === undefined) continue;
    byCore.get(row.role)?.push(...sourcesOf(row.lessons, row.lane, row.name, laneFile(row.lane)));
  }
  for (const { name, solo } of cores.values()) byCore.get(name)?.push(...sourcesOf(solo, 'solo', name, coreFile(name)));
  return byCore;
}

function sourcesOf(lessons: readonly Lesson[], origin: Origin, name: string, file: string): LessonSource[] {
  return lessons
    .filter((lesson) => !isStatusNote(lesson))
    .map(({ date, text, line }) => ({ origin, name, file, line, date, text }));
}

function lessonCandidates(role: string, sources: readonly LessonSource[]) {
  const compared = sources.map((source) => ({ source, text: withoutMark(source.text) }));
  return lessonGroups(compared).flatMap((group) => {
    const own = group.map(({ source }) => source);
    const origins = [...new Set(own.map(({ origin }) => origin))];
    const why = origins.length > 1 ? 'shared-lesson' : 'marked-lesson';
    if (why === 'marked-lesson' && !own.some(({ text }) => text.endsWith(EVERYWHERE))) return [];
    const first = group[0]?.text ?? '';
    const evidence = group.map(({ source, text }) => ({ ...source, overlap: lessonOverlap(first, text) }));
    return [{ why, role, origins, lesson: withoutMark(newest(own).text), sources: evidence } as const];
  });
}

/** The latest lesson is taken as the best wording; without dates, the first. */
function newest(sources: readonly LessonSource[]): LessonSource {
  return sources.reduce((best, one) => ((one.date ?? '') > (best.date ?? '') ? one : best));
}

/** Roles in at least two lanes, by link, or by heading if unlinked. Retired rows are ignored. */
function rolesInLanes({ cores, rows }: RoleRegistry): Unnumbered[] {
  const byRole = new Map<string, LaneRow[]>();
  for (const row of LANES.flatMap((lane) => rows[lane])) {
    const role = row.role ?? row.name;
    if (row.status !== 'retired') byRole.set(role, [...(byRole.get(role) ?? []), row]);
  }
  return [...byRole].sort(byName).flatMap(([role, own]) => {
    const origins = [...new Set(own.map(({ lane }) => lane))];
    const linked = cores.has(role) && own.every((row) => row.role === role);
    return origins.length < 2 ? [] : [{ why: 'several-lanes', role, origins, linked } as const];
  });
}

function bloatedSolo({ cores }: RoleRegistry): Unnumbered[] {
  return [...cores].sort(byName).flatMap(([role, { solo }]) => {
    if (solo.length <= MANY_SOLO_LESSONS) return [];
    return [{ why: 'many-solo-lessons', role, origins: ['solo'], lessons: solo.length } as const];
  });
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return compareText(left, right);
}
