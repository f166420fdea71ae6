import type { Agency } from '#core/agency/agency.js';
import type { Entity, EvaluationRef } from '#core/agency/entities.js';
import { performanceFrom } from '#core/agency/read.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** A score, with the agent of its task. */
export interface ScoreRecord {
  readonly id: string;
  readonly task_id: string;
  readonly score: number;
  readonly timestamp: string;
  readonly source: string;
  readonly agent_id: string | null;
}

export interface CreditResult {
  /** Entities whose record gained the score. */
  readonly entities: readonly Entity[];
  readonly role_id: string | null;
  readonly tradeoff_id: string | null;
  readonly warnings: readonly string[];
}

/**
 * Adds a score to the records of the agent, its role (with the trade-off as context) and its trade-off (with the role
 * as context). A person may have neither role nor trade-off. Idempotent: an evaluation that is already in a record does
 * not change it.
 */
export function credit(agency: Agency, scored: ScoreRecord): CreditResult {
  const { agent_id, task_id } = scored;
  const nobody = { entities: [], role_id: null, tradeoff_id: null };
  if (agent_id === null) {
    return {
      ...nobody,
      warnings: [`${task_id} has no agent: its score is kept, but credited to no one.`],
    };
  }
  const agent = agency.agent(agent_id);
  if (!agent) {
    const short = agent_id.slice(0, 8);
    return { ...nobody, warnings: [`Agent ${short} does not exist here: the score is kept, but credited to no one.`] };
  }
  const { role_id, tradeoff_id } = agent;
  const grown = [
    withScore(agent, scored, role_id),
    withScore(agency.role(role_id), scored, tradeoff_id),
    withScore(agency.tradeoff(tradeoff_id), scored, role_id),
  ];
  return {
    entities: grown.filter((entity) => entity !== undefined),
    role_id: role_id || null,
    tradeoff_id: tradeoff_id || null,
    warnings: [],
  };
}

function withScore(entity: Entity | undefined, scored: ScoreRecord, context: string): Entity | undefined {
  const evaluations = entity?.performance.evaluations ?? [];
  if (!entity || evaluations.some(({ evaluation_id }) => evaluation_id === scored.id)) return undefined;
  const { id, score, task_id, timestamp, source } = scored;
  const reference: EvaluationRef = { score, task_id, timestamp, context_id: context, evaluation_id: id, source };
  // The file must stay small enough to be read whole: the oldest references are dropped first.
  return { ...entity, performance: performanceFrom([...evaluations, reference].slice(-TEAM_LIMITS.agencyReferences)) };
}
