import * as z from 'zod/mini';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { type CheckedJson, checkedJson } from '#kernel/checked-json.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import type { AttemptEnd, AttemptReport } from '#ports/worker-gateway.js';
import type { PostedAttempt } from './attempt-board.js';

const text = z.string();
const whole = z.int();
const amount = z.number().check(z.nonnegative());
const maybe = z.exactOptional;

const usage = z.object({
  cost_usd: maybe(amount),
  estimated_usd: maybe(amount),
  input_tokens: maybe(amount),
  output_tokens: maybe(amount),
  cache_read_input_tokens: maybe(amount),
  cache_creation_input_tokens: maybe(amount),
});

const fact = z.object({
  id: text,
  taskId: text,
  fence: whole,
  startedAt: z.number(),
  timeoutMs: amount,
  alive: z.boolean(),
  started: z.boolean(),
  outputBytes: amount,
  executor: maybe(text),
  branch: maybe(text),
  turns: maybe(amount),
  progressAt: maybe(z.number()),
  leaseUntil: maybe(z.number()),
  usage: maybe(usage),
  result: maybe(
    z.object({
      outcome: z.enum(['succeeded', 'failed']),
      reason: text,
      usage: maybe(usage),
      sessionId: maybe(text),
      turns: maybe(amount),
      toolCalls: maybe(amount),
      trouble: maybe(z.enum(Object.keys(TROUBLES) as Trouble[])),
      resetsAt: maybe(z.number()),
      spent: maybe(z.literal(true)),
      lastWords: maybe(text),
      check: maybe(z.object({ code: whole, ms: amount, lastLines: text })),
      signal: maybe(text),
    }),
  ),
  exit: maybe(
    z.object({
      code: whole,
      check: maybe(z.object({ lastLines: text })),
      lastLines: maybe(text),
      durationMs: maybe(z.number()),
    }),
  ),
  silentEnd: maybe(z.literal('ask')),
  startError: maybe(text),
  ended: maybe(z.enum(['timeout', 'idle', 'output', 'stopped', 'superseded', 'silent', 'budget', 'lost'])),
});

const listed = z.object({
  id: text,
  task_id: text,
  executor: text,
  status: z.enum(['starting', 'working', 'stopping', 'parked', 'done', 'failed', 'dead']),
  started_at: text,
  last_heartbeat: maybe(text),
  model: maybe(text),
  usage: maybe(usage),
});

const commit = text.check(z.regex(/^[0-9a-f]{4,64}$/));
const publication = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('published'),
    branch: text,
    commit,
    base: maybe(commit),
    committed: z.boolean(),
    leftOut: z.array(text),
  }),
  z.object({ outcome: z.literal('nothing'), commit, before: z.literal(false) }),
  z.object({ outcome: z.literal('kept'), reason: z.enum(['unfinished', 'moved']), text }),
]);

const reportSchema: z.ZodMiniType<AttemptReport> = z.object({ fact, listed });
const endSchema: z.ZodMiniType<AttemptReport & Partial<AttemptEnd>> = z.object({
  fact,
  listed,
  publication: z.optional(publication),
  unpublished: z.optional(text),
});

/** Parses a worker's report on one run. Ignores unknown fields. */
function toldReport(json: string): CheckedJson<AttemptReport> {
  return checkedJson(json, reportSchema, WORKER_LIMITS.toldCharacters);
}

/** Parses all reports of a heartbeat, parallel to its runs. */
export function toldReports(
  runs: readonly string[],
  reports: readonly string[],
): { reports: readonly AttemptReport[]; unread: readonly { run: string; why: string }[] } {
  const all = reports.map((json, at) => ({ run: runs[at] ?? '', ...toldReport(json) }));
  return {
    reports: all.flatMap((one) => ('value' in one ? [one.value] : [])),
    unread: all.flatMap((one) => ('fault' in one ? [{ run: one.run, why: one.fault }] : [])),
  };
}

/** Parses a worker's final report. */
function toldEnd(json: string): CheckedJson<AttemptEnd> {
  const read = checkedJson(json, endSchema, WORKER_LIMITS.toldCharacters);
  if ('fault' in read) return read;
  const { publication: handed, unpublished, ...report } = read.value;
  return { value: { ...report, publication: handed, unpublished } };
}

/** Parses a worker's reports of an attempt. Drops an invalid report; an invalid final one is `garbled`. */
export function toldOf(
  report: string | undefined,
  end: string | undefined,
): Partial<Pick<PostedAttempt, 'report' | 'end' | 'outcome' | 'reason'>> {
  const reported = report === undefined ? undefined : toldReport(report);
  const ended = end === undefined ? undefined : toldEnd(end);
  return {
    ...(reported !== undefined && 'value' in reported ? { report: reported.value } : {}),
    ...(ended === undefined
      ? {}
      : 'value' in ended
        ? { end: ended.value }
        : { outcome: 'garbled' as const, reason: ended.fault }),
  };
}
