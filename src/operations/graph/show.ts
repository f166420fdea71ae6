import * as z from 'zod/mini';
import { AGENT } from '#core/graph/assignee.js';
import { checkOf } from '#core/graph/evidence.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { formatReadinessReason, readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { DOERS, type DoerKind, doerOf } from '#core/insight/done-by.js';
import type { GraphContext, MachineContext, ProjectContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { liveShape, tasksAtWork } from '#operations/insight/live.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { progressShape, taskShape } from '#operations/task-shape.js';

const neighbours = () => z.array(z.object({ id: z.string(), title: z.string(), status: z.string() }));

/** Shows one task: its fields, whether it is ready or why not, and its neighbours. */
export const show = operation({
  name: 'task.show',
  command: 'show',
  group: 'Tasks',
  kind: 'read',
  summary: 'Show one task: its status and the reason',
  examples: ['troupe show write-the-parser', 'troupe show write-the-parser --json'],
  input: z.strictObject({
    id: TASK_ID,
    at: option('As of this event in the log', z.optional(z.int().check(z.minimum(1))), { value: 'SEQ' }),
  }),
  // Built lazily: constructing the schema takes as long as answering.
  output: z.lazy(() =>
    z.looseObject({
      /** The task as stored; its fields are repeated beside it, with the estimate split up. */
      task: taskShape,
      /** Name of its agent; missing if unknown here. */
      agent_name: z.optional(z.string()),
      hours: z.optional(z.number()),
      cost: z.optional(z.number()),
      ready: z.boolean(),
      /** Kind of doer that would take the task if it is ready. */
      done_by: z.optional(z.enum(DOERS)),
      /** For a task in progress: whether a run works on it. */
      live: z.optional(liveShape),
      /** For a task in progress: the worker that runs it, if any. */
      worker: z.optional(z.string()),
      /** For a done task: result of its check, unless it passed. */
      check: z.optional(z.string()),
      reasons: z.readonly(z.array(z.string())),
      /** For a task that needs a decision or waits: the first sentence of `why`. */
      why: z.optional(z.string()),
      /** For a task that waits for review: changes of its latest attempt, if its worktree exists. */
      changes: z.optional(z.object({ branch: z.string(), files: z.number(), added: z.number(), removed: z.number() })),
      /** Last message of the latest run that left one. */
      last_words: z.optional(z.string()),
      after: neighbours(),
      before: neighbours(),
      /** For an epic: tasks below it at any depth, done and in all, and its cost so far in US dollars. */
      progress: z.optional(progressShape),
      /** Its own parts, which are also among `after`. */
      parts: z.optional(neighbours()),
    }),
  ),
  async run(context: ProjectContext, input) {
    const store = await context.graph();
    const view = await (input.at === undefined
      ? store.view()
      : (await import('#operations/graph-at.js')).graphAt(store, input.at, input.id));
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
      reasons: task.status === 'open' ? state.reasons.map(formatReadinessReason) : [],
      ...(input.at === undefined && DECIDED.includes(task.status)
        ? await (await import('#operations/insight/standing.js')).taskStanding(context, view, task)
        : {}),
      after: around(task.after ?? []),
      before: around(view.dependents(task.id)),
      ...(isEpic(view, task) ? await epicOf(view, task, around) : {}),
    };
  },
});

function isEpic(view: GraphView, { id, after = [] }: Task): boolean {
  return after.some((other) => view.task(other)?.epic === id);
}

/** Progress and parts of an epic, which few tasks are. */
async function epicOf<Row>(view: GraphView, task: Task, around: (ids: readonly string[]) => Row[]) {
  const { partsOf, progressOf } = await import('#core/graph/epic.js');
  const progress = progressOf(view, task);
  return { ...(progress === undefined ? {} : { progress }), parts: around(partsOf(view, task).map(({ id }) => id)) };
}

/** The worker that runs the task, according to the coordinator of this process. */
async function workerOf(
  context: Pick<Context, 'coordinator'>,
  { assigned }: Task,
): Promise<{ readonly worker?: string }> {
  const agents = (await context.coordinator?.().agents()) ?? [];
  const worker = agents.find(({ id }) => id === assigned)?.worker;
  return worker === undefined ? {} : { worker };
}

/** The agency is read only for a task with an agent. */
async function agentNamed(context: WorkContext, task: Task): Promise<{ readonly agent_name?: string }> {
  if (AGENT.of(task) === undefined) return {};
  const { assignedTo } = await import('#operations/agency/assignee.js');
  const name = (await assignedTo(context, task))?.agent.name;
  return name === undefined ? {} : { agent_name: name };
}

/** Statuses in which a person needs more than the task itself to decide. */
const DECIDED: readonly string[] = ['pending-validation', 'waiting', 'blocked', 'failed'];

/** The available client is looked up only if it makes a difference. */
async function doerFor(context: GraphContext & MachineContext, task: Task): Promise<DoerKind> {
  const doer = doerOf(task, { executor: 'any' });
  if (doer !== 'client') return doer;
  const { clientInForce } = await import('#operations/settings/usable-executors.js');
  return doerOf(task, await clientInForce(context));
}
