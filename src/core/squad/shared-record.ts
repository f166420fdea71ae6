import * as z from 'zod/mini';
import { folderSlug } from '#core/catalog/member-slug.js';
import { readEventLines } from '#core/squad/file-change.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { compareText } from '#kernel/order.js';
import {
  checkedLine,
  checkedText,
  DECISION_STATUSES,
  DECISION_TYPES,
  type Decision,
  IMPORTANCES,
  MEMORY_TYPES,
  type Memory,
  type WorkSession,
} from './memory.js';
import { MEMORY_EVENTS } from './memory-ledger.js';

const id = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const moment = z.string().check(
  z.maxLength(40),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);
const name = z.string().check(z.maxLength(200));
const line = z.string().check(z.refine((text) => 'value' in checkedLine('line', text)));
const body = z.string().check(z.refine((text) => 'value' in checkedText('text', text)));
const slug = z.string().check(z.refine((text) => folderSlug(text) === text));
const shared = {
  id,
  /** Revision of the record; of two lines with one id, the higher one counts. */
  rev: z.number().check(z.int(), z.gte(0), z.lte(1_000_000_000)),
  /** Number shown to people. If two branches assign the same number, the later record gets another one. */
  number: z.number().check(z.int(), z.gte(1), z.lte(1_000_000_000)),
  /** Request, cast or entry that created it; of two records of a kind with one source, only the first keeps it. */
  source: z.optional(z.string().check(z.maxLength(300))),
  createdBy: name,
  createdAt: moment,
};

/** Schema of a line of `memory.events.jsonl`: the state of a record after a change. Unknown fields are ignored. */
export const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('decision'),
    ...shared,
    type: z.enum(DECISION_TYPES),
    title: line,
    content: body,
    rationale: body,
    agent: z.optional(slug),
    status: z.enum(DECISION_STATUSES),
    supersededBy: z.optional(id),
  }),
  z.object({
    kind: z.literal('memory'),
    ...shared,
    agent: slug,
    type: z.enum(MEMORY_TYPES),
    importance: z.enum(IMPORTANCES),
    content: body,
  }),
  z.object({ kind: z.literal('session'), ...shared, focus: line, context: body, endedAt: z.optional(moment) }),
]);
export type SharedRecord = z.infer<typeof recordSchema>;
export type RecordOf<Kind extends SharedRecord['kind']> = Extract<SharedRecord, { kind: Kind }>;

/**
 * Serialises a record as a line. The event id is a hash of the content, so that equal lines from different clones count
 * once.
 */
export function recordLine(record: SharedRecord): string {
  return JSON.stringify({ eventId: eventIdOf(record), ...record });
}

function eventIdOf(record: SharedRecord): string {
  return sha256(JSON.stringify(sorted(record))).slice(0, 32);
}

/** Hash that distinguishes two states of a record; revision and number are not part of it. */
export function contentHash({ rev: _rev, number: _number, ...content }: SharedRecord): string {
  return sha256(JSON.stringify(sorted(content)));
}

/** Parts of the id of a decision without one: only facts that its file shows too. */
export function decisionParts({
  number,
  title,
  content,
  rationale,
  created_at,
}: Pick<Decision, 'number' | 'title' | 'content' | 'rationale' | 'created_at'>): (string | number)[] {
  return ['decision', number, title, content, rationale, dayOf(created_at)];
}

export function memoryParts({
  agent,
  type,
  content,
  created_at,
}: Pick<Memory, 'agent' | 'type' | 'content' | 'created_at'>): (string | number)[] {
  return ['memory', agent, type, content, dayOf(created_at)];
}

export function sessionParts({
  number,
  focus,
  started_at,
}: Pick<WorkSession, 'number' | 'focus' | 'started_at'>): (string | number)[] {
  return ['session', number, focus, dayOf(started_at)];
}

const dayOf = (at: number): string => timestamp(at).slice(0, 10);

/** Derives an id that is equal in every clone. Records with equal parts get different ids. */
export function derivedRecordId(parts: readonly (string | number)[], isTaken: (id: string) => boolean): string {
  for (let count = 0; ; count++) {
    const candidate = sha256(JSON.stringify([...parts, count])).slice(0, 16);
    if (!isTaken(candidate)) return candidate;
  }
}

/** Reduces the lines to records by id, independent of their order. Invalid lines are skipped. */
export function readRecords(text: string | undefined): ReadonlyMap<string, SharedRecord> {
  const { events } = readEventLines(text, MEMORY_EVENTS, 'eventId', (value) => {
    const parsed = recordSchema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  });
  const records = new Map<string, SharedRecord>();
  for (const record of events) {
    const before = records.get(record.id);
    if (before === undefined || isLater(record, before)) records.set(record.id, record);
  }
  return records;
}

export function isLater(left: SharedRecord, right: SharedRecord): boolean {
  return left.rev === right.rev ? eventIdOf(left) > eventIdOf(right) : left.rev > right.rev;
}

function sorted(record: object): unknown {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => compareText(left, right));
}
