import type { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, Role, Tradeoff } from '#core/agency/entities.js';
import { type Maker, newRole, newTradeoff } from '#core/agency/make.js';
import { TroupeError } from '#kernel/errors.js';
import { sameJson } from '#kernel/json.js';
import { inert } from '#kernel/text.js';

export interface Edited<One extends Entity> {
  /** The entity as it is now, or its successor. */
  readonly entity: One;
  readonly successor: boolean;
  readonly changed: boolean;
}

const ROLE_IDENTITY = ['description', 'skills', 'desired_outcome'] as const;
const TRADEOFF_IDENTITY = ['description', 'acceptable_tradeoffs', 'unacceptable_tradeoffs'] as const;

/** What an entity is never changes in place: another description makes a child of it. `duplicate_entity` when there is one. */
export function editRole(agency: Agency, role: Role, edit: Partial<Role>, maker: Maker): Edited<Role> {
  const next = { ...role, ...edit };
  if (ROLE_IDENTITY.every((key) => sameJson(next[key], role[key]))) return inPlace(role, next);
  const { name, description, skills, desired_outcome, default_context_scope, default_exec_mode } = next;
  const defaults = {
    ...(default_context_scope === undefined ? {} : { default_context_scope }),
    ...(default_exec_mode === undefined ? {} : { default_exec_mode }),
  };
  const draft = { name, description, skills, desired_outcome, ...defaults };
  return { entity: newRole(agency, draft, { ...maker, parents: [role] }), successor: true, changed: true };
}

export function editTradeoff(agency: Agency, one: Tradeoff, edit: Partial<Tradeoff>, maker: Maker): Edited<Tradeoff> {
  const next = { ...one, ...edit };
  if (TRADEOFF_IDENTITY.every((key) => sameJson(next[key], one[key]))) return inPlace(one, next);
  const { name, description, acceptable_tradeoffs, unacceptable_tradeoffs } = next;
  const draft = { name, description, acceptable_tradeoffs, unacceptable_tradeoffs };
  return { entity: newTradeoff(agency, draft, { ...maker, parents: [one] }), successor: true, changed: true };
}

/** Nothing that can be said of an agent but its role and trade-off is part of its id. */
export function editAgent(agent: Agent, edit: Partial<Agent>): Edited<Agent> {
  return inPlace(agent, { ...agent, ...edit });
}

function inPlace<One extends Entity>(before: One, after: One): Edited<One> {
  return { entity: after, successor: false, changed: !sameJson(before, after) };
}

/** Takes one out of use. Errors: `in_use` while an agent needs it, `last_entity` for the last role or trade-off. */
export function retire(agency: Agency, entity: Entity): Entity {
  const users = agency.all('agent').filter((agent) => agent.role_id === entity.id || agent.tradeoff_id === entity.id);
  const [first] = users;
  if (first) {
    throw new TroupeError('in_use', {
      what: `${users.length === 1 ? `${inert(first.name)} is` : `${users.length} agents are`} made of ${inert(entity.name)}.`,
      details: { agents: users.map(({ id }) => id) },
    });
  }
  if (entity.kind !== 'agent' && agency.all(entity.kind).length === 1) {
    throw new TroupeError('last_entity', { what: `${inert(entity.name)} is the last ${entity.kind}.` });
  }
  return { ...entity, retired: true };
}

export function restored(entity: Entity): Entity {
  const { retired: _, ...rest } = entity;
  return rest as Entity;
}
