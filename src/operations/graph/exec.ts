import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { taskOf } from '#core/graph/task-of.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { ACTOR, TASK_ID } from '#operations/options.js';
import { commitMove, flag, movedShape, moveOptions, moverOf, text } from '#operations/shapes.js';
import { refuseUntrustedCommand } from './trusted.js';

/**
 * Runs the command of a task here: claims the task, waits, and records the outcome. Can also only set, clear or show
 * the command.
 */
export const exec = operation({
  name: 'task.exec',
  command: 'exec',
  group: 'Attempts',
  kind: 'write',
  summary: 'Run the command of a task now, here',
  examples: ['troupe exec run-the-tests --dry-run', 'troupe exec run-the-tests'],
  input: z.strictObject({
    id: TASK_ID,
    set: option('Only set the command', text, { value: 'COMMAND' }),
    clear: option('Only remove the command', flag),
    dry_run: option('Only show the command', flag),
    actor: ACTOR,
  }),
  output: z.extend(movedShape, {
    command: text,
    exit_code: z.optional(z.nullable(z.number())),
    /** Whether the command succeeded; determines the exit code. */
    ok: flag,
    output: text,
  }),
  async run(context: GraphContext & MachineContext, input) {
    if (context.caller.kind === 'run') throw new TroupeError('not_yours', { what: 'A run runs its own command only.' });
    const { id } = input;
    if (input.set !== undefined && input.clear === true)
      throw new TroupeError('usage', { what: 'Use either --set or --clear.' });
    if (input.set !== undefined || input.clear) {
      const change = input.clear ? { clear: ['exec'] } : { exec: input.set };
      const changed = await commitMove(context, (view) =>
        editTask(view, id, change, { by: moverOf(context, input.actor) }),
      );
      return { ...changed, ...(input.set === undefined ? {} : { command: input.set }) };
    }
    const store = await context.graph();
    const task = taskOf(await store.view(), id);
    const command = task.exec;
    if (command === undefined)
      throw new TroupeError('exec_missing', { what: `${id} has no command to run.`, details: { id } });
    if (input.dry_run) {
      const view = await store.view();
      const { ready } = readiness(view, id, context.clock.now());
      return { id, status: task.status, ready, changed: false, warnings: [], task, seq: view.seq, events: [], command };
    }
    await refuseUntrustedCommand(context, task);
    const { fence } = await commitMove(context, (view) => claimTask(view, id, moveOptions(context, input)), 'claim');
    const outcome = await (await context.programs()).command(command, {
      timeMs: task.timeout === undefined ? WORK_LIMITS.taskTimeoutMs : parseDuration(task.timeout),
      variables: { WG_TASK_ID: id, WG_ATTEMPT: String(fence), WG_FENCE: String(fence) },
    });
    const ended = outcome.end === 'timed-out' ? 'it timed out' : `exit code ${outcome.code ?? outcome.end}`;
    const options = { ...moveOptions(context, input), detail: { exit_code: outcome.code, ms: outcome.durationMs } };
    const ok = outcome.code === 0 && outcome.end === 'exited';
    const settled = await commitMove(
      context,
      (view) =>
        ok ? doneTask(view, id, options) : failTask(view, id, { ...options, reason: `The command failed: ${ended}` }),
      'end',
    );
    return { ...settled, command, exit_code: outcome.code, ok, output: outcome.output };
  },
});
