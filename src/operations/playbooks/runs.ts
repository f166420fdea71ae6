/**
 * `playbooks`, `playbook status|steer|stop` for runs of every kind, `work start`, `blueprint generate|apply`.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { HUMAN } from '#core/graph/assignee.js';
import { usageOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { chainState } from '#core/playbooks/chain.js';
import { blockingStep, pendingOf } from '#core/playbooks/pending.js';
import { checkedRecord } from '#core/playbooks/record.js';
import {
  isRunOver,
  type PlaybookRun,
  playbookRunNamed,
  playbookRuns,
  RUN_KINDS,
  runOutcome,
  stepName,
} from '#core/playbooks/runs.js';
import { steerRun } from '#core/playbooks/steer-run.js';
import { stopRun } from '#core/playbooks/stop-run.js';
import type { GraphContext, MachineContext, ProjectContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { lineUpCost } from '#operations/formations/cost.js';
import { deliveredOf, deliveredShape } from '#operations/formations/delivered.js';
import { keepForGate } from '#operations/formations/keep-for-gate.js';
import { laneOf } from '#operations/formations/lane-of.js';
import { heldShape, pendingShape, standingOf, standingShape } from '#operations/formations/standing.js';
import { type Context, operation } from '#operations/operation.js';
import { type StandingRow, triggerShape, triggerStandings } from '#operations/workflows/triggers.js';

const runShape = z.object({
  run: z.string(),
  /** Id of the workflow or function; `crew`, `panel` or `sweep`. */
  playbook: z.string(),
  kind: z.enum(RUN_KINDS),
  /** Goal of a crew, a panel or a sweep. */
  goal: z.optional(z.string()),
  state: z.enum(['proposed', 'running', 'blocked', 'ended']),
  /** Result so far, such as `passed`, `declined` or `shipped`; `running` before there is one. */
  outcome: z.string(),
  at: z.string(),
  done: z.number(),
  total: z.number(),
  /** Total of all attempts at all steps. */
  spent: z.object({ usd: z.number(), tokens: z.number() }),
  pending: z.array(pendingShape),
  held: z.optional(heldShape),
  /** Stages that follow in a chain, and the failure that prevents them. */
  chain: z.optional(z.object({ next: z.readonly(z.array(z.string())), stopped: z.optional(z.string()) })),
});

const stepShape = z.object({
  id: z.string(),
  node: z.string(),
  title: z.string(),
  status: z.string(),
  member: z.optional(z.string()),
  /** Present only if true: `human` for a task of a person, `command` for a task with a command. */
  human: z.optional(z.literal(true)),
  command: z.optional(z.literal(true)),
});

/** Runs of playbooks of every kind; a named one with its steps, the line-up and results of a formation. */
export const playbookStatus = operation({
  name: 'playbook.status',
  command: 'playbook status',
  group: 'Plans',
  kind: 'read',
  summary: 'Show the runs of playbooks, or one run with its steps',
  examples: ['troupe playbook status', 'troupe playbook status bug-fix-2 --json'],
  input: z.strictObject({
    run: argument('The run; default: all', z.optional(z.string())),
    limit: option('Only the latest N runs', z.optional(z.int().check(z.minimum(1))), { value: 'N' }),
  }),
  output: z.object({
    /** The latest first. */
    runs: z.array(runShape),
    /** Number of all runs, regardless of the limit. */
    total: z.number(),
    /** Steps of the named run, in order of work. */
    steps: z.nullable(z.array(stepShape)),
    /** Line-up and progress, if the named run is a crew, a panel or a sweep. */
    formation: z.nullable(standingShape),
    /** Its deliverables. Null for callers that are runs, which must not see the work of parallel seats. */
    delivered: z.nullable(deliveredShape),
    /** Triggered workflows; empty if a run is named. */
    begins: z.array(z.extend(triggerShape, { workflow: z.string() })),
  }),
  async run(context: ProjectContext, { run: name, limit }) {
    const view = await (await context.graph()).view();
    const now = context.clock.now();
    if (name === undefined) {
      const all = playbookRuns(view).reverse();
      const standings: ReadonlyMap<string, StandingRow> = await triggerStandings(context);
      return {
        runs: all.slice(0, limit).map((run) => rowOf(view, run, now)),
        total: all.length,
        steps: null,
        formation: null,
        delivered: null,
        begins: [...standings].map(([workflow, row]) => ({ workflow, ...row })),
      };
    }
    const named = playbookRunNamed(view, name);
    const { record } = named;
    const isShown = record !== null && context.caller.kind !== 'run';
    return {
      runs: [rowOf(view, named, now)],
      total: 1,
      steps: named.tasks.map((task) => stepRow(task, named.run)),
      formation: record === null ? null : standingOf(view, record, now, await proposedCost(context, named)),
      delivered: isShown ? await deliveredOf(context, view, record) : null,
      begins: [],
    };
  },
});

function rowOf(view: GraphView, run: PlaybookRun, now: number): z.infer<typeof runShape> {
  const { run: name, playbook, kind, at, tasks, record } = run;
  const held = blockingStep(view, run, now);
  const chain = record === null ? undefined : chainState(view, record);
  const going = record?.state === 'proposed' ? 'proposed' : held === undefined ? 'running' : 'blocked';
  return {
    run: name,
    playbook,
    kind,
    at,
    state: isRunOver(run) ? 'ended' : going,
    outcome: runOutcome(view, run),
    done: tasks.filter(({ status }) => status === 'done').length,
    total: tasks.length,
    spent: spentOn(tasks),
    pending: pendingOf(view, run, now).map(({ task, ...one }) => (task === undefined ? one : { ...one, task })),
    ...(record === null ? {} : { goal: record.goal }),
    ...(held === undefined ? {} : { held: { ...held } }),
    ...(chain === undefined ? {} : { chain }),
  };
}

const spentOn = (tasks: readonly Task[]) => ({
  usd: tasks.reduce((sum, task) => sum + usageOf(task, 'cost_usd'), 0),
  tokens: tasks.reduce((sum, task) => sum + usageOf(task, 'input_tokens') + usageOf(task, 'output_tokens'), 0),
});

const stepRow = (task: Task, run: string): z.infer<typeof stepShape> => ({
  id: task.id,
  node: stepName(task, run),
  title: task.title,
  status: task.status,
  ...(task.member === undefined ? {} : { member: task.member }),
  ...(HUMAN.of(task) === true ? { human: true as const } : {}),
  ...(task.exec === undefined ? {} : { command: true as const }),
});

/** Estimated cost of a line-up that is not accepted. */
async function proposedCost(context: GraphContext & MachineContext, { tasks, record }: PlaybookRun) {
  if (record?.state !== 'proposed') return undefined;
  return await lineUpCost(context, { tasks: tasks.map((task) => ({ ...task, human: HUMAN.of(task) === true })) });
}

const personOf = (context: Pick<Context, 'clock' | 'caller'>) => ({
  now: context.clock.now(),
  actor: context.caller.name,
});

/** Ends a run of any playbook: unfinished tasks are abandoned, and the lane of a formation gets a log entry. */
export const playbookStop = operation({
  name: 'playbook.stop',
  command: 'playbook stop',
  group: 'Plans',
  kind: 'write',
  summary: 'Stop a run of a playbook and abandon its unfinished tasks',
  examples: ['troupe playbook stop bug-fix', 'troupe playbook stop 20261123-add-csv-export-1f0c --json'],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: z.object({ run: z.string(), outcome: z.string(), abandoned: z.array(z.string()) }),
  async run(context: WorkContext & MachineContext, { run }) {
    const store = await context.graph();
    const before = playbookRunNamed(await store.view(), run);
    const { result: abandoned } = await store.commit(
      (view) => stopRun(view, playbookRunNamed(view, run), personOf(context)),
      context.request,
    );
    const view = await store.view();
    if (before.record !== null) {
      const record = checkedRecord(view, run);
      await keepForGate(context, record);
      if (before.record.state === 'running') await (await laneOf(record.formation)).keep(context, view, record);
    }
    return { run, outcome: runOutcome(view, playbookRunNamed(view, run)), abandoned };
  },
});

/** Tells the steps in progress of a run, or else the next one, what a person wants. */
export const playbookSteer = operation({
  name: 'playbook.steer',
  command: 'playbook steer',
  group: 'Plans',
  kind: 'write',
  summary: 'Give an instruction to the active steps of a run, or else to the next one',
  examples: [
    'troupe playbook steer bug-fix "keep the old format too"',
    'troupe playbook steer 20261123-add-csv-export-1f0c "no new dependency" --json',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    text: argument('What its steps should know', z.string()),
  }),
  output: z.object({ run: z.string(), task_ids: z.array(z.string()) }),
  async run(context: GraphContext, { run, text }) {
    const store = await context.graph();
    const { result } = await store.commit(
      (view) => steerRun(view, playbookRunNamed(view, run), text, personOf(context)),
      context.request,
    );
    return { run, task_ids: result };
  },
});
