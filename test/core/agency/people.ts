import { Agency } from '#core/agency/agency.js';
import type { ChoiceTerms } from '#core/agency/choose.js';
import type { Agent, Role, Tradeoff } from '#core/agency/entities.js';
import { type AgentDraft, newAgent, newRole, newTradeoff } from '#core/agency/entity-edits.js';
import { performanceFrom } from '#core/agency/read.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

export const MAKER = { now: Date.parse('2026-03-01T10:00:00Z'), by: 'human' };

/** Terms of choice without any settings. */
export const TERMS: ChoiceTerms = {
  people: new Set(),
  barred: new Set(),
  exploration: {
    every: TEAM_LIMITS.explorationEvery,
    constant: TEAM_LIMITS.explorationConstant,
    novelty: TEAM_LIMITS.noveltyBonus,
  },
};

export function role(name: string, more: Partial<Role> = {}): Role {
  const draft = { name, description: `Does ${name}.`, desired_outcome: 'Done.', skills: [] };
  return { ...newRole(new Agency([]), { ...draft, ...more }, MAKER), ...more };
}

export function tradeoff(name: string, more: Partial<Tradeoff> = {}): Tradeoff {
  const draft = { name, description: `Weighs ${name}.`, acceptable_tradeoffs: [], unacceptable_tradeoffs: [] };
  return { ...newTradeoff(new Agency([]), { ...draft, ...more }, MAKER), ...more };
}

/** An agent with these scores. */
export function agent(name: string, more: Partial<AgentDraft> = {}, scores: readonly number[] = []): Agent {
  const made = { role_id: role(name).id, tradeoff_id: tradeoff('Careful').id };
  const draft = { name, capabilities: [], trust_level: 'provisional' as const, executor: 'claude', ...made, ...more };
  const references = scores.map((score, index) => ({
    score,
    task_id: `t${index}`,
    timestamp: `2026-01-0${index + 1}T00:00:00.000Z`,
    context_id: made.role_id,
  }));
  return { ...newAgent(new Agency([]), draft, true, MAKER), performance: performanceFrom(references) };
}
