import { type AgencyFacts, NO_AGENCY } from '#core/coordinator/agency.js';
import type { ErrandFailure } from '#core/coordinator/errand.js';
import type { FinishResult } from '#core/coordinator/finish.js';
import type { CoordinatorDecision, CoordinatorSnapshot } from '#core/coordinator/parts.js';
import type { PlacementAnswer } from '#core/coordinator/placing.js';
import type { PreparationFailure, PreparedRun } from '#core/coordinator/preparing.js';
import { type RunFact, type Terms, USUAL_TERMS } from '#core/coordinator/snapshot.js';
import type { TriageResult } from '#core/coordinator/triage.js';
import type { StartedWorkflow } from '#core/coordinator/triggers.js';
import type { GraphState } from '#core/graph/state.js';
import { CLIENTS } from '#core/runs/plan.js';
import type { TaskFields } from '../graph/graph.js';
import { commit, graphOf, NOW } from '../graph/graph.js';
import { quietSnapshot } from './quiet-snapshot.js';

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

/** A task held by a run, as after its claim. */
export function held(id: string, run: string, fields: TaskFields = {}): TaskFields & { id: string } {
  return { id, status: 'in-progress', assigned: run, fence: 1, exec: 'true', ...fields };
}

/** Agency of a test: its known agents. */
export type StagedAgency = Partial<Omit<AgencyFacts, 'agents'>> & {
  readonly agents: ReadonlyMap<
    string,
    { human: boolean; capacity: number; executor: string; provider?: string | undefined }
  >;
};

/** Fields of a snapshot that a test sets; all others are unknown facts. */
export type Fields = Partial<Omit<CoordinatorSnapshot, 'agency' | 'terms'>> & {
  readonly agency?: StagedAgency;
  readonly terms?: Partial<Terms>;
};

/** Result of any errand. */
export type Answer =
  | FinishResult
  | TriageResult
  | PlacementAnswer
  | StartedWorkflow
  | PreparedRun
  | PreparationFailure
  | ErrandFailure;

export function agencyOf({ agents, ...more }: StagedAgency): AgencyFacts {
  const known = [...agents].map(([id, agent]) => [id, { ...agent, provider: agent.provider }] as const);
  return { ...NO_AGENCY, ...more, agents: new Map(known) };
}

export function snapshot(view: GraphState, { agency, terms, ...fields }: Fields = {}): CoordinatorSnapshot {
  return {
    ...quietSnapshot(view),
    ...{ maxAgents: 4, nextRun: 10, providers: SEEN },
    finishes: fields.errands !== undefined, // if there are errands, a host carries them out
    ...fields,
    terms: { ...USUAL_TERMS, ...terms },
    agency: agency ? agencyOf(agency) : NO_AGENCY,
  };
}

/** Every client was seen running. */
const SEEN = { holds: new Map(), proven: new Set<string>(CLIENTS) };

/** Commits decisions, as the loop does. */
export function apply(graph: GraphState, decisions: readonly CoordinatorDecision[]): void {
  commit(graph, { events: decisions.flatMap((decision) => decision.events), result: undefined });
}

/** Short form of decisions: `dispatch a agent-10`. */
export function said(decisions: readonly CoordinatorDecision[]): string[] {
  return decisions.map((decision) =>
    'run' in decision ? `${decision.do} ${decision.task} ${decision.run}` : decision.do,
  );
}
