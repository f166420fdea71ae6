import * as z from 'zod/mini';
import { tokensOf } from '#core/coordinator/budget.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import { countsInSight } from '#core/graph/in-sight.js';
import { isHiddenTask } from '#core/graph/meta.js';
import { readiness } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { lastLineOf, runOutput } from '#operations/runs/run-output.js';
import { bookIn } from '#operations/settings/books.js';
import { allowanceOf } from '#operations/settings/budget.js';
import type { ListedRun } from '#ports/run-host.js';
import { clientHoldShape, clientHolds, silentRows } from './coordination.js';
import { spendOf, spendShape } from './spend-shape.js';

const maybeText = z.nullable(z.string());
const maybeNumber = z.nullable(z.number());
const run = z.object({
  run: z.string(),
  task: z.string(),
  title: z.string(),
  member: maybeText,
  executor: z.string(),
  model: maybeText,
  /** Worker that has it; null at the leader's machine. */
  worker: maybeText,
  started_at: z.string(),
  last_sign: maybeText,
  /** Usage so far, as reported by its client; null if unknown. */
  tokens: maybeNumber,
  cost_usd: maybeNumber,
  /** Part of the cost computed from tokens and the price table. */
  estimated_usd: maybeNumber,
  last_line: z.string(),
});
const claim = z.object({ task: z.string(), title: z.string(), who: maybeText, since: maybeText });

/** Runs at work and their costs, for a view that is refreshed continuously. Lists are bounded. */
export const statusWork = operation({
  name: 'status.work',
  command: 'status work',
  group: 'Progress',
  kind: 'read',
  instead: 'status --work',
  summary: 'Show the active runs, their tasks and cost, as in `troupe top`',
  examples: ['troupe status --work', 'troupe status --work --json'],
  input: z.strictObject({}),
  output: z.object({
    at: z.string(),
    seq: z.number(),
    service: z.object({ running: z.boolean(), paused: z.boolean(), executor: maybeText, missing: maybeText }),
    held_clients: z.array(clientHoldShape),
    /** Slots of the leader's machine. */
    slots: z.object({ taken: z.number(), most: maybeNumber }),
    /** Workers that take attempts, their used and free slots, and silent workers. */
    workers: z.object({
      count: z.number(),
      taken: z.number(),
      free: z.number(),
      silent: z.array(z.object({ name: z.string(), since: z.string() })),
    }),
    runs: z.array(run),
    /** Tasks claimed by people. */
    people: z.array(claim),
    /** Work that waits for a verdict. */
    gates: z.array(claim),
    counts: z.record(z.string(), z.number()),
    spend: spendShape,
  }),
  async run(context: GraphContext & MachineContext) {
    const now = context.clock.now();
    const view = await (await context.graph()).view();
    const facts = context.coordinator?.();
    const listed = await (facts?.agents() ?? (await context.runs()).listed());
    const live = listed.filter((row) => isLiveStatus(row.status));
    const here = live.filter(({ worker }) => worker === undefined).length;
    const { rooms, silent } = facts?.elsewhere ?? NO_WORKER_FACTS;
    const rows = live.slice(0, TEAM_LIMITS.topRuns);
    const tasks = await Promise.all(rows.map((row) => runRow(context, view, row)));
    const inHand = [...ofStatus(view, 'in-progress')].filter((task) => !isRunName(task.assigned));
    const budget = await (facts?.spending() ?? spendingIn(context, now));
    return {
      at: timestamp(now),
      seq: view.seq,
      service: {
        running: facts !== undefined,
        paused: facts?.paused ?? false,
        executor: facts?.executor ?? null,
        missing: facts?.missing?.text ?? null,
      },
      held_clients: await clientHolds(context, view),
      slots: { taken: here, most: facts?.maxAgents ?? null },
      workers: {
        count: rooms.length,
        taken: live.length - here,
        free: rooms.reduce((sum, { free }) => sum + Math.max(0, free), 0),
        silent: silentRows(silent),
      },
      runs: tasks,
      people: inHand.slice(0, TEAM_LIMITS.topRuns).map((task) => heldRow(task, task.assigned, task.started_at)),
      gates: [...ofStatus(view, 'pending-validation')]
        .slice(0, TEAM_LIMITS.topRuns)
        .map((task) => heldRow(task, task.member, task.log?.at(-1)?.timestamp)),
      counts: countsOf(view, now),
      spend: spendOf(budget),
    };
  },
});

async function runRow(context: Pick<Context, 'runs'>, view: GraphView, row: ListedRun) {
  const task = view.task(row.task_id);
  const tail = await runOutput(await context.runs(), row.id, { most: TEAM_LIMITS.topTailBytes });
  return {
    run: row.id,
    task: row.task_id,
    title: task?.title ?? row.task_id,
    member: task?.member ?? null,
    executor: row.executor,
    model: row.model ?? null,
    worker: row.worker ?? null,
    started_at: row.started_at,
    last_sign: row.last_heartbeat ?? null,
    tokens: row.usage === undefined ? null : tokensOf(row.usage),
    cost_usd: row.usage?.cost_usd ?? null,
    estimated_usd: row.usage?.estimated_usd ?? null,
    last_line: lastLineOf(tail?.text ?? ''),
  };
}

function* ofStatus(view: GraphView, status: 'in-progress' | 'pending-validation') {
  if (view.count(status) === 0) return;
  for (const node of view.nodes()) if (isTask(node) && node.status === status) yield node;
}

function heldRow(
  task: { readonly id: string; readonly title: string },
  who: string | undefined,
  since: string | undefined,
) {
  return { task: task.id, title: task.title, who: who ?? null, since: since ?? null };
}

/** Spending from the log, if no coordinator is at work. */
async function spendingIn(context: GraphContext & MachineContext, now: number): Promise<Budget> {
  const { settings } = await loadSettings(context);
  return (await bookIn(await context.graph())).budget(allowanceOf(settings.budget), now);
}

/** Counts by displayed status: ready tasks are counted separately from waiting ones. */
function countsOf(view: GraphView, now: number): Record<string, number> {
  const counts = countsInSight(view, view.outlines());
  let ready = 0;
  for (const id of view.candidates()) {
    const task = view.task(id);
    if (task && !isHiddenTask(view, task) && readiness(view, id, now).ready) ready++;
  }
  return { ...counts, ready, open: Math.max(0, counts.open - ready) };
}
