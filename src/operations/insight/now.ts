/**
 * `status why check critical-path viz simulate …`: analyses of the graph, pending decisions of people, and the output
 * of runs.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { waitsForTrust } from '#core/graph/commands.js';
import { progressOf } from '#core/graph/epic.js';
import { FORMATION_GATE, gateCommand, isProposed } from '#core/graph/formation-gate.js';
import { countsInSight, isOutlineInSight } from '#core/graph/in-sight.js';
import { isHiddenTask } from '#core/graph/meta.js';
import { type CycleHolds, type Readiness, readiness } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import { SHOWN_STATES, type ShownState } from '#core/graph/status-look.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { TaskTable } from '#core/graph/task-table.js';
import { UNVERIFIED_EDIT } from '#core/graph/unverified-edit.js';
import type { GraphView, TaskOutline } from '#core/graph/view.js';
import { type DoerKind, doerOf } from '#core/insight/done-by.js';
import { obstacles } from '#core/insight/obstacles.js';
import { standstills } from '#core/insight/standstill.js';
import { roleMatterShape } from '#core/roles/attention.js';
import { timestamp } from '#kernel/clock.js';
import { firstInOrder } from '#kernel/first-in-order.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { byId, compareText } from '#kernel/order.js';
import { plural } from '#kernel/text.js';
import type { ProjectContext } from '#operations/contexts.js';
import { type Context, operation } from '#operations/operation.js';
import { type ClientStanding, clientInForce } from '#operations/settings/usable-executors.js';
import { progressShape } from '#operations/task-shape.js';
import { teamsProblem } from '#operations/teams-fault.js';
import { awaitedAnswers } from './awaited-answers.js';
import { budgetHolds, clientHoldShape, clientHolds, coordinationIn, silentRows } from './coordination.js';
import { tasksAtWork } from './live.js';
import { alikeAmong, alikeShape } from './now-alike.js';
import { type NowFacts, type NowTaskRow, needsDecision, nowRow, nowRowOf, waitsForSuccessOf } from './now-row.js';

const list = z.object({ rows: z.array(nowRow), total: z.number() });

const output = z.object({
  seq: z.number(),
  /** Time of this snapshot. */
  at: z.string(),
  counts: z.record(z.enum(SHOWN_STATES), z.number()),
  needs_you: list,
  /** Groups among `needs_you`; some of their tasks have no row there. */
  alike: z.array(alikeShape),
  /** NowFacts in progress: live runs, and claims of people. */
  running: list,
  /** Claimable tasks, in order of creation. */
  ready: list,
  /** Number of ready tasks that a service could run: commands, and tasks for a client that can be started. */
  ready_for_service: z.number(),
  /** Whether a service is running and starts nothing new until a person resumes it. */
  paused: z.boolean(),
  /** Client for tasks without a command, the reason if it cannot be started, and the number of ready tasks for it. */
  client: z.object({
    executor: z.nullable(z.string()),
    missing: z.nullable(z.string()),
    waiting: z.number(),
    /** Message and remedy, if tasks wait for a client that cannot be started. */
    problem: z.nullable(z.object({ text: z.string(), command: z.string() })),
  }),
  /** Open tasks that are not ready, each with its reason; those with fewer steps ahead come first. */
  not_ready: list,
  /** Unfinished tasks with unfinished parts, and their progress. */
  epics: z.object({
    rows: z.array(z.object({ id: z.string(), title: z.string(), progress: progressShape })),
    total: z.number(),
  }),
  /** Clients on hold because of trouble with their providers. */
  held_clients: z.array(clientHoldShape),
  /** Workers that have been silent for their whole lease; their attempts are given to others. */
  silent_workers: z.array(z.object({ name: z.string(), since: z.string() })),
  /** Tasks held back by the budget: one line per limit, with the command that raises it. */
  held_by_budget: z.array(z.object({ text: z.string(), command: z.string() })),
  /** Cost of the run at work on each task so far, with its estimated part, in US dollars; by task id. */
  costs: z.record(z.string(), z.object({ usd: z.number(), estimated: z.number() })),
  /** Pending decisions about roles: proposals, lessons to promote, rows to retire. */
  roles: z.object({
    rows: z.array(roleMatterShape),
    total: z.number(),
  }),
  /** Commits on wg/integration that wait for `worktree land`. */
  to_land: z.number(),
  /** Problem with teams and messages, and the command that helps. */
  teams_problem: z.nullable(z.object({ text: z.string(), command: z.string() })),
});

/** Answers the three main questions: what needs a person, what is running, what comes next. Lists are bounded. */
export const statusNow = operation({
  name: 'status.now',
  command: 'status',
  group: 'Progress',
  kind: 'read',
  summary: 'Show what needs you, what is running and what comes next',
  examples: ['troupe status', 'troupe status --json'],
  input: z.strictObject({}),
  output,
  async run(context: ProjectContext) {
    const view = await (await context.graph()).view();
    const table = new TaskTable(view);
    // In parallel: in a busy service each await on the disk takes a whole turn of the event loop.
    const [to_land, live, held_clients, held_by_budget, coordination, client, trust, matters, trouble, awaited] =
      await Promise.all([
        context.integration().then((integration) => integration.waiting()),
        tasksAtWork(context, claimedTasks(table)),
        clientHolds(context, view),
        budgetHolds(context, view),
        coordinationIn(context, view),
        clientInForce(context),
        context.trustedCommands(),
        import('#operations/roles/role-matters.js').then(({ roleMattersOf }) => roleMattersOf(context)),
        teamsProblem(context, view, { thoroughly: false }),
        // A standstill needs at least two waiting tasks. Problems of the store of conversations are reported
        // separately.
        view.count('waiting') < 2 ? [] : awaitedAnswers(context, () => undefined),
      ]);
    const now = context.clock.now();
    const stuck = new Map(
      [...obstacles(view, coordination, now), ...standstills(table, awaited)].map((one) => [one.task.id, one]),
    );
    trust.look();
    const watched = context.coordinator !== undefined;
    const person = context.caller.kind === 'person' ? context.caller.name : undefined;
    const answer = answers(table, { live, watched, client, trust, coordination, now, stuck, person });
    const roles = { rows: matters.slice(0, SURFACE_LIMITS.statusRows), total: matters.length };
    const teams_problem = trouble ? { text: trouble.text, command: trouble.command } : null;
    const silent_workers = silentRows(coordination.silentWorkers ?? []);
    const costs = await costsNow(context);
    const paused = coordination.running && coordination.paused;
    return { ...answer, paused, held_clients, silent_workers, held_by_budget, costs, roles, to_land, teams_problem };
  },
});

/** Costs as far as clients report usage; empty without a service. */
async function costsNow(
  context: Pick<Context, 'coordinator'>,
): Promise<Record<string, { usd: number; estimated: number }>> {
  const rows = ((await context.coordinator?.().agents()) ?? []).flatMap(({ task_id: task, usage }) => {
    const { cost_usd: usd, estimated_usd: estimated = 0 } = usage ?? {};
    return usd === undefined ? [] : [[task, { usd, estimated }] as const];
  });
  return Object.fromEntries(rows);
}

type TaskState = readonly [Task, Readiness];

function answers(
  table: TaskTable,
  work: NowFacts,
): Omit<
  z.infer<typeof output>,
  'paused' | 'to_land' | 'held_clients' | 'silent_workers' | 'held_by_budget' | 'costs' | 'roles' | 'teams_problem'
> {
  const { view } = table;
  const { now } = work;
  const counts: Record<ShownState, number> = { ...countsInSight(view, table.rows), ready: 0 };
  const groups: Record<
    'review' | 'blocked' | 'lost' | 'failed' | 'untrusted' | 'owed' | 'running' | 'ready',
    TaskState[]
  > = {
    review: [],
    blocked: [],
    lost: [],
    failed: [],
    untrusted: [],
    owed: [],
    running: [],
    ready: [],
  };
  /** Row numbers. */
  const open: number[] = [];
  const holds: CycleHolds = new Map();
  const lineUps = new Map<string, TaskState>();
  for (const [number, row] of table.rows.entries()) {
    if (row.status === 'done' || row.status === 'abandoned') continue;
    const task = isOnlyWaiting(view, row, work) ? undefined : view.task(row.id);
    if (task === undefined) {
      open.push(number);
      continue;
    }
    const ready = readiness(view, task.id, now, holds);
    if (isProposed(task)) ofLineUp(lineUps, task, ready);
    else if (work.stuck.has(task.id) || needsDecision(task, ready)) groups.owed.push([task, ready]);
    if (task.status === 'pending-validation') groups.review.push([task, ready]);
    else if (task.status === 'blocked') groups.blocked.push([task, ready]);
    else if (task.status === 'failed') groups.failed.push([task, ready]);
    else if (task.status === 'in-progress') groups[isLost(task, work) ? 'lost' : 'running'].push([task, ready]);
    else if (ready.ready && waitsForTrust(task, work.trust)) groups.untrusted.push([task, ready]);
    else if (ready.ready) groups.ready.push([task, ready]);
    else open.push(number);
  }
  const inSight = (entries: TaskState[]) => entries.filter(([task]) => !isHiddenTask(view, task));
  counts.ready = inSight([...groups.ready, ...groups.untrusted]).length;
  counts.open -= counts.ready;
  const holding = (entry: TaskState) => (waitsForSuccessOf(view, entry[0].id) > 0 ? 0 : 1);
  const failed = sortBy(groups.failed, startOf).sort((left, right) => holding(left) - holding(right));
  const rows = (entries: readonly TaskState[], order: Order) => listRows(view, entries, work, order);
  const stateOf = (id: string): TaskState[] => {
    const task = view.task(id);
    return task ? [[task, readiness(view, id, now, holds)]] : [];
  };
  const notReady = open.filter((number) => isRowInSight(table, number));
  const by: Record<DoerKind, number> = { command: 0, client: 0, person: 0 };
  for (const [task] of groups.ready) by[doerOf(task, work.client)]++;
  const waiting = [groups.review, groups.blocked, groups.lost].flatMap((entries) => sortBy(entries, startOf));
  const needs = [
    ...waiting,
    ...sortBy([...groups.owed, ...lineUps.values()], creationOf),
    ...sortBy(groups.untrusted, creationOf),
    ...failed,
  ];
  const owed = alikeAmong(view, needs, work);
  return {
    seq: view.seq,
    at: timestamp(now),
    counts,
    needs_you: { rows: rows(owed.entries, AS_GIVEN).rows, total: needs.length },
    alike: owed.alike,
    running: rows(groups.running, orderBy(startOf)),
    ready: rows(inSight(groups.ready), orderBy(creationOf)),
    ready_for_service: by.command + (work.client.executor === undefined ? 0 : by.client),
    client: clientOf(work.client, by.client),
    epics: epicsOf(table),
    not_ready: {
      rows: firstInOrder(notReady, SURFACE_LIMITS.statusRows, orderOfWork(table, notReady))
        .flatMap((number) => stateOf(table.rows[number]?.id ?? ''))
        .map(([task, ready]) => nowRowOf(view, task, ready, work)),
      total: notReady.length,
    },
  };
}

/** Epics whose parts are not all finished, by id. Of other tasks than parts only the outline is read. */
function epicsOf({ rows, view }: TaskTable): z.infer<typeof output>['epics'] {
  const parts = rows.filter((row) => row.mayHave('epic') && !isTerminal(row.status));
  const ids = new Set(parts.flatMap(({ id }) => view.task(id)?.epic ?? []));
  const epics = [...ids].flatMap((id) => view.task(id) ?? []).filter((task) => !isTerminal(task.status));
  return {
    rows: firstInOrder(epics, SURFACE_LIMITS.statusRows, byId).map((task) => ({
      id: task.id,
      title: task.title,
      progress: progressOf(view, task) ?? { done: 0, total: 0, cost_usd: 0 },
    })),
    total: epics.length,
  };
}

/** Records an unaccepted line-up; its task with the lowest id represents it. */
function ofLineUp(lineUps: Map<string, TaskState>, task: Task, ready: Readiness): void {
  const gate = gateCommand(task) ?? '';
  const [first] = lineUps.get(gate) ?? [];
  if (first === undefined || task.id < first.id) lineUps.set(gate, [task, ready]);
}

/** Status of the client. It becomes a problem for a person as soon as a task waits for it. */
function clientOf({ executor, missing }: ClientStanding, waiting: number): z.infer<typeof output>['client'] {
  const text = `${plural(waiting, 'task')} cannot start without a client: ${missing?.text}`;
  const problem = missing === undefined || waiting === 0 ? null : { text, command: missing.command };
  return { executor: executor ?? null, missing: missing?.text ?? null, waiting, problem };
}

/** Whether a task is claimed by a run that is gone, with no coordinator to notice. */
function isLost({ id, assigned }: Task, { live, watched }: NowFacts): boolean {
  return !watched && assigned !== undefined && isRunName(assigned) && !live.has(id);
}

function claimedTasks({ rows, view }: TaskTable): Task[] {
  return rows.flatMap(({ id, status }) => (status === 'in-progress' ? (view.task(id) ?? []) : []));
}

/** Whether a task is open and only waits: such a task need not be read completely. */
function isOnlyWaiting(view: GraphView, row: TaskOutline, { stuck }: NowFacts): boolean {
  if (row.status !== 'open' || stuck.has(row.id) || view.readyAt(row.id) !== undefined) return false;
  return !row.mayHave(FORMATION_GATE.name) && !row.mayHave(UNVERIFIED_EDIT.name);
}

function isRowInSight({ rows, view }: TaskTable, number: number): boolean {
  const row = rows[number];
  return row !== undefined && isOutlineInSight(view, row);
}

const startOf = (task: Task): string => task.completed_at ?? task.started_at ?? task.created_at ?? '';
const creationOf = (task: Task): string => task.created_at ?? '';

type Order = (left: TaskState, right: TaskState) => number;

const AS_GIVEN: Order = () => 0;

const orderBy =
  (key: (task: Task) => string): Order =>
  ([left], [right]) =>
    compareText(key(left), key(right)) || compareText(left.id, right.id);

function sortBy(entries: readonly TaskState[], key: (task: Task) => string): TaskState[] {
  return [...entries].sort(orderBy(key));
}

/** Comparator of row numbers in order of work: predecessors first; among equals by creation time, then id. */
function orderOfWork(table: TaskTable, numbers: readonly number[]): (left: number, right: number) => number {
  const steps = table.stepsAhead(numbers);
  const idOf = (number: number) => table.rows[number]?.id ?? '';
  const createdAt = (number: number) => table.view.task(idOf(number))?.created_at ?? '';
  return (left, right) =>
    (steps[left] ?? 0) - (steps[right] ?? 0) ||
    compareText(createdAt(left), createdAt(right)) ||
    compareText(idOf(left), idOf(right));
}

function listRows(
  view: GraphView,
  entries: readonly TaskState[],
  work: NowFacts,
  order: Order,
): { rows: NowTaskRow[]; total: number } {
  const rows = firstInOrder(entries, SURFACE_LIMITS.statusRows, order).map(([task, ready]) =>
    nowRowOf(view, task, ready, work),
  );
  return { rows, total: entries.length };
}
