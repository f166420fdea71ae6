import * as z from 'zod/mini';
import { HUMAN } from '#core/graph/assignee.js';
import { type EventDraft, withFields } from '#core/graph/event.js';
import { abandonTask } from '#core/graph/moves.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { CLOSED, OUTCOMES, workflowMark, workflowOutcome } from '#core/workflows/outcome.js';
import { TroupeError } from '#kernel/errors.js';
import { compareText } from '#kernel/order.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { type StandingRow, triggerShape, triggerStandings } from './triggers.js';

interface WorkflowRun {
  readonly run: string;
  readonly workflow: string;
  readonly tasks: readonly Task[];
}

/** All workflow runs in the graph, in order of their start, with their tasks in order of work. Scans the graph once. */
export function workflowRuns(view: GraphView): WorkflowRun[] {
  const runs = new Map<string, { run: string; workflow: string; tasks: Task[] }>();
  for (const node of view.nodes()) {
    const mark = isTask(node) ? workflowMark(node) : undefined;
    if (!isTask(node) || !mark) continue;
    const run = runs.get(mark.run) ?? { run: mark.run, workflow: mark.id, tasks: [] };
    run.tasks.push(node);
    runs.set(mark.run, run);
  }
  const startOf = ({ tasks }: WorkflowRun) =>
    tasks.map((task) => task.created_at ?? '').reduce((a, b) => (a < b ? a : b));
  return [...runs.values()]
    .map((run) => ({ ...run, tasks: inOrderOfWork(view, run.tasks), start: startOf(run) }))
    .sort(
      (left, right) =>
        compareText(left.start, right.start) || left.run.localeCompare(right.run, 'en', { numeric: true }),
    )
    .map(({ start: _, ...run }) => run);
}

/** Topological order of tasks, with the order of the first iteration in a cycle; ties are resolved by id. */
function inOrderOfWork(view: GraphView, tasks: readonly Task[]): Task[] {
  const byId = new Map([...tasks].sort((left, right) => compareText(left.id, right.id)).map((task) => [task.id, task]));
  const ordered = new Set<Task>();
  const visit = (task: Task, path: ReadonlySet<Task>): void => {
    if (ordered.has(task) || path.has(task)) return;
    const inside = new Set(
      view.cyclesOf(task.id).flatMap(({ header, members }) => (header === task.id ? members : [])),
    );
    for (const id of task.after ?? []) {
      const before = byId.get(id);
      if (before !== undefined && !inside.has(id)) visit(before, new Set([...path, task]));
    }
    ordered.add(task);
  };
  for (const task of byId.values()) visit(task, new Set());
  return [...ordered];
}

/** The run with this name. Errors: `not_found`. */
export function workflowRunNamed(view: GraphView, name: string): WorkflowRun {
  const workflowRun = workflowRuns(view).find(({ run }) => run === name);
  if (workflowRun) return workflowRun;
  throw new TroupeError('not_found', {
    what: `There is no run ${JSON.stringify(name.slice(0, 60))} of a workflow.`,
    hint: 'Run `troupe workflow status` to see them.',
  });
}

const runShape = z.object({
  run: z.string(),
  workflow: z.string(),
  outcome: z.enum(OUTCOMES),
  done: z.number(),
  total: z.number(),
  tasks: z.array(
    z.object({
      id: z.string(),
      node: z.string(),
      title: z.string(),
      status: z.string(),
      member: z.optional(z.string()),
      /** Present only if true: `human` for a task of a person, `command` for a task with a command. */
      human: z.optional(z.literal(true)),
      command: z.optional(z.literal(true)),
    }),
  ),
});

/** Status of workflow runs, derived from their tasks. */
export const workflowStatus = operation({
  name: 'workflow.status',
  command: 'workflow status',
  group: 'Workflows',
  kind: 'read',
  summary: 'Show workflow runs: passed, declined, exhausted, failed or running',
  examples: ['troupe workflow status', 'troupe workflow status bug-fix-2 --json'],
  input: z.strictObject({ run: argument('The run; default: all', z.optional(z.string())) }),
  output: z.object({
    runs: z.array(runShape),
    /** Triggered workflows; empty if a run is named. */
    begins: z.array(z.extend(triggerShape, { workflow: z.string() })),
  }),
  async run(context, { run: name }) {
    const view = await (await context.graph()).view();
    const runs = name === undefined ? workflowRuns(view) : [workflowRunNamed(view, name)];
    const standings = name === undefined ? await triggerStandings(context) : new Map<string, StandingRow>();
    return {
      begins: [...standings].map(([workflow, row]) => ({ workflow, ...row })),
      runs: runs.map(({ run, workflow, tasks }) => ({
        run,
        workflow,
        outcome: workflowOutcome(view, tasks),
        done: tasks.filter((task) => task.status === 'done').length,
        total: tasks.length,
        tasks: tasks.map((task) => ({
          id: task.id,
          node: workflowMark(task)?.node ?? task.id,
          title: task.title,
          status: task.status,
          ...(task.member === undefined ? {} : { member: task.member }),
          ...(HUMAN.of(task) === true ? { human: true as const } : {}),
          ...(task.exec === undefined ? {} : { command: true as const }),
        })),
      })),
    };
  },
});

/** Ends a run: unfinished tasks are abandoned. Returns the outcome so far. */
export const workflowClose = operation({
  name: 'workflow.close',
  command: 'workflow close',
  group: 'Workflows',
  kind: 'write',
  instead: 'workflow status --close',
  summary: 'Close a run and abandon its unfinished tasks',
  examples: ['troupe workflow status bug-fix --close', 'troupe workflow status bug-fix-2 --close --json'],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: z.object({ run: z.string(), outcome: z.enum(OUTCOMES), abandoned: z.array(z.string()) }),
  async run(context, { run: name }) {
    const store = await context.graph();
    const by = moverOf(context);
    const commit = await store.commit((view) => {
      const { tasks } = workflowRunNamed(view, name);
      const open = tasks.filter((task) => !isTerminal(task.status)).map((task) => task.id);
      const before = workflowOutcome(view, tasks);
      const options = { now: context.clock.now(), by, reason: CLOSED };
      // Marks the run as closed: the reason of `abandonTask` alone is only in the task's log.
      const events: EventDraft[] = open.flatMap(
        (id) => withFields(abandonTask(view, id, options), id, { failure_reason: CLOSED }).events,
      );
      const outcome = before === 'running' ? ('declined' as const) : before;
      return { events, result: { run: name, outcome, abandoned: open } };
    }, context.request);
    return commit.result;
  },
});
