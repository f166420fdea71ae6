import { isTrialId } from '#core/graph/trial.js';
import { timestamp } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { withoutRunTokens } from '#kernel/run-token.js';
import type { GraphContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import type { Caller, RunCaller } from '#ports/callers.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { OperationSpec } from './operation-spec.js';

interface RunsCall {
  readonly spec: Pick<OperationSpec, 'name' | 'forRuns'>;
  readonly context: GraphContext;
  readonly caller: RunCaller;
  /** Input with tokens masked, and the same after validation. */
  readonly masked: unknown;
  readonly checked: unknown;
}

/**
 * Executes a change by a run: authenticates the process by its token and restricts the change to the run's own tasks. A
 * change that is refused because it is too late is stored with its input.
 */
export async function callAsRun<Answer>(
  { spec, context, caller, masked, checked }: RunsCall,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const runs = await context.runs();
  await authenticateRun(runs, caller);
  refuseBeyondTrial(caller, checked);
  if (spec.forRuns === 'own') await refuseForeign(context, caller, checked);
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error, 'stale_attempt')) {
      const at = timestamp(context.clock.now());
      await runs.keepRefused(caller.name, { at, operation: spec.name, fence: caller.fence, input: masked });
    }
    throw error;
  }
}

/** Masks the tokens of runs in all texts of an input. */
export function maskedTokens(input: unknown): unknown {
  if (typeof input === 'string') return withoutRunTokens(input);
  if (Array.isArray(input)) return input.map(maskedTokens);
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, maskedTokens(value)]));
}

/**
 * Rejects changes to tasks that a run, or a person as a member, neither holds nor created. The operation itself checks
 * at its commit whether a run still holds the task.
 */
export async function refuseForeign(context: Pick<Context, 'graph'>, caller: Caller, input: unknown): Promise<void> {
  const id = isJsonObject(input) ? String(input['id']) : '';
  if (caller.kind === 'run' && id === caller.taskId) return;
  const task = (await (await context.graph()).view()).task(id);
  if (task === undefined || task.created_by === caller.name) return; // the operation reports a missing task
  if (caller.kind === 'person' && task.assigned === caller.name) return;
  throw new TroupeError('not_yours', { what: `${id} is not the task of ${caller.name}.`, details: { id } });
}

/** Rejects everything that a trial changes beyond its own task: other tasks, messages, memories. */
function refuseBeyondTrial({ name, taskId }: RunCaller, input: unknown): void {
  if (!isTrialId(taskId) || (isJsonObject(input) && input['id'] === taskId)) return;
  throw new TroupeError('not_yours', {
    what: `${name} is a trial: it may change only its own task.`,
    hint: 'Do the task itself and report it.',
    details: { id: taskId },
  });
}

/**
 * Rejects a process that does not have the token of the run it claims to be. Runs without a token hash, from earlier
 * versions, are accepted. Errors: `bad_run_token`.
 */
export async function authenticateRun(runs: Pick<RunFolders, 'identity'>, caller: RunCaller): Promise<void> {
  if (caller.atItsDoor) return;
  const { name, taskId, fence, token = '' } = caller;
  const identity = await runs.identity(name);
  if (identity?.tokenHash === undefined) return;
  if (sha256(token) === identity.tokenHash && identity.taskId === taskId && fence <= identity.fence) return;
  throw new TroupeError('bad_run_token', { what: `The caller is not ${name}, or not at that attempt.` });
}
