import type { Agency } from '#core/agency/agency.js';
import type { Entity, EvaluationRef } from '#core/agency/entities.js';

/**
 * The scores of a record that say something of roles and trade-offs. What people did is kept and shown, and left out here:
 * nobody is made or paired by how a person did. `people`: the ids of their agents. A reference on a role names the trade-off
 * it stood beside, and the other way round; the two are one agent.
 */
export function scoresOfPrograms(
  agency: Agency,
  entity: Entity,
  people: ReadonlySet<string>,
): readonly EvaluationRef[] {
  const { evaluations } = entity.performance;
  if (people.size === 0) return evaluations;
  if (entity.kind === 'agent') return people.has(entity.id) ? [] : evaluations;
  const beside = new Set<string>();
  for (const id of people) {
    const person = agency.agent(id);
    if (person && entity.kind === 'role' && person.role_id === entity.id) beside.add(person.tradeoff_id);
    if (person && entity.kind === 'tradeoff' && person.tradeoff_id === entity.id) beside.add(person.role_id);
  }
  return evaluations.filter(({ context_id }) => !beside.has(context_id));
}
