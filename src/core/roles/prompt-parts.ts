// Parts of a prompt that come from a role: its identity, its core lessons, and the lessons of its own lane only.
import { bytesOf, oneLine } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { compareText } from '#kernel/order.js';
import { redact } from '#kernel/secrets.js';
import type { CoreRole, Lane, LaneRow, Lesson, RoleRegistry } from './lane.js';

/** Context in which a role works: solo, or in a seat of a lane. */
export type RolePlace =
  | { readonly lane: 'solo'; readonly role: string }
  | { readonly lane: Lane; readonly seat: string };

export const PROMPT_PARTS = ['charter', 'body', 'core lessons', 'row', 'own lessons'] as const;
export type PromptPartName = (typeof PROMPT_PARTS)[number];

/** One part, with its size and hash for the record of the run. */
export interface PromptPart {
  readonly part: PromptPartName;
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Part as stored in the record of a run. */
export type PromptPartRecord = Omit<PromptPart, 'text'>;

/** Charter, body and core lessons of the core role, then its row with its lessons; for a solo run, the solo lessons. */
export function promptPartsAt(registry: RoleRegistry, place: RolePlace): PromptPart[] {
  const row = place.lane === 'solo' ? undefined : rowAt(registry, place.lane, place.seat);
  const core = coreAt(registry, place, row);
  if (!core && !row) return [];
  const shown = newestLessons([core?.core ?? [], (place.lane === 'solo' ? core?.solo : row?.lessons) ?? []]);
  const [coreLessons = '', ownLessons = ''] = shown;
  const texts = {
    charter: core?.charter ?? '',
    body: core?.body ?? '',
    'core lessons': coreLessons,
    row: row ? fieldsOf(row, core) : '',
    'own lessons': ownLessons,
  } satisfies Record<PromptPartName, string>;
  return PROMPT_PARTS.flatMap((part) => {
    const text = texts[part].trim();
    return text === '' ? [] : [{ part, text, bytes: bytesOf(text), sha256: sha256(text) }];
  });
}

function rowAt({ rows }: RoleRegistry, lane: Lane, seat: string): LaneRow | undefined {
  return rows[lane].find(({ name }) => name === seat);
}

/** Undefined for a row without a link, or with a broken one. */
function coreAt({ cores }: RoleRegistry, place: RolePlace, row: LaneRow | undefined): CoreRole | undefined {
  return cores.get((place.lane === 'solo' ? place.role : row?.role) ?? '');
}

/**
 * Fields of the row. Its lessons are a separate part, and the charter of a linked role comes from its core role only.
 */
function fieldsOf({ name, fields }: LaneRow, core: CoreRole | undefined): string {
  const left = core === undefined ? ['learnings'] : ['learnings', 'charter'];
  const rows = [...fields].filter(([key, value]) => !left.includes(key) && value.trim() !== '');
  return [`name: ${name}`, ...rows.map(([key, value]) => `${key}: ${line(value)}`)].join('\n');
}

/**
 * The newest lessons of all lists together, up to the limits, each list in its own order. Lessons without a date count
 * as older; on the same day, the later line is newer.
 */
function newestLessons(lists: readonly (readonly Lesson[])[]): string[] {
  const all = lists.flatMap((lessons, list) => lessons.map((lesson, at) => ({ list, at, lesson })));
  const newestFirst = all.sort(
    (left, right) => compareText(right.lesson.date ?? '', left.lesson.date ?? '') || right.at - left.at,
  );
  const texts: { readonly list: number; readonly at: number; readonly text: string }[] = [];
  let room: number = ROLE_PROMPT_LIMITS.lessonBytes;
  for (const { list, at, lesson } of newestFirst.slice(0, ROLE_PROMPT_LIMITS.lessons)) {
    const text = lessonLine(lesson);
    room -= bytesOf(text) + 1;
    if (room < 0) break;
    texts.push({ list, at, text });
  }
  return lists.map((_, list) =>
    texts
      .filter((one) => one.list === list)
      .sort((left, right) => left.at - right.at)
      .map(({ text }) => text)
      .join('\n'),
  );
}

function lessonLine({ date, text }: Lesson): string {
  return date === undefined ? `- ${line(text)}` : `- ${date} — ${line(text)}`;
}

function line(text: string): string {
  return oneLine(redact(text.slice(0, ROLE_PROMPT_LIMITS.lessonLineBytes)), ROLE_PROMPT_LIMITS.lessonLineBytes);
}
