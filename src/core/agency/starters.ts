import type { Agency } from '#core/agency/agency.js';
import type { Entity, Kind, Role, Tradeoff } from '#core/agency/entities.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { lineageBy, newAgent, newRole, newTradeoff, type RoleDraft, type TradeoffDraft } from './entity-edits.js';
import { agentText, idOf, roleText, tradeoffText } from './entity-text.js';

interface ShippedEntity {
  readonly kind: Kind;
  readonly value: unknown;
}

/**
 * Shipped entities that are not present yet, in use or not; with `allPairs`, also an agent for each pair of role and
 * trade-off, except for meta roles. `all`: the entities present afterwards. A file that exists but is invalid is left
 * alone.
 */
export function starters(
  agency: Agency,
  shipped: readonly ShippedEntity[],
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
    if (!there && agency.rejectedFileWarning(kind, id) === undefined) entities.push({ ...entity, lineage });
    all.push(entity);
    return entity;
  };
  const roles: Role[] = [];
  const tradeoffs: Tradeoff[] = [];
  for (const { kind, value } of shipped) {
    if (!isJsonObject(value)) throw notOurs();
    if (kind === 'role') {
      if (!isRoleDraft(value)) throw notOurs();
      const { name, description, skills, desired_outcome } = value;
      const draft = { name, description, skills, desired_outcome };
      const role = keep(idOf(roleText(draft)), 'role', () => newRole(agency, draft, maker));
      if (value.meta !== true) roles.push(role);
    } else {
      if (!isTradeoffDraft(value)) throw notOurs();
      tradeoffs.push(keep(idOf(tradeoffText(value)), 'tradeoff', () => newTradeoff(agency, value, maker)));
    }
  }
  if (allPairs) {
    for (const role of roles) {
      for (const tradeoff of tradeoffs) {
        const name = `${tradeoff.name} ${role.name}`;
        const pair = { role_id: role.id, tradeoff_id: tradeoff.id };
        keep(idOf(agentText(role.id, tradeoff.id)), 'agent', () =>
          newAgent(agency, { ...GENERIC, ...pair, name }, false, maker),
        );
      }
    }
  }
  return { entities, all };
}

/** Defaults of an agent. */
export const GENERIC = { capabilities: [], trust_level: 'provisional', executor: 'claude' } as const;
/** Shipped roles that serve the agency itself. */
export const META_ROLES: ReadonlySet<string> = new Set(['Assigner', 'Evaluator', 'Evolver']);
/**
 * Shipped roles that take no tasks: they serve the agency, or are built-in members of a team (`kind: builtin` in
 * `data/catalog`).
 */
export const SERVICE_ROLES: ReadonlySet<string> = new Set([
  ...META_ROLES,
  ...['Team Coordinator', 'Team Scribe', 'Work Monitor', 'Responsible AI Reviewer'],
]);

function notOurs(): TroupeError {
  return new TroupeError('catalog_invalid', { what: 'data/agency holds no entities.' });
}

const hasTexts = (value: JsonObject, ...fields: string[]) => fields.every((field) => typeof value[field] === 'string');
const hasLists = (value: JsonObject, ...fields: string[]) => fields.every((field) => Array.isArray(value[field]));

function isRoleDraft(value: JsonObject): value is JsonObject & RoleDraft & { readonly meta?: boolean } {
  return hasTexts(value, 'name', 'description', 'desired_outcome') && hasLists(value, 'skills');
}

/** Whether the value is a valid shipped trade-off. */
export function isTradeoffDraft(value: unknown): value is JsonObject & TradeoffDraft {
  if (!isJsonObject(value) || !hasTexts(value, 'name', 'description')) return false;
  return hasLists(value, 'acceptable_tradeoffs', 'unacceptable_tradeoffs');
}
