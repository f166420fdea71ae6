import * as z from 'zod/mini';
import { AGENT } from '#core/graph/assignee.js';
import { checkOf } from '#core/graph/evidence.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { readiness, sayReason } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { DOERS, type DoerKind, doerOf } from '#core/insight/done-by.js';
import { liveShape, tasksAtWork } from '#operations/insight/live.js';
import { type Context, operation } from '#operations/operation.js';
import { taskShape } from '#operations/task-shape.js';

const neighbours = () => z.array(z.object({ id: z.string(), title: z.string(), status: z.string() }));

/** Everything about one task: its fields, whether it is ready and if not why, and who stands around it. */
export const show = operation({
  name: 'task.show',
  input: z.strictObject({ id: z.string(), at: z.optional(z.int().check(z.minimum(1))) }),
  // Made when somebody asks for it: to make one takes as long as to answer.
  output: z.lazy(() =>
    z.looseObject({
      /** As it is stored; its fields stand beside it too, with the estimate taken apart. */
      task: taskShape,
      /** Of the agent it is for; absent where nobody here knows that. */
      agent_name: z.optional(z.string()),
      hours: z.optional(z.number()),
      cost: z.optional(z.number()),
      ready: z.boolean(),
      /** Who takes one that is ready. */
      done_by: z.optional(z.enum(DOERS)),
      /** Of one in progress: whether a run is at work on it. */
      live: z.optional(liveShape),
      /** Of one in progress: the worker that has it, where one has. */
      worker: z.optional(z.string()),
      /** Of one that is done: how its check ended, where it did not pass. */
      check: z.optional(z.string()),
      reasons: z.readonly(z.array(z.string())),
      /** Of one that has to be decided about, or waits for something to happen: the first sentence of `why`. */
      why: z.optional(z.string()),
      /** Of one that waits for a review: what its latest attempt changed, where there is a worktree of it. */
      changes: z.optional(z.object({ branch: z.string(), files: z.number(), added: z.number(), removed: z.number() })),
      /** What the latest run that said anything said last. */
      last_words: z.optional(z.string()),
      after: neighbours(),
      before: neighbours(),
    }),
  ),
  async run(context, input) {
    const view = await (await context.graph()).view(input.at);
    const task = taskOf(view, input.id);
    const state = readiness(view, task.id, context.clock.now());
    const around = (ids: readonly string[]) =>
      [...ids].sort().map((id) => {
        const other = view.task(id);
        return { id, title: other?.title ?? '', status: other?.status ?? 'missing' };
      });
    const { estimate, ...fields } = task;
    const words = lastWordsOf(task);
    return {
      ...fields,
      ...estimate,
      ...(words === undefined ? {} : { last_words: words }),
      ...(await agentNamed(context, task)),
      task: task as typeof task & Record<string, unknown>,
      ready: state.ready,
      ...(state.ready && input.at === undefined ? { done_by: await doerFor(context, task) } : {}),
      ...(task.status === 'in-progress' && input.at === undefined
        ? { live: (await tasksAtWork(context, [task])).get(task.id) ?? false, ...(await workerOf(context, task)) }
        : {}),
      ...checkOf(task),
      reasons: task.status === 'open' ? state.reasons.map(sayReason) : [],
      ...(input.at === undefined && DECIDED.includes(task.status)
        ? await (await import('#operations/insight/standing.js')).taskStanding(context, view, task)
        : {}),
      after: around(task.after ?? []),
      before: around(view.dependents(task.id)),
    };
  },
});

/** The worker that has it, as the coordinator of this process knows. */
async function workerOf(context: Context, { assigned }: Task): Promise<{ readonly worker?: string }> {
  const agents = (await context.coordinator?.().agents()) ?? [];
  const worker = agents.find(({ id }) => id === assigned)?.worker;
  return worker === undefined ? {} : { worker };
}

/** Only of a task that names one the agency is read. */
async function agentNamed(context: Context, task: Task): Promise<{ readonly agent_name?: string }> {
  if (AGENT.of(task) === undefined) return {};
  const { assignedTo } = await import('#operations/agency/assignee.js');
  const name = (await assignedTo(context, task))?.agent.name;
  return name === undefined ? {} : { agent_name: name };
}

/** For a decision somebody needs more than the task itself. */
const DECIDED: readonly string[] = ['pending-validation', 'waiting', 'blocked', 'failed'];

/** Which client there is, is only looked up where it makes a difference. */
async function doerFor(context: Context, task: Task): Promise<DoerKind> {
  const doer = doerOf(task, { executor: 'any' });
  if (doer !== 'client') return doer;
  const { clientInForce } = await import('#operations/settings/usable-executors.js');
  return doerOf(task, await clientInForce(context));
}
