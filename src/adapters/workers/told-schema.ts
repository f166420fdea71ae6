import * as z from 'zod/mini';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import type { AttemptEnd, AttemptReport } from '#ports/worker-desk.js';

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

/** What a worker told, or why it is not understood. */
type Told<Kind> = { readonly told: Kind } | { readonly unread: string };

/** A heartbeat of a worker about one run. Fields that this version does not know are left aside. */
export function toldReport(json: string): Told<AttemptReport> {
  return told(json, reportSchema);
}

/** All that a heartbeat says, side by side with the runs that it is about. */
export function toldReports(
  runs: readonly string[],
  reports: readonly string[],
): { reports: readonly AttemptReport[]; unread: readonly { run: string; why: string }[] } {
  const all = reports.map((json, at) => ({ run: runs[at] ?? '', ...toldReport(json) }));
  return {
    reports: all.flatMap((one) => ('told' in one ? [one.told] : [])),
    unread: all.flatMap((one) => ('unread' in one ? [{ run: one.run, why: one.unread }] : [])),
  };
}

/** How a worker says that a run ended. */
export function toldEnd(json: string): Told<AttemptEnd> {
  const read = told(json, endSchema);
  if ('unread' in read) return read;
  const { publication: handed, unpublished, ...report } = read.told;
  return { told: { ...report, publication: handed, unpublished } };
}

function told<Kind>(json: string, schema: z.ZodMiniType<Kind>): Told<Kind> {
  if (json.length > WORKER_LIMITS.toldCharacters)
    return { unread: `it is longer than ${WORKER_LIMITS.toldCharacters} characters` };
  const value = parseJsonObject(json);
  if (value === undefined) return { unread: 'it is not a JSON object' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { told: parsed.data };
  const [issue] = parsed.error.issues;
  return { unread: issue === undefined ? 'it is not valid' : describeIssue(explainIssue(issue, value), 'it') };
}
