import * as z from 'zod/mini';
import type { Briefing, BriefingLearning } from '#core/squad/memory.js';
import {
  DECISION_STATUSES,
  DECISION_TYPES,
  type Decision,
  ENTRY_STATUSES,
  ENTRY_TYPES,
  IMPORTANCES,
  type InboxEntry,
  MEMORY_TYPES,
  type Memory,
  type WorkSession,
} from '#core/squad/memory.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { text } from '#operations/shapes.js';

/** Coerced, because a number typed on the command line arrives as a string. */
export const rowNumber = z.coerce.number<number | string>().check(z.int(), z.gte(1), z.lte(999_999_999));
export const limit = z.optional(z.number().check(z.int(), z.gte(1), z.lte(TEAM_LIMITS.memoryRowsListed)));
export const files = z.readonly(z.array(z.object({ file: z.string(), reason: z.string() })));

const origin = { created_by: z.string(), created_at: z.string() };

export const memoryShape = z.object({
  number: z.number(),
  agent: z.string(),
  type: z.enum(MEMORY_TYPES),
  importance: z.enum(IMPORTANCES),
  content: z.string(),
  ...origin,
});

export const entryShape = z.object({
  number: z.number(),
  agent: z.string(),
  slug: z.string(),
  /** Name of its file. */
  stored_slug: z.string(),
  type: z.enum(ENTRY_TYPES),
  title: z.string(),
  content: z.string(),
  rationale: z.string(),
  status: z.enum(ENTRY_STATUSES),
  ...origin,
  settled_by: text,
  settled_at: text,
  reason: text,
});

export const decisionShape = z.object({
  number: z.number(),
  type: z.enum(DECISION_TYPES),
  title: z.string(),
  content: z.string(),
  rationale: z.string(),
  agent: text,
  status: z.enum(DECISION_STATUSES),
  superseded_by: z.optional(z.number()),
  ...origin,
});

export const sessionShape = z.object({
  number: z.number(),
  focus: z.string(),
  context: z.string(),
  status: z.enum(['open', 'ended']),
  started_by: z.string(),
  started_at: z.string(),
  ended_at: text,
});

/** Memory section of the prompt for a starting attempt. */
export const briefingShape = z.object({
  learnings: z.array(z.pick(memoryShape, { number: true, importance: true, content: true, created_at: true })),
  decisions: z.array(z.pick(decisionShape, { number: true, type: true, title: true, content: true, rationale: true })),
  /** Numbers of rows not shown. */
  older: z.object({ learnings: z.number(), decisions: z.number() }),
});

export const settledShape = z.object({
  entry: entryShape,
  decision: z.optional(decisionShape),
  memory: z.optional(memoryShape),
});

export function memoryRow({ source: _, created_at, ...memory }: Memory): z.infer<typeof memoryShape> {
  return { ...memory, created_at: timestamp(created_at) };
}

export function briefingAnswer({ learnings, decisions, older }: Briefing): z.infer<typeof briefingShape> {
  const at = ({ created_at, ...learning }: BriefingLearning) => ({ ...learning, created_at: timestamp(created_at) });
  return { learnings: learnings.map(at), decisions: [...decisions], older };
}

export function entryRow({ created_at, settled_at, ...entry }: InboxEntry): z.infer<typeof entryShape> {
  return {
    ...entry,
    created_at: timestamp(created_at),
    ...(settled_at === undefined ? {} : { settled_at: timestamp(settled_at) }),
  };
}

export function decisionRow({ source: _, created_at, ...decision }: Decision): z.infer<typeof decisionShape> {
  return { ...decision, created_at: timestamp(created_at) };
}

export function sessionRow({ source: _, started_at, ended_at, ...session }: WorkSession): z.infer<typeof sessionShape> {
  return {
    ...session,
    status: ended_at === undefined ? 'open' : 'ended',
    started_at: timestamp(started_at),
    ...(ended_at === undefined ? {} : { ended_at: timestamp(ended_at) }),
  };
}

/** Returns the latest rows that fit into one answer, at least one. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const from = rows.findLastIndex((row) => {
    bytes += JSON.stringify(row).length;
    return bytes > TEAM_LIMITS.memoryListedBytes;
  });
  return rows.slice(Math.min(from + 1, rows.length - 1));
}
