import type { StartedWorkflow, WorkflowWish } from '#core/coordinator/triggers.js';
import { commandHash } from '#core/graph/commands.js';
import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';
import { compilerOf } from './compile.js';
import { freeRun } from './free-run.js';
import { policyOf } from './policy.js';
import { TASK_INPUT } from './triggers.js';
import { findWorkflow } from './workflow-source.js';

/** The tasks of a run that begins by itself. Commits nothing; says why it cannot be as any run would. */
export async function makeTriggered(context: Context, wish: WorkflowWish): Promise<StartedWorkflow> {
  const view = await (await context.graph()).view();
  const found = await findWorkflow(context, wish.workflow);
  const task = wish.task === undefined ? undefined : view.task(wish.task);
  const named = (found.workflow.inputs ?? []).some(({ name }) => name === TASK_INPUT);
  const goal = task && cut([task.id, task.title, task.description ?? ''].join('\n').trim(), LIMITS.goalCharacters);
  const compile = await compilerOf(context, found, {
    inputs: task && named ? [`${TASK_INPUT}=${task.id}`] : [],
    goal,
    policy: await policyOf(context, undefined),
  });
  const { prefix, tasks } = freeRun(view, wish.run, compile);
  // What the coordinator commits is recorded by nobody else. A file that was changed since a tick looked is not agreed to.
  const commands = tasks.flatMap(({ exec, environment }) =>
    exec === undefined ? [] : [commandHash(exec, environment)],
  );
  if (found.trusted) (await context.trustedCommands()).add(commands);
  return { of: 'workflow', run: prefix, tasks };
}
