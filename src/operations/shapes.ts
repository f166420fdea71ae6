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
import { option } from '#operations/fields.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { GraphContext } from './contexts.js';
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
  description: option('What to do', text, { short: 'd', value: 'TEXT' }),
  exec: option('The shell command that does it, without a model', text, { value: 'COMMAND' }),
  exec_mode: option('One of full, light, bare, shell', z.optional(z.enum(EXEC_MODES)), { value: 'MODE' }),
  timeout: option('Time limit of one attempt', text, { value: 'DURATION' }),
  member: option('The team member who owns it', text, { value: 'NAME', names: 'member' }),
  agent: option('The agent who does it', text, { flag: 'assign', value: 'AGENT' }),
  not_before: option('Earliest start time', text, { value: 'TIME' }),
  delay: option('Delay before it may start', text, { value: 'DURATION' }),
  verify: option('What a reviewer must check before it is done', text, { value: 'TEXT' }),
  verify_cmd: option('A command that must exit with 0 before it is done', text, { value: 'COMMAND' }),
  require_commit: option('It is done only when all its work is committed in its worktree', flag),
  in: option(
    'Where a command, light or bare run finds the work it depends on: integration or project',
    z.optional(z.enum(WORK_PLACES)),
    { value: 'PLACE' },
  ),
  max_retries: option('Further attempts allowed after the first', number, { value: 'N' }),
  max_rejections: option('Maximum number of rejections', number, { value: 'N' }),
  hours: option('Estimated hours', number, { value: 'N' }),
  cost: option('Estimated cost', number, { value: 'N' }),
  requires: option('A resource it needs', texts, { flag: 'require', value: 'RESOURCE' }),
  needs: option('A label that the worker it runs at must have', texts, { value: 'LABEL' }),
  model: option('The model to use', text, { value: 'MODEL' }),
  provider: option('One of anthropic, openai, openrouter, local', z.optional(z.enum(PROVIDERS)), { value: 'NAME' }),
  visibility: option('Who may see it: internal, peer, public', z.optional(z.enum(VISIBILITIES)), { value: 'ZONE' }),
  context_scope: option('How much context its run gets: clean, task, graph, full', z.optional(z.enum(CONTEXT_SCOPES)), {
    value: 'SCOPE',
  }),
  max_iterations: option('Maximum iterations of the cycle it heads', number, { value: 'N' }),
  cycle_guard: option('When the cycle repeats: always, task:ID=STATUS, iteration<N', text, { value: 'GUARD' }),
  cycle_delay: option('Delay before each iteration', text, { value: 'DURATION' }),
  no_converge: option('The cycle does not end early', flag),
  no_restart_on_failure: option('A failure in the cycle does not restart it', flag),
  max_failure_restarts: option('Maximum restarts after a failure', number, { value: 'N' }),
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
  context: Pick<Context, 'clock' | 'caller'>,
  input: { readonly actor?: string | undefined; readonly reason?: string | undefined },
): MoveOptions {
  return { now: context.clock.now(), by: moverOf(context, input.actor), reason: input.reason };
}

/**
 * Commits a decision and returns the answer of a mutation. An operation with several commits passes a `step` for each.
 */
export async function commitMove<Result extends { readonly id: string }>(
  context: GraphContext,
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
export function personForces(context: Pick<Context, 'caller'>, force: boolean | undefined, flag = '--force'): boolean {
  if (force === true && context.caller.kind === 'run') {
    throw new TroupeError('not_yours', { what: `A run may not use ${flag}.` });
  }
  return force === true;
}

/** Earliest start of a task as RFC 3339, from `--not-before TIME` or `--delay DURATION`. */
export function earliest(
  context: Pick<Context, 'clock'>,
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
