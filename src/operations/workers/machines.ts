import * as z from 'zod/mini';
import { AGREE_TO_LEADER, CHOOSE_REMOTE, workerFor } from '#core/coordinator/worker-facts.js';
import { needsOf } from '#core/graph/needs.js';
import { readiness } from '#core/graph/ready.js';
import type { GraphView } from '#core/graph/view.js';
import type { Coordination } from '#core/insight/coordination.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import { inert, shellWord } from '#kernel/text.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { coordinationIn } from '#operations/insight/coordination.js';
import { operation } from '#operations/operation.js';
import { databaseInUse } from '#operations/workers/database.js';
import type { ListedRun } from '#ports/run-host.js';
import type { ProjectMachines } from '#ports/storage.js';
import { workerRow, workerShape } from './workers.js';

const run = z.object({
  run: z.string(),
  task: z.string(),
  title: z.string(),
  executor: z.optional(z.string()),
  started_at: z.optional(z.string()),
});
const worker = z.object({ ...workerShape, runs: z.readonly(z.array(run)) });
type Run = z.infer<typeof run>;
type Worker = z.infer<typeof worker>;

/** A process that leads or is on standby, as text, and its machine. */
const service = z.object({ who: z.string(), machine: z.string() });

/** Subjects of suggested actions, in order of importance. */
const STEPS = ['place', 'leader', 'remote', 'silent', 'unagreed', 'workers', 'standbys'] as const;
const step = z.object({ about: z.enum(STEPS), text: z.string(), command: z.string() });
type Step = z.infer<typeof step>;

const waitingRow = z.object({
  task: z.string(),
  title: z.string(),
  /** Number of further tasks with the same cause. */
  others: z.number(),
  kind: z.enum(['unmet', 'full']),
  reason: z.string(),
  command: z.string(),
});

const output = z.object({
  /** Time by the clock that all machines share. */
  at: z.string(),
  kept: z.enum(['files', 'database']),
  database: z.optional(z.object({ project: z.string(), place: z.string(), server: z.string() })),
  leader: z.nullable(z.extend(service, { epoch: z.number(), paused: z.boolean() })),
  standbys: z.array(service),
  /** Slots and runs at the machine of the leader; `works`: whether it runs attempts at all. */
  here: z.object({ slots: z.nullable(z.number()), used: z.number(), works: z.boolean(), runs: z.array(run) }),
  /** Sorted by need for attention; `total` counts all. */
  workers: z.object({ rows: z.array(worker), total: z.number() }),
  /** Total of the workers that are not silent. */
  slots: z.object({ total: z.number(), used: z.number() }),
  silent: z.number(),
  /**
   * Ready tasks that no worker can take (`unmet`), then those for which no slot is free; one row per cause, for the
   * first of its tasks.
   */
  waiting: z.object({ rows: z.array(waitingRow), unmet: z.number(), total: z.number() }),
  /** Results that arrived too late and were discarded. */
  refused: z.object({
    total: z.number(),
    latest: z.array(
      z.object({ run: z.string(), task: z.optional(z.string()), worker: z.optional(z.string()), at: z.string() }),
    ),
  }),
  next: z.array(step),
});
type Machines = z.infer<typeof output>;

/** Storage of the project, its leader, its workers, and tasks that wait because no worker meets their requirements. */
export const machines = operation({
  name: 'machine.list',
  command: 'machines',
  group: 'Service',
  kind: 'read',
  summary: 'Show who leads the project and what workers do',
  examples: ['troupe machines', 'troupe machines --json'],
  input: z.strictObject({}),
  output,
  async run(context: GraphContext & MachineContext) {
    const view = await (await context.graph()).view();
    const coordination = await coordinationIn(context, view);
    const facts = context.coordinator?.();
    const live = (await (facts?.agents() ?? (await context.runs()).listed())).filter(({ status }) =>
      isLiveStatus(status),
    );
    const here = live.filter(({ worker: at }) => at === undefined);
    const standing = {
      here: {
        slots: facts?.maxAgents ?? null,
        used: here.length,
        works: facts?.elsewhere?.worksHere ?? true,
        runs: here.slice(0, TEAM_LIMITS.topRuns).map((row) => runRow(view, row)),
      },
      waiting: waitingIn(view, coordination, context.clock.now()),
    };
    const storages = await context.storages();
    if (storages.named === undefined) {
      const who = facts && (await storages.files.graph.holder());
      return inFiles(standing, { who, paused: coordination.paused, at: context.clock.now() });
    }
    const { project, database } = await databaseInUse(storages);
    const kept = await database.machines(SURFACE_LIMITS.refusedRows);
    return inDatabase(standing, { project, kept, coordination, view, live });
  },
});

type Here = Pick<Machines, 'here' | 'waiting'>;

function inFiles(
  standing: Here,
  { who, paused, at }: { readonly who: string | undefined; readonly paused: boolean; readonly at: number },
): Machines {
  return {
    ...standing,
    at: timestamp(at),
    kept: 'files',
    standbys: [],
    workers: { rows: [], total: 0 },
    silent: 0,
    leader: who === undefined ? null : { ...serviceRow(who), epoch: 0, paused },
    slots: { total: 0, used: 0 },
    refused: { total: 0, latest: [] },
    next: [
      {
        about: 'place',
        text: 'The project is kept in files, so it works on this machine alone. In a PostgreSQL database other machines can join',
        command: 'troupe database move --to ADDRESS',
      },
      ...(who === undefined ? [LEAD] : []),
    ],
  };
}

interface InDatabase {
  readonly project: string;
  readonly kept: ProjectMachines;
  readonly coordination: Coordination;
  readonly view: GraphView;
  readonly live: readonly ListedRun[];
}

function inDatabase(standing: Here, { project, kept, coordination, view, live }: InDatabase): Machines {
  const { place, server, leader, epoch } = kept.standing;
  const known = new Map(live.map((row) => [row.id, row]));
  const workers = kept.workers.map((listed): Worker => {
    const row = workerRow(listed);
    return {
      ...row,
      runs: row.runs.map(({ run, task }) => runRow(view, known.get(run) ?? { id: run, task_id: task })),
    };
  });
  const heard = workers.filter(({ state }) => state !== 'silent');
  const sum = (of: (one: Worker) => number) => heard.reduce((all, one) => all + of(one), 0);
  return {
    ...standing,
    at: timestamp(kept.now),
    kept: 'database',
    database: { project, place, server },
    leader: leader === undefined ? null : { ...serviceRow(leader), epoch, paused: coordination.paused },
    standbys: kept.standbys.map(serviceRow),
    workers: { rows: workers.toSorted(byNeed).slice(0, SURFACE_LIMITS.workerRows), total: workers.length },
    slots: { total: sum(({ slots }) => slots), used: sum(({ used }) => used) },
    silent: workers.length - heard.length,
    refused: {
      total: kept.refused.total,
      latest: kept.refused.latest.map(({ taskId: task, at, ...end }) => ({
        ...end,
        ...(task === undefined ? {} : { task }),
        at: timestamp(at),
      })),
    },
    next: stepsIn(kept, coordination),
  };
}

const LEAD: Step = {
  about: 'leader',
  text: 'No service is running, so no task is started',
  command: 'troupe service start',
};

/** Suggested actions for a person, most important first. */
function stepsIn({ standing, standbys, workers }: ProjectMachines, coordination: Coordination): Step[] {
  const steps: Step[] = workers
    .filter(({ silent }) => silent)
    .map(({ name }) => ({
      about: 'silent',
      text: `${inert(name)} is silent, and what it had is given to others. Start it again at its machine, or take it off the list`,
      command: `troupe worker stop ${shellWord(name)}`,
    }));
  for (const { name, silent, unagreed } of workers)
    if (unagreed && !silent)
      steps.push({
        about: 'unagreed',
        text: `${inert(name)} takes nothing before a person agrees to this leader, in its clone`,
        command: AGREE_TO_LEADER,
      });
  if (standing.leader === undefined)
    steps.push({ ...LEAD, text: 'Nobody leads the project: nothing is started. On any machine of the project' });
  if ((coordination.unusedWorkers ?? []).length > 0)
    steps.push({
      about: 'remote',
      text: 'Workers get nothing before a git remote is chosen by which their work comes to the leader',
      command: CHOOSE_REMOTE.command,
    });
  if (workers.length === 0)
    steps.push(
      {
        about: 'workers',
        text: 'No worker is there. In a clone of the repository on another machine, name the database',
        command: 'troupe database use ADDRESS',
      },
      { about: 'workers', text: 'Then start a worker there', command: workerFor([]) },
    );
  if (standing.leader !== undefined && standbys.length === 0)
    steps.push({
      about: 'standbys',
      text: 'Nobody takes over when the leader is gone. On another machine of the project, a second service stands by',
      command: 'troupe service start',
    });
  return steps.sort((left, right) => STEPS.indexOf(left.about) - STEPS.indexOf(right.about));
}

function waitingIn(view: GraphView, coordination: Coordination, now: number): Machines['waiting'] {
  const byCause = new Map<string, z.infer<typeof waitingRow>>();
  const count = { unmet: 0, full: 0 };
  for (const id of [...view.candidates()].sort(compareText)) {
    const task = view.task(id);
    if (task === undefined) continue;
    const unmet = coordination.unmetNeeds?.(task);
    const reason = unmet?.cause ?? coordination.fullWorkers?.(task);
    if (reason === undefined || coordination.waitsForTrust(task) || !readiness(view, id, now).ready) continue;
    const kind = unmet === undefined ? 'full' : 'unmet';
    const command = unmet?.command ?? workerFor(needsOf(task));
    const first = byCause.get(`${reason} ${command}`);
    if (first) first.others++;
    else byCause.set(`${reason} ${command}`, { task: id, title: task.title, others: 0, kind, reason, command });
    count[kind]++;
  }
  const causes = [...byCause.values()].sort(
    (left, right) => Number(left.kind === 'full') - Number(right.kind === 'full'),
  );
  return { rows: causes.slice(0, SURFACE_LIMITS.statusRows), unmet: count.unmet, total: count.unmet + count.full };
}

const WEIGHT: Readonly<Record<Worker['state'], number>> = {
  silent: 0,
  unagreed: 1,
  stopping: 2,
  draining: 3,
  working: 4,
  idle: 5,
};

function byNeed(left: Worker, right: Worker): number {
  return WEIGHT[left.state] - WEIGHT[right.state] || compareText(left.name, right.name);
}

function runRow(view: GraphView, row: Pick<ListedRun, 'id' | 'task_id'> & Partial<ListedRun>): Run {
  const { id, task_id: task, executor, started_at } = row;
  return {
    run: id,
    task,
    title: view.task(task)?.title ?? task,
    ...(executor === undefined ? {} : { executor }),
    ...(started_at === undefined ? {} : { started_at }),
  };
}

/** Parses text such as `process 12 on box`. */
function serviceRow(who: string): z.infer<typeof service> {
  return { who, machine: / on (.+)$/.exec(who)?.[1] ?? who };
}
