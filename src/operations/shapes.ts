import * as z from 'zod/mini';
import type { UnknownPredecessors } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import type { MoveOptions, Mover } from '#core/graph/moves.js';
import { formatReadinessReason, readiness } from '#core/graph/ready.js';
import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS, VISIBILITIES, WORK_PLACES } from '#core/graph/task.js';
import { momentOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { Context } from './operation.js';
import { taskShape } from './task-shape.js';

export const texts = z.optional(z.array(z.string()));
export const text = z.optional(z.string());
export const number = z.optional(z.number());
export const flag = z.optional(z.boolean());

/** Output fields of all mutations. */
export const commitFields = {
  task: z.optional(taskShape),
  seq: z.number(),
  events: z.array(z.object({ seq: z.number(), op: z.string(), task_id: text })),
};

/** Output fields for an open task: whether it is ready, and if not, the reasons. */
export const readyFields = { ready: z.optional(z.boolean()), reasons: z.optional(z.readonly(z.array(z.string()))) };

/** Output of all operations that move a task. */
export const movedShape = z.object({
  id: z.string(),
  status: z.string(),
  changed: z.boolean(),
  warnings: z.readonly(z.array(z.string())),
  ...readyFields,
  ...commitFields,
});

/** Input fields of the core's `TaskFields`, except times, which are parsed from text. */
export const editable = {
  description: text,
  exec: text,
  exec_mode: z.optional(z.enum(EXEC_MODES)),
  not_before: text,
  delay: text,
  timeout: text,
  member: text,
  agent: text,
  model: text,
  provider: z.optional(z.enum(PROVIDERS)),
  verify: text,
  verify_cmd: text,
  require_commit: flag,
  in: z.optional(z.enum(WORK_PLACES)),
  max_retries: number,
  max_rejections: number,
  visibility: z.optional(z.enum(VISIBILITIES)),
  context_scope: z.optional(z.enum(CONTEXT_SCOPES)),
  requires: texts,
  needs: texts,
  hours: number,
  cost: number,
  max_iterations: number,
  cycle_guard: text,
  cycle_delay: text,
  no_converge: flag,
  no_restart_on_failure: flag,
  max_failure_restarts: number,
};

/** Answer of a mutation: its result, the present task, and the committed events. */
export async function answer<Result extends { readonly id: string }>(
  context: Pick<Context, 'clock'>,
  store: GraphStore,
  commit: Commit<Result>,
) {
  const view = await store.view();
  const task = view.task(commit.result.id);
  return {
    ...commit.result,
    ...(task ? { task } : {}),
    ...(task?.status === 'open' ? standingOf(view, task.id, context.clock.now()) : {}),
    seq: commit.seq,
    events: eventRows(commit.entries),
  };
}

/** Events as listed in the answers of mutations. */
export function eventRows(entries: Commit<unknown>['entries']): z.infer<(typeof commitFields)['events']> {
  return entries.map(({ seq, op, task_id }) => ({ seq, op, ...(task_id === undefined ? {} : { task_id }) }));
}

function standingOf(view: GraphView, id: string, now: number) {
  const { ready, reasons } = readiness(view, id, now);
  return { ready, reasons: reasons.map(formatReadinessReason) };
}

/** The caller for core functions; a run has the fence of its claim. */
export function moverOf(context: Pick<Context, 'caller'>, named?: string): Mover {
  const { caller } = context;
  if (caller.kind === 'run') return { name: caller.name, fence: caller.fence, taskId: caller.taskId };
  return named === undefined || named === caller.name ? { name: caller.name } : { name: named, account: caller.name };
}

/** Actor, time and reason of a move. */
export function moveOptions(
  context: Context,
  input: { readonly actor?: string | undefined; readonly reason?: string | undefined },
): MoveOptions {
  return { now: context.clock.now(), by: moverOf(context, input.actor), reason: input.reason };
}

/**
 * Commits a decision and returns the answer of a mutation. An operation with several commits passes a `step` for each.
 */
export async function commitMove<Result extends { readonly id: string }>(
  context: Context,
  decide: (view: GraphView) => Plan<Result>,
  step?: string,
) {
  const store = await context.graph();
  const { requestId } = context.request;
  const request =
    step === undefined || requestId === undefined
      ? context.request
      : { ...context.request, requestId: `${requestId}:${step}` };
  return await answer(context, store, await store.commit(decide, request));
}

/** Whether a person forces the operation. Errors: `not_yours` if a run does. */
export function personForces(context: Context, force: boolean | undefined, flag = '--force'): boolean {
  if (force === true && context.caller.kind === 'run') {
    throw new TroupeError('not_yours', { what: `A run may not use ${flag}.` });
  }
  return force === true;
}

/** Earliest start of a task as RFC 3339, from `--not-before TIME` or `--delay DURATION`. */
export function earliest(
  context: Context,
  notBefore: string | undefined,
  delay: string | undefined,
): string | undefined {
  if (notBefore !== undefined && delay !== undefined) {
    throw new TroupeError('usage', { what: 'Use --delay or --not-before, not both.' });
  }
  if (delay !== undefined) return new Date(context.clock.now() + parseDuration(delay)).toISOString();
  if (notBefore === undefined) return undefined;
  return new Date(momentOf(notBefore)).toISOString();
}

/** Validates a duration before it is used. Errors: `bad_input`. */
export function checkedDuration(value: string | undefined): string | undefined {
  if (value !== undefined) parseDuration(value);
  return value;
}

/** Policy for predecessors that do not exist: rejected, unless the caller allows them to be added later. */
export function unknownPolicy({
  allow_missing,
}: {
  readonly allow_missing?: boolean | undefined;
}): UnknownPredecessors {
  return allow_missing ? 'warn' : 'refuse';
}
