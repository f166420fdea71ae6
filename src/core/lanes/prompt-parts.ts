// What a role brings to a prompt: who it is everywhere, and what its own lane, and no other, has taught it.
import { bytesOf, oneLine } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { compareText } from '#kernel/order.js';
import { redact } from '#kernel/secrets.js';
import type { CoreRole, Lane, LaneRow, Lesson, RoleRegistry } from './lane.js';

/** Where somebody works as a role: alone, or in the seat of a lane. */
export type RolePlace =
  | { readonly lane: 'solo'; readonly role: string }
  | { readonly lane: Lane; readonly seat: string };

export const PROMPT_PARTS = ['charter', 'body', 'core lessons', 'row', 'own lessons'] as const;
export type PromptPartName = (typeof PROMPT_PARTS)[number];

/** One of the texts, and what the record of the run says of it. */
export interface PromptPart {
  readonly part: PromptPartName;
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a run's record keeps of it. */
export type PromptPartRecord = Omit<PromptPart, 'text'>;

/** Charter, body and core lessons of the core role, then the own row with its lessons; alone, the lessons of solo runs. */
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

/** A row without a link, or with one that leads nowhere, is on its own. */
function coreAt({ cores }: RoleRegistry, place: RolePlace, row: LaneRow | undefined): CoreRole | undefined {
  return cores.get((place.lane === 'solo' ? place.role : row?.role) ?? '');
}

/** What stands on the row; its lessons are a part of their own, and the charter of a linked role is that of its core role alone. */
function fieldsOf({ name, fields }: LaneRow, core: CoreRole | undefined): string {
  const left = core === undefined ? ['learnings'] : ['learnings', 'charter'];
  const rows = [...fields].filter(([key, value]) => !left.includes(key) && value.trim() !== '');
  return [`name: ${name}`, ...rows.map(([key, value]) => `${key}: ${line(value)}`)].join('\n');
}

/**
 * Of all lists together the newest, as many as there is room for, each list in its own order. What has no date is older than
 * what has one; of the same day, what stands further down is newer.
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
