import type { Agency } from '#core/agency/agency.js';
import type { Entity, Kind, Role, Tradeoff } from '#core/agency/entities.js';
import { agentText, idOf, roleText, tradeoffText } from '#core/agency/identity.js';
import { lineageBy, newAgent, newRole, newTradeoff, type RoleDraft, type TradeoffDraft } from '#core/agency/make.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';

interface Shipped {
  readonly kind: Kind;
  readonly value: unknown;
}

/**
 * What of the shipped entities is not there yet, in use or not; with `allPairs` also an agent of each role with each
 * trade-off, without the roles that are for the agency itself. `all` are those that will be there then.
 */
export function starters(
  agency: Agency,
  shipped: readonly Shipped[],
  allPairs: boolean,
  now: number,
): { readonly entities: Entity[]; readonly all: Entity[] } {
  const maker = { now, by: 'human' };
  const lineage = lineageBy(maker);
  const entities: Entity[] = [];
  const all: Entity[] = [];
  const keep = <One extends Entity>(id: string, kind: Kind, make: () => One): One => {
    const there = agency.entity(kind, id) as One | undefined;
    const entity = there ?? make();
    if (!there) entities.push({ ...entity, lineage });
    all.push(entity);
    return entity;
  };
  const roles: Role[] = [];
  const tradeoffs: Tradeoff[] = [];
  for (const { kind, value } of shipped) {
    if (!isJsonObject(value)) throw new TroupeError('catalog_invalid', { what: 'data/agency holds no entities.' });
    if (kind === 'role') {
      const draft = value as unknown as RoleDraft & { readonly meta?: boolean };
      const { name, description, skills, desired_outcome } = draft;
      const said = { name, description, skills: skills.map((skill) => skill), desired_outcome };
      const role = keep(idOf(roleText(said)), 'role', () => newRole(agency, said, maker));
      if (draft.meta !== true) roles.push(role);
    } else {
      const draft = value as unknown as TradeoffDraft;
      tradeoffs.push(keep(idOf(tradeoffText(draft)), 'tradeoff', () => newTradeoff(agency, draft, maker)));
    }
  }
  if (allPairs) {
    for (const role of roles) {
      for (const tradeoff of tradeoffs) {
        const name = `${tradeoff.name} ${role.name}`;
        const made = { role_id: role.id, tradeoff_id: tradeoff.id };
        keep(idOf(agentText(role.id, tradeoff.id)), 'agent', () =>
          newAgent(agency, { ...GENERIC, ...made, name }, false, maker),
        );
      }
    }
  }
  return { entities, all };
}

const GENERIC = { capabilities: [], trust_level: 'provisional', executor: 'claude' } as const;
