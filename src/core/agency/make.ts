import type { Agency } from '#core/agency/agency.js';
import {
  type Agent,
  type Entity,
  type Lineage,
  NO_PERFORMANCE,
  type Role,
  type SkillRef,
  shortId,
  type Tradeoff,
} from '#core/agency/entities.js';
import { agentText, idOf, personText, roleText, tradeoffText } from '#core/agency/identity.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';

/** Who makes something, when, and out of what. */
export interface Maker {
  readonly now: number;
  /** `human`, or what program made it. */
  readonly by: string;
  /** What the settings say of those that programs make. */
  readonly creator?: { readonly agent?: string | undefined; readonly model?: string | undefined } | undefined;
  readonly parents?: readonly Entity[];
}

/** Roots have no parents; a child stands one generation below the highest of its parents. */
export function lineageBy({ now, by, creator, parents = [] }: Maker): Lineage {
  const program = by !== 'human';
  return {
    parent_ids: parents.map(({ id }) => id),
    generation: parents.length === 0 ? 0 : Math.max(...parents.map(({ lineage }) => lineage.generation)) + 1,
    created_by: by,
    created_at: timestamp(now),
    ...(program && creator?.agent !== undefined ? { creator_agent: creator.agent } : {}),
    ...(program && creator?.model !== undefined ? { creator_model: creator.model } : {}),
  };
}

export interface RoleDraft extends Pick<Role, 'default_context_scope' | 'default_exec_mode'> {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly SkillRef[];
  readonly desired_outcome: string;
}

/** A role that nobody has yet. Errors: `duplicate_entity`. */
export function newRole(agency: Agency, draft: RoleDraft, maker: Maker): Role {
  return fresh(agency, { kind: 'role', id: idOf(roleText(draft)), ...draft, ...begun(maker) });
}

export type TradeoffDraft = Pick<Tradeoff, 'name' | 'description' | 'acceptable_tradeoffs' | 'unacceptable_tradeoffs'>;

export function newTradeoff(agency: Agency, draft: TradeoffDraft, maker: Maker): Tradeoff {
  return fresh(agency, { kind: 'tradeoff', id: idOf(tradeoffText(draft)), ...draft, ...begun(maker) });
}

export type AgentDraft = Omit<Agent, 'kind' | 'id' | 'performance' | 'lineage' | 'more' | 'person' | 'retired'>;

/**
 * A role with a trade-off; only a person (`human`) may do without. Errors: `role_required`, `tradeoff_required`,
 * `duplicate_entity`.
 */
export function newAgent(agency: Agency, draft: AgentDraft, human: boolean, maker: Maker): Agent {
  if (!human && draft.role_id === '') throw new TroupeError('role_required');
  if (!human && draft.tradeoff_id === '') throw new TroupeError('tradeoff_required');
  const paired = draft.role_id !== '' && draft.tradeoff_id !== '';
  const text = paired ? agentText(draft.role_id, draft.tradeoff_id) : personText(draft.name, draft.executor);
  const person = paired ? {} : { person: text };
  return fresh(agency, { kind: 'agent', id: idOf(text), ...draft, ...person, ...begun(maker) });
}

function begun(maker: Maker) {
  return { performance: NO_PERFORMANCE, lineage: lineageBy(maker), more: {} };
}

const TITLES = { role: 'Role', tradeoff: 'Tradeoff', agent: 'Agent' } as const;

function fresh<One extends Entity>(agency: Agency, entity: One): One {
  const twin = agency.entity(entity.kind, entity.id);
  if (!twin) return entity;
  const short = shortId(twin.id);
  throw new TroupeError('duplicate_entity', {
    what: twin.retired
      ? `${TITLES[twin.kind]} with identical content is retired (${short})`
      : `${TITLES[twin.kind]} with identical content already exists (${short})`,
    hint: twin.retired
      ? `Bring it back with \`troupe ${twin.kind} restore ${short}\`.`
      : `It is called ${inert(twin.name)}: \`troupe ${twin.kind} show ${short}\`.`,
    details: { id: twin.id, name: twin.name, retired: twin.retired === true },
  });
}

/** Said when a name is not the only one of its kind. */
export function nameWarnings(agency: Agency, entity: Entity): string[] {
  const others = agency.all(entity.kind).filter(({ name, id }) => name === entity.name && id !== entity.id);
  if (others.length === 0) return [];
  return [`${inert(entity.name)} is also the name of ${others.map(({ id }) => shortId(id)).join(', ')}: use ids.`];
}
