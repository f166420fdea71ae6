import { busyWith, missingAgent } from '#core/coordinator/agency.js';
import { Ledger } from '#core/coordinator/budget.js';
import { clientKey, commandAfter, sayAgain, sayHold } from '#core/coordinator/client-holds.js';
import { mayStart, Ownership } from '#core/coordinator/sessions.js';
import { AGENT } from '#core/graph/assignee.js';
import { waitsForTrust } from '#core/graph/commands.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { type Coordination, NO_COORDINATION } from '#core/insight/coordination.js';
import type { Context } from '#operations/operation.js';
import { clientInForce } from '#operations/settings/usable-executors.js';

/** What the coordinator of this process says; where there is none, no other process has one either, or it would be asked.
 * Then only the client that a service would find is known. */
export async function coordinationIn(context: Context, view?: GraphView): Promise<Coordination> {
  const facts = context.coordinator?.();
  const trusted = await context.trustedCommands();
  trusted.look();
  const waits = (task: Task) => waitsForTrust(task, trusted);
  if (!facts) return { ...NO_COORDINATION, ...(await clientInForce(context)), waitsForTrust: waits };
  const {
    paused,
    alive,
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
  } = facts;
  const ledger = budget && new Ledger(budget);
  const refusal = ledger && ((task: Task) => ledger.refusal(task));
  const ownership = sessions && view && new Ownership(view, sessions);
  const pausedSession =
    ownership &&
    ((task: Task) => {
      const owner = sessions.find(({ id }) => id === ownership.ownerOf(task));
      return owner && !mayStart(owner) ? String(owner.id) : undefined;
    });
  const busy =
    agency &&
    view &&
    busyWith(
      view,
      facts.agents().map((run) => run.task_id),
    );
  const full =
    busy &&
    ((task: Task) => {
      const agent = String(AGENT.of(task) ?? '');
      const [has, most] = [busy.get(agent) ?? 0, agency.agents.get(agent)?.capacity];
      return most !== undefined && has >= most
        ? `its agent ${agent.slice(0, 12)} is at ${has} already, as many as it takes at once`
        : undefined;
    });
  const held =
    holds.length === 0
      ? undefined
      : (task: Task) => {
          const session = sessions?.find(({ id }) => id === ownership?.ownerOf(task))?.executor ?? executor;
          const own = agency?.agents.get(String(AGENT.of(task)))?.executor ?? session;
          const hold = holds.find(({ client }) => own !== undefined && client === clientKey(task, own, agency));
          return hold && { ...hold, text: sayHold(hold), remedy: sayAgain(hold), command: commandAfter(hold) };
        };
  const client = { executor, missing, backOffUntil, refusal, full, held };
  return {
    running: true,
    paused,
    alive,
    most,
    ...client,
    triaged,
    pausedSession,
    missingAgent: (task) => missingAgent(task, agency),
    unprepared,
    unjudged: agency?.unjudged,
    waitsForTrust: waits,
  };
}
