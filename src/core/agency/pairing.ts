import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Agency } from './agency.js';
import type { Agent, Entity, Role, Tradeoff } from './entities.js';
import { freeName, type Maker, newAgent } from './entity-edits.js';
import { agentText, idOf } from './entity-text.js';
import { meanOfPrograms } from './scores.js';
import { GENERIC, SERVICE_ROLES } from './starters.js';

/** Default if no score favours another one. */
const MIDDLE = 'Balanced';

/**
 * Creates the agent for a new role or trade-off: paired with the partner that has the best mean, with generic defaults
 * and the capabilities of the agent that its parent has with the same partner. Undefined if there is no partner.
 */
export function pairFor(
  agency: Agency,
  child: Role | Tradeoff,
  maker: Maker,
  people: ReadonlySet<string>,
): Agent | undefined {
  const partner =
    child.kind === 'role'
      ? bestOf(agency, agency.all('tradeoff'), people)
      : bestOf(agency, workingRoles(agency), people);
  if (!partner) return undefined;
  const [role, tradeoff] = (child.kind === 'role' ? [child, partner] : [partner, child]) as [Role, Tradeoff];
  if (agency.agent(idOf(agentText(role.id, tradeoff.id)))) return undefined;
  const parents = new Set(child.lineage.parent_ids);
  const elder = agency
    .all('agent')
    .find(
      ({ role_id, tradeoff_id }) =>
        (parents.has(role_id) && tradeoff_id === tradeoff.id) || (parents.has(tradeoff_id) && role_id === role.id),
    );
  const draft = { ...GENERIC, ...pairOf(agency, role, tradeoff), capabilities: elder?.capabilities ?? [] };
  return newAgent(agency, draft, false, { ...maker, parents: elder ? [elder] : [] });
}

/** Name and parts of an agent of this role and trade-off. */
export function pairOf(agency: Agency, role: Role, tradeoff: Tradeoff) {
  const name = freeName(
    agency,
    'agent',
    `${tradeoff.name} ${role.name}`.slice(0, TEAM_LIMITS.agencyNameCharacters).trim(),
  );
  return { name, role_id: role.id, tradeoff_id: tradeoff.id };
}

/** Entity with the best mean of scores of programs, else the balanced one, else the first by id. */
export function bestOf<One extends Entity>(
  agency: Agency,
  entities: readonly One[],
  people: ReadonlySet<string>,
): One | undefined {
  const means = entities.map((entity) => [entity, meanOfPrograms(agency, entity, people)] as const);
  const scored = means.filter(([, mean]) => mean !== null);
  if (scored.length === 0) return middleOf(entities);
  return scored.reduce((best, one) => ((one[1] ?? 0) > (best[1] ?? 0) ? one : best))[0];
}

/** The balanced one, else the first. */
export function middleOf<One extends Entity>(entities: readonly One[]): One | undefined {
  return entities.find(({ name }) => name === MIDDLE) ?? entities[0];
}

/** Roles that take tasks: all except service roles of the agency or a team, and roles that descend only from these. */
export function workingRoles(agency: Agency): Role[] {
  return agency.all('role').filter((role) => !descendsOnlyFrom(agency, role, SERVICE_ROLES));
}

/** Agents in use whose role takes tasks, including people without a role. */
export function workers(agency: Agency): Agent[] {
  return agency.working().filter(({ role_id }) => {
    const role = agency.role(role_id);
    return role === undefined || !descendsOnlyFrom(agency, role, SERVICE_ROLES);
  });
}

/** Whether the role, or every root of its lineage, has one of these names. */
export function descendsOnlyFrom(agency: Agency, role: Role, names: ReadonlySet<string>): boolean {
  const reached = new Map([[role.id, role]]);
  const roots: Role[] = [];
  for (const one of reached.values()) {
    const parents = names.has(one.name) ? [] : one.lineage.parent_ids.flatMap((id) => agency.role(id) ?? []);
    if (parents.length === 0) roots.push(one);
    for (const parent of parents) reached.set(parent.id, parent); // a map iterates over entries added meanwhile
  }
  return roots.length > 0 && roots.every(({ name }) => names.has(name));
}
