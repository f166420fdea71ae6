import * as z from 'zod/mini';
import { frameShape } from '#core/history/replay-frames.js';
import { loggedVerdictShape, traceOperationShape, treeTotalsShape } from '#core/history/task-history.js';
import { timelineShape } from '#core/history/timeline.js';

const text = z.optional(z.string());
const seconds = z.nullable(z.number());

export const runShape = z.object({
  run: z.string(),
  timestamp: z.string(),
  executor: text,
  ended_at: text,
  outcome: text,
  /** Reason given by its client. */
  reason: text,
  /** Null for unknown values: not reported by the client, folder removed, or still running. Money in US dollars. */
  tokens: z.nullable(z.number()),
  cost_usd: z.nullable(z.number()),
  /** Part of the cost computed from tokens and our price table. */
  estimated_usd: z.nullable(z.number()),
  prompt_bytes: z.nullable(z.number()),
  output_bytes: z.nullable(z.number()),
  turns: z.nullable(z.number()),
  tool_calls: z.nullable(z.number()),
  /** Number of the attempt at the task. */
  attempt: z.optional(z.number()),
  /** Check of its work: missing if none ran. `text` is its result, `output` its last lines. */
  check: z.optional(z.object({ command: z.string(), passed: z.boolean(), text: z.string(), output: text })),
  /** Last commit of its work, and the one it began from. */
  commit: text,
  base: text,
  /** Decision about its work. */
  verdict: z.optional(loggedVerdictShape),
  output: text,
});
const treeShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  depth: z.number(),
  above: text,
  link: text,
  started_at: text,
  completed_at: text,
  seconds,
});

/** Output of `trace show`: always the task and its operations, the rest on request. */
export const historyShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  assigned: text,
  created_at: text,
  started_at: text,
  completed_at: text,
  at: z.optional(z.number()),
  operations: z.array(traceOperationShape),
  runs: z.optional(z.array(runShape)),
  summary: z.optional(z.object({ operations: z.number(), runs: z.number(), human_interventions: z.number(), seconds })),
  tree: z.optional(z.array(treeShape)),
  totals: z.optional(treeTotalsShape),
  timeline: z.optional(timelineShape),
  graph: z.optional(
    z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.string(),
        layer: z.number(),
        after: z.readonly(z.array(z.string())),
      }),
    ),
  ),
  frames: z.optional(z.readonly(z.array(frameShape))),
  frames_left_out: z.optional(z.number()),
  speed: z.optional(z.number()),
});
export type History = z.infer<typeof historyShape>;
