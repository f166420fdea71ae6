import * as z from 'zod/mini';
import {
  CONTEXT_SCOPES,
  EXEC_MODES,
  type GraphNode,
  PROVIDERS,
  STATUSES,
  VISIBILITIES,
  WORK_PLACES,
} from '#core/graph/task.js';

const optional = z.optional;
const texts = optional(z.array(z.string()));
const text = optional(z.string());
const time = optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T/)));
const duration = optional(z.string().check(z.regex(/^\d{1,9}[smhd]$/)));
const count = optional(z.number().check(z.nonnegative()));
const flag = optional(z.boolean());
const status = z.enum(STATUSES);

const guard = z.union([
  z.literal('Always'),
  z.object({ TaskStatus: z.object({ task: z.string(), status }) }),
  z.object({ IterationLessThan: z.number() }),
]);

const logEntry = z.object({ timestamp: z.string(), actor: text, message: z.string() });

/** A missing or invalid bound is accepted here: the check reports it as `unbounded`. */
const cycleConfig = z.looseObject({
  max_iterations: optional(z.unknown()),
  guard: optional(guard),
  delay: duration,
  no_converge: flag,
  restart_on_failure: flag,
  max_failure_restarts: count,
});

const waitCondition = z.union([
  z.looseObject({ type: z.enum(['human-input', 'message']) }),
  z.looseObject({ type: z.literal('task-status'), task_id: z.string(), status }),
  z.looseObject({ type: z.literal('timer'), resume_after: z.string() }),
  z.looseObject({ type: z.literal('file-changed'), path: z.string(), mtime_at_wait: z.number(), size_at_wait: count }),
]);

/** A task, one line of `graph.jsonl`. Unknown fields are kept unchanged. */
export const taskLine = z.looseObject({
  kind: z.literal('task'),
  id: z.string(),
  title: z.string(),
  description: text,
  status,
  assigned: text,
  estimate: optional(z.looseObject({ hours: count, cost: count })),
  before: texts,
  after: texts,
  after_success: texts,
  requires: texts,
  tags: texts,
  skills: texts,
  /** Labels that a worker must have to run the task. */
  needs: texts,
  inputs: texts,
  deliverables: texts,
  artifacts: texts,
  exec: text,
  delay: duration,
  not_before: time,
  created_at: time,
  started_at: time,
  completed_at: time,
  log: optional(z.array(logEntry)),
  retry_count: count,
  max_retries: count,
  failure_reason: text,
  model: text,
  provider: optional(z.enum(PROVIDERS)),
  endpoint: text,
  verify: text,
  verify_cmd: text,
  agent: text,
  loop_iteration: count,
  last_iteration_completed_at: time,
  cycle_failure_restarts: count,
  cycle_config: optional(cycleConfig),
  cycle_ended: optional(z.object({ reason: z.string(), at: z.string() })),
  ready_after: time,
  paused: flag,
  formation_gate: optional(z.object({ run: z.string(), command: z.enum(['start', 'go']) })),
  visibility: optional(z.enum(VISIBILITIES)),
  context_scope: optional(z.enum(CONTEXT_SCOPES)),
  exec_mode: optional(z.enum(EXEC_MODES)),
  token_usage: optional(
    z.looseObject({
      cost_usd: count,
      estimated_usd: count,
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    }),
  ),
  session_id: text,
  wait_condition: optional(
    z.looseObject({ mode: z.enum(['all', 'any']), since: z.string(), by: text, conditions: z.array(waitCondition) }),
  ),
  checkpoint: text,
  resurrection_count: count,
  last_resurrected_at: time,
  rejection_count: count,
  max_rejections: count,
  superseded_by: texts,
  supersedes: text,
  unplaced: flag,
  place_near: texts,
  place_before: texts,
  parent: text,
  epic: text,
  created_by: text,
  fence: count,
  rev: count,
  converge_on_done: flag,
  team: text,
  member: text,
  conversation: text,
  plan_required: flag,
  hands_in: flag,
  plan_of: text,
  timeout: duration,
  require_commit: flag,
  in: optional(z.enum(WORK_PLACES)),
  merged: text,
  reserve: optional(z.looseObject({ usd: count, tokens: count })),
});

/** A limited resource that tasks need. */
export const resourceLine = z.looseObject({
  kind: z.literal('resource'),
  id: z.string(),
  name: text,
  type: text,
  available: optional(z.number()),
  unit: text,
});

/** One line of `operations.jsonl`: an event with all data needed to redo it. */
export const operationLine = z.looseObject({
  seq: z.number(),
  id: z.string(),
  prev: text,
  tx: optional(z.tuple([z.number(), z.number()])),
  timestamp: z.string(),
  op: z.string(),
  task_id: text,
  actor: text,
  detail: optional(z.record(z.string(), z.unknown())),
  patch: z.array(
    z.union([
      z.object({ id: z.string(), put: z.record(z.string(), z.unknown()) }),
      z.object({
        id: z.string(),
        del: z.literal(true),
        to: z.optional(z.enum(['archive', 'gc'])),
        kept: z.optional(z.record(z.string(), z.unknown())),
      }),
      z.object({
        id: z.string(),
        set: optional(z.record(z.string(), z.unknown())),
        unset: texts,
        log_at: count,
        log: optional(z.array(logEntry)),
      }),
    ]),
  ),
});

/** Returns the invalid fields of a node, after a hand edit or a write by another tool, each with its problem. */
export function misfits(node: GraphNode): { field: string; problem: string }[] {
  const schema = node.kind === 'task' ? taskLine : node.kind === 'resource' ? resourceLine : undefined;
  const result = schema?.safeParse(node);
  if (!result || result.success) return [];
  return result.error.issues.map((issue) => ({ field: issue.path.join('.'), problem: issue.message }));
}
