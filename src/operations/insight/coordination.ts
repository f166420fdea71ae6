import * as z from 'zod/mini';
import { busyWith, missingAgent } from '#core/coordinator/agency.js';
import { Ledger, type Refusal } from '#core/coordinator/budget.js';
import {
  commandAfter,
  describeHold,
  describeRetry,
  holdFor,
  isHoldCurrent,
  mayStandIn,
} from '#core/coordinator/client-holds.js';
import { mayStart, Ownership, REST } from '#core/coordinator/sessions.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import { fullWorkers, NO_WORKER_FACTS, type SilentWorker, unmetNeeds } from '#core/coordinator/worker-facts.js';
import { AGENT } from '#core/graph/assignee.js';
import { waitsForTrust } from '#core/graph/commands.js';
import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { type ClientHoldRow, type Coordination, holdText, NO_COORDINATION } from '#core/insight/coordination.js';
import { doerOf } from '#core/insight/done-by.js';
import { budgetProblem } from '#core/insight/problems.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { clientInForce } from '#operations/settings/usable-executors.js';

/**
 * Facts of the coordinator in this process. Without one here, no other process has one either, because it would have
 * been asked; then only the client that a service would use is known.
 */
export async function coordinationIn(context: GraphContext & MachineContext, view?: GraphView): Promise<Coordination> {
  const facts = context.coordinator?.();
  const trusted = await context.trustedCommands();
  trusted.look();
  const waits = (task: Task) => waitsForTrust(task, trusted);
  if (!facts) return { ...NO_COORDINATION, ...(await clientInForce(context)), waitsForTrust: waits };
  const {
    paused,
    maxAgents: most,
    executor,
    missing,
    backOffUntil,
    budget,
    triaged,
    sessions,
    agency,
    unprepared,
    holds,
    standIns,
    lostStandIns,
    elsewhere = NO_WORKER_FACTS,
  } = facts;
  const agents = await facts.agents();
  const workers = new Map(agents.map(({ id, worker }) => [id, worker]));
  const ledger = budget && new Ledger(budget);
  const refusal = ledger && ((task: Task) => ledger.refusal(task));
  const ownership = sessions && view && new Ownership(view, sessions);
  const pausedSession =
    ownership &&
    ((task: Task) => {
      const owner = sessions.find(({ id }) => id === ownership.ownerOf(task));
      return owner && !mayStart(owner) ? String(owner.id) : undefined;
    });
  const absentClient =
    ownership &&
    ((task: Task) => {
      const { id, executor: own } = sessions.find(({ id }) => id === ownership.ownerOf(task)) ?? REST;
      const isThere = own === null || own === executor || facts.sessionClients.has(own);
      return isThere ? undefined : `${own}, the client of its session ${id}, cannot be started here`;
    });
  const busy =
    agency &&
    view &&
    busyWith(
      view,
      agents.map((run) => run.task_id),
    );
  const full =
    busy &&
    ((task: Task) => {
      const agent = String(AGENT.of(task) ?? '');
      const [has, most] = [busy.get(agent) ?? 0, agency.agents.get(agent)?.capacity];
      return most !== undefined && has >= most
        ? `its agent ${agent.slice(0, 12)} already has ${has} tasks, its maximum`
        : undefined;
    });
  const byClient = new Map(holds.map((hold) => [hold.client, hold]));
  const clientOf = (task: Task) => {
    const session = sessions?.find(({ id }) => id === ownership?.ownerOf(task))?.executor ?? executor;
    return agency?.agents.get(String(AGENT.of(task)))?.executor ?? session;
  };
  const holdOf =
    holds.length === 0
      ? undefined
      : (task: Task) => {
          const own = clientOf(task);
          const hold = own === undefined ? undefined : holdFor(byClient, task, own, agency);
          if (!hold) return undefined;
          const mayTakeOver = mayStandIn(task, hold);
          if (mayTakeOver && freeStandIn(context, hold, { holds, standIns }) !== undefined) return undefined;
          const remedy = [describeRetry(hold), ...(mayTakeOver ? lostStandIns : [])].join('; ');
          return { ...hold, text: describeHold(hold), remedy, command: commandAfter(hold) };
        };
  const client = { executor, missing, backOffUntil, refusal, full, clientOf, holdOf };
  return {
    running: true,
    paused,
    alive: agents.filter((run) => isLiveStatus(run.status) && run.worker === undefined).length,
    most,
    ...client,
    triaged,
    pausedSession,
    absentClient,
    missingAgent: (task) => missingAgent(task, agency),
    unmetNeeds: view && ((task) => unmetNeeds(view, elsewhere, task, programOf(task, executor))),
    fullWorkers: view && ((task) => fullWorkers(view, elsewhere, task, programOf(task, executor))),
    unusedWorkers: elsewhere.unused,
    workerOf: (run) => workers.get(run),
    silentWorkers: elsewhere.silent,
    workerWorries: elsewhere.worries,
    unprepared,
    unjudged: agency?.unjudged,
    waitsForTrust: waits,
  };
}

/** Default client of a task; `shell` for a command. */
function programOf(task: Task, executor: string | undefined): string {
  return task.exec === undefined ? (executor ?? '') : 'shell';
}

/** A free client that replaces a held one; undefined if there is none, or the hold is over. */
function freeStandIn(
  { clock }: Pick<Context, 'clock'>,
  hold: ClientHold,
  { holds, standIns }: { readonly holds: readonly ClientHold[]; readonly standIns: readonly string[] },
): string | undefined {
  const now = clock.now();
  if (!isHoldCurrent(hold, now)) return undefined;
  const isFree = (name: string) => holds.every((other) => other.client !== name || !isHoldCurrent(other, now));
  return standIns.find((name) => name !== hold.client && isFree(name));
}

/** Workers that have been silent for their whole lease, as rows of a result. */
export function silentRows(workers: readonly SilentWorker[]): { name: string; since: string }[] {
  return workers.map(({ name, since }) => ({ name, since: timestamp(since) }));
}

/** Tasks that each budget limit holds back, as one line with the command that raises it. */
export async function budgetHolds(
  context: GraphContext & MachineContext,
  view: GraphView,
): Promise<{ text: string; command: string }[]> {
  const coordination = await coordinationIn(context, view);
  const { refusal } = coordination;
  if (!refusal) return [];
  const held = new Map<string, { readonly task: Task; readonly refusal: Refusal }[]>();
  const now = context.clock.now();
  for (const id of view.candidates()) {
    const task = view.task(id);
    if (!task || doerOf(task, coordination) !== 'client' || !readiness(view, id, now).ready) continue;
    const refused = refusal(task);
    if (!refused) continue;
    const others = held.get(refused.text);
    if (others) others.push({ task, refusal: refused });
    else held.set(refused.text, [{ task, refusal: refused }]);
  }
  return [...held.values()].map((tasks) => {
    const { text, command } = budgetProblem(tasks);
    return { text, command };
  });
}

export const clientHoldShape = z.object({
  client: z.string(),
  /** One line: the hold, its start, and the number of waiting tasks. */
  text: z.string(),
  /** Advice, and the time of the next automatic attempt. */
  remedy: z.string(),
  /** Command to run once the cause is fixed, if the hold does not end automatically. */
  command: z.nullable(z.string()),
  tasks: z.number(),
  since: z.string(),
  until: z.string(),
});

/** Clients on hold because of trouble with their providers, with the number of ready tasks waiting for each. */
export async function clientHolds(
  context: GraphContext & MachineContext,
  view: GraphView,
): Promise<z.infer<typeof clientHoldShape>[]> {
  const coordination = await coordinationIn(context, view);
  const { holdOf } = coordination;
  const facts = context.coordinator?.();
  if (!holdOf || !facts) return [];
  const waiting = new Map<string, { readonly hold: ClientHoldRow; readonly tasks: number }>();
  const now = context.clock.now();
  for (const id of view.candidates()) {
    const task = view.task(id);
    if (!task || doerOf(task, coordination) !== 'client' || !readiness(view, id, now).ready) continue;
    const hold = holdOf(task);
    if (hold) waiting.set(hold.client, { hold, tasks: (waiting.get(hold.client)?.tasks ?? 0) + 1 });
  }
  const times = ({ since, until }: Pick<ClientHold, 'since' | 'until'>) => ({
    since: timestamp(since),
    until: timestamp(until),
  });
  const replaced = facts.holds.flatMap((hold) => {
    const standIn = waiting.has(hold.client) || !mayStandIn({}, hold) ? undefined : freeStandIn(context, hold, facts);
    if (standIn === undefined) return [];
    const text = `${describeHold(hold)}; ${standIn} takes over`;
    return [
      {
        client: hold.client,
        text,
        remedy: describeRetry(hold),
        command: commandAfter(hold) ?? null,
        tasks: 0,
        ...times(hold),
      },
    ];
  });
  const held = [...waiting.values()].map(({ hold, tasks }) => ({
    client: hold.client,
    text: holdText(hold, tasks),
    remedy: hold.remedy,
    command: hold.command ?? null,
    tasks,
    ...times(hold),
  }));
  return [...held, ...replaced];
}
