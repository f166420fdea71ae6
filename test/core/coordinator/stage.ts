import type { Decision } from '#core/coordinator/decision.js';
import type { CoordinatorSnapshot, ProviderFacts, RunFact } from '#core/coordinator/snapshot.js';
import { CLIENTS } from '#core/executors/plan.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

export { graphOf, NOW };

export function fact(id: string, taskId: string, fields: Partial<RunFact> = {}): RunFact {
  return {
    id,
    taskId,
    fence: 1,
    startedAt: NOW - 1_000,
    timeoutMs: 60_000,
    alive: true,
    started: true,
    outputBytes: 0,
    ...fields,
  };
}

/** A task held by a run, as the claim left it. */
export function held(id: string, run: string, fields: Partial<Task> = {}): Partial<Task> & { id: string } {
  return { id, status: 'in-progress', assigned: run, fence: 1, exec: 'true', ...fields };
}

export function snapshot(view: GraphState, fields: Partial<CoordinatorSnapshot> = {}): CoordinatorSnapshot {
  return { view, runs: [], maxAgents: 4, nextRun: 10, paused: false, providers: SEEN, trust: EVERY_COMMAND, ...fields };
}

/** Every client was seen at work. */
const SEEN: ProviderFacts = { holds: new Map(), proven: new Set(CLIENTS) };

/** Commits what was decided, as the loop does. */
export function apply(graph: GraphState, decisions: readonly Decision[]): void {
  commit(graph, { events: decisions.flatMap((decision) => decision.events), result: undefined });
}

/** Decisions in short: `dispatch a agent-10`. */
export function said(decisions: readonly Decision[]): string[] {
  return decisions.map((decision) =>
    'run' in decision ? `${decision.do} ${decision.task} ${decision.run}` : decision.do,
  );
}
