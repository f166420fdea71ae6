// Creating and changing roles, trade-offs and agents: validation of input, new entities, successors of edited ones.
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { sameJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Agency } from './agency.js';
import {
  type Agent,
  type Entity,
  type Lineage,
  NO_PERFORMANCE,
  type Role,
  type SkillRef,
  shortId,
  type Tradeoff,
} from './entities.js';
import { agentText, idOf, personText, roleText, tradeoffText } from './entity-text.js';

/** Origin of a new entity. */
export interface Maker {
  readonly now: number;
  /** `human`, or the name of the program that created it. */
  readonly by: string;
  /** Creator recorded for entities made by programs, from the settings. */
  readonly creator?: { readonly agent?: string | undefined; readonly model?: string | undefined } | undefined;
  readonly parents?: readonly Entity[];
}

/** Lineage of a new entity: generation 0 without parents, else one more than the highest generation of its parents. */
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

/** A new role. Errors: `duplicate_entity`. */
export function newRole(agency: Agency, draft: RoleDraft, maker: Maker): Role {
  return fresh(agency, { kind: 'role', id: idOf(roleText(draft)), ...draft, ...initialRecord(maker) });
}

export type TradeoffDraft = Pick<Tradeoff, 'name' | 'description' | 'acceptable_tradeoffs' | 'unacceptable_tradeoffs'>;

export function newTradeoff(agency: Agency, draft: TradeoffDraft, maker: Maker): Tradeoff {
  return fresh(agency, { kind: 'tradeoff', id: idOf(tradeoffText(draft)), ...draft, ...initialRecord(maker) });
}

export type AgentDraft = Omit<
  Agent,
  'kind' | 'id' | 'performance' | 'lineage' | 'more' | 'person' | 'retired' | 'pending'
>;

/**
 * A new agent of a role and a trade-off; only a person (`human`) may lack either. Errors: `role_required`,
 * `tradeoff_required`, `duplicate_entity`.
 */
export function newAgent(agency: Agency, draft: AgentDraft, human: boolean, maker: Maker): Agent {
  if (!human && draft.role_id === '') throw new TroupeError('role_required');
  if (!human && draft.tradeoff_id === '') throw new TroupeError('tradeoff_required');
  const paired = draft.role_id !== '' && draft.tradeoff_id !== '';
  const text = paired ? agentText(draft.role_id, draft.tradeoff_id) : personText(draft.name, draft.executor);
  const person = paired ? {} : { person: text };
  return fresh(agency, { kind: 'agent', id: idOf(text), ...draft, ...person, ...initialRecord(maker) });
}

function initialRecord(maker: Maker) {
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
      ? `Restore it with \`troupe agency rm ${twin.kind} ${short} --undo\`.`
      : `It is called ${inert(twin.name)}: \`troupe agency show ${twin.kind} ${short}\`.`,
    details: { id: twin.id, name: twin.name, retired: twin.retired === true },
  });
}

/** Warning for a name that other entities of its kind have too. */
export function nameWarnings(agency: Agency, entity: Entity): string[] {
  const others = agency.all(entity.kind).filter(({ name, id }) => name === entity.name && id !== entity.id);
  if (others.length === 0) return [];
  return [
    `${inert(entity.name)} is the name of several entries: ${others.map(({ id }) => shortId(id)).join(', ')}: use ids.`,
  ];
}

/** The name, with the lowest number appended that makes it unique within its kind, in use or not. */
export function freeName(agency: Agency, kind: Entity['kind'], name: string): string {
  const taken = new Set(
    [...agency.all(kind), ...agency.waiting(kind), ...agency.all(kind, true)].map((one) => one.name),
  );
  const base = name.replace(/ \d+$/, '');
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : ` ${number}`;
    const candidate =
      number === 1 ? name : `${base.slice(0, TEAM_LIMITS.agencyNameCharacters - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export interface EditResult<One extends Entity> {
  /** The edited entity, or its successor. */
  readonly entity: One;
  readonly successor: boolean;
  readonly changed: boolean;
}

const ROLE_IDENTITY = ['description', 'skills', 'desired_outcome'] as const;
const TRADEOFF_IDENTITY = ['description', 'acceptable_tradeoffs', 'unacceptable_tradeoffs'] as const;

/**
 * Edits a role. A change of its identity fields creates a child instead of changing it in place. Errors:
 * `duplicate_entity` if that child exists.
 */
export function editRole(agency: Agency, role: Role, edit: Partial<Role>, maker: Maker): EditResult<Role> {
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

export function editTradeoff(
  agency: Agency,
  one: Tradeoff,
  edit: Partial<Tradeoff>,
  maker: Maker,
): EditResult<Tradeoff> {
  const next = { ...one, ...edit };
  if (TRADEOFF_IDENTITY.every((key) => sameJson(next[key], one[key]))) return inPlace(one, next);
  const { name, description, acceptable_tradeoffs, unacceptable_tradeoffs } = next;
  const draft = { name, description, acceptable_tradeoffs, unacceptable_tradeoffs };
  return { entity: newTradeoff(agency, draft, { ...maker, parents: [one] }), successor: true, changed: true };
}

/** Edits an agent in place: only its role and trade-off are part of its id, and they cannot be edited. */
export function editAgent(agent: Agent, edit: Partial<Agent>): EditResult<Agent> {
  return inPlace(agent, { ...agent, ...edit });
}

function inPlace<One extends Entity>(before: One, after: One): EditResult<One> {
  return { entity: after, successor: false, changed: !sameJson(before, after) };
}

/**
 * Takes an entity out of use. Errors: `in_use` while an agent needs it, `last_entity` for the last role or trade-off.
 */
export function retire(agency: Agency, entity: Entity): Entity {
  const users = agency.all('agent').filter((agent) => agent.role_id === entity.id || agent.tradeoff_id === entity.id);
  const [first] = users;
  if (first) {
    throw new TroupeError('in_use', {
      what: `${users.length === 1 ? `${inert(first.name)} is` : `${users.length} agents are`} made of ${inert(entity.name)}.`,
      details: { agents: users.map(({ id }) => id) },
    });
  }
  return retireUnchecked(agency, entity);
}

/**
 * Takes an entity out of use even if agents are made of it: these match no tasks any more, but keep the tasks they work
 * on. Errors: `last_entity`.
 */
export function retireUnchecked<One extends Entity>(agency: Agency, entity: One): One {
  if (entity.kind !== 'agent' && agency.all(entity.kind).every(({ id }) => id === entity.id)) {
    throw new TroupeError('last_entity', { what: `${inert(entity.name)} is the last ${entity.kind}.` });
  }
  return { ...entity, retired: true };
}

/** Removes the `held` mark: the entity can be used. */
export function adopted<One extends Entity>(entity: One): One {
  const { held: _, ...rest } = entity;
  return rest as One;
}

/** Removes the `pending` mark: a person accepted the entity. */
export function accept(entity: Entity): Entity {
  const { pending: _, ...rest } = entity;
  return rest as Entity;
}

export function unretire(entity: Entity): Entity {
  const { retired: _, ...rest } = entity;
  return rest as Entity;
}

/** Normalises a typed text to the form that is hashed: NFC, LF line ends, trimmed. Errors: `bad_input`, `too_large`. */
export function typedText(what: string, text: string): string {
  const plain = text
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .normalize('NFC')
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .trim();
  if (plain === '') throw new TroupeError('bad_input', { what: `${what} is empty.` });
  if (Buffer.byteLength(plain) > TEAM_LIMITS.agencyTextBytes) {
    throw new TroupeError('too_large', { what: `${what} has more than ${TEAM_LIMITS.agencyTextBytes} bytes.` });
  }
  return plain;
}

export function typedName(name: string): string {
  const plain = typedText('The name', name);
  if (plain.length <= TEAM_LIMITS.agencyNameCharacters && inert(plain) === plain) return plain;
  throw new TroupeError('bad_input', {
    what: `Not a name: ${JSON.stringify(cut(inert(plain), 60))}`,
    hint: `Use one line of at most ${TEAM_LIMITS.agencyNameCharacters} characters.`,
  });
}

export function typedList(what: string, items: readonly string[] = []): string[] {
  if (items.length > TEAM_LIMITS.agencyItems)
    throw new TroupeError('bad_input', { what: `${what}: at most ${TEAM_LIMITS.agencyItems}.` });
  return items.map((item) => typedText(what, item));
}

/** Parses a skill: `rust`, `file:docs/style.md`, `url:https://…`, `inline:Keep functions small.` */
export function typedSkill(word: string): SkillRef {
  const [, kind, rest] = /^(file|url|inline|name):([\s\S]*)$/.exec(word) ?? [];
  const text = typedText('A skill', rest ?? word);
  if (kind === 'file') return { file: text };
  if (kind === 'url') return { url: text };
  return kind === 'inline' ? { inline: text } : { name: text };
}

export function typedSkills(words: readonly string[] = []): SkillRef[] {
  if (words.length > TEAM_LIMITS.skills)
    throw new TroupeError('bad_input', { what: `At most ${TEAM_LIMITS.skills} skills.` });
  return words.map(typedSkill);
}
