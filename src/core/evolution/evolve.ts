// The operations of an evolution, one after another, on the agency as it is by then.
import type { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, Role, SkillRef, Tradeoff } from '#core/agency/entities.js';
import {
  freeName,
  type Maker,
  newRole,
  newTradeoff,
  outOfUse,
  typedList,
  typedName,
  typedText,
} from '#core/agency/entity-edits.js';
import { skillParts } from '#core/agency/entity-text.js';
import { pairFor } from '#core/agency/pairing.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { type Json, sameJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { ProposalItem, ProposedOperation } from './proposal.js';
import { type Strategy, termsOf } from './strategy.js';

/** What became of one operation. `held`: it is made, and nobody works with it before a person says so. */
export const OPERATION_STATUSES = ['applied', 'rejected', 'duplicate', 'over_budget', 'deferred', 'held'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export interface OperationOutcome {
  /** Its place in the answer, from 1. */
  readonly index: number;
  readonly raw: Json;
  readonly status: OperationStatus;
  /** Why it is not applied; empty where it is. */
  readonly reason: string;
  /** The code of the error that refused it. */
  readonly code?: ErrorCode;
  readonly rationale: string;
  readonly target_ids: readonly string[];
  /** What it made: the role or trade-off, and the agent of it. */
  readonly made: readonly MadeEntity[];
  readonly retired: readonly MadeEntity[];
}

export interface MadeEntity {
  readonly kind: Entity['kind'];
  readonly id: string;
  readonly name: string;
}

/** Under which terms operations are applied. */
export interface EvolutionTerms {
  readonly run: string;
  readonly strategy: Strategy;
  /** How many are applied at most. */
  readonly budget: number;
  readonly maker: Pick<Maker, 'now' | 'creator'>;
  /** The roles and trade-offs of whoever proposes: what touches one waits for a person. */
  readonly own: ReadonlySet<string>;
  /** Agents that are people: how they did pairs nobody. */
  readonly people: ReadonlySet<string>;
  /** Why a changed entity is held back; empty for one that is adopted. */
  readonly doubt: (child: Role | Tradeoff) => string;
}

export interface Evolution {
  /** The agency as it is then. */
  readonly agency: Agency;
  /** What has to be written. */
  readonly entities: readonly Entity[];
  readonly outcomes: readonly OperationOutcome[];
}

/**
 * Applies operations one after another; each sees what those before it made. What cannot be applied is told with its reason,
 * and the others go on. Whatever is proposed, one role and one trade-off stay that anybody may be made of.
 */
export function evolve(agency: Agency, items: readonly ProposalItem[], terms: EvolutionTerms): Evolution {
  let current = agency;
  let spent = 0;
  const written = new Map<string, Entity>();
  const names = new Map<string, string>();
  const outcomes = items.map(({ raw, operation, problem }, at): OperationOutcome => {
    const index = at + 1;
    const base = { index, raw, rationale: operation?.rationale ?? '', target_ids: [], made: [], retired: [] };
    if (operation === undefined) return { ...base, status: 'rejected', code: 'bad_model_answer', reason: problem };
    try {
      const step = stepOf(current, operation, terms, names);
      const target_ids = step.targets.map(({ id }) => id);
      const known = { ...base, target_ids };
      if (step.targets.some(({ id }) => terms.own.has(id))) {
        const reason = 'It changes the role or trade-off of its proposer: a person decides.';
        return { ...known, status: 'deferred', reason };
      }
      if (spent === terms.budget) return { ...known, status: 'over_budget', reason: `The budget is ${terms.budget}.` };
      spent++;
      const { entities, reason = '' } = step;
      current = current.with(entities);
      for (const entity of entities) written.set(`${entity.kind} ${entity.id}`, entity);
      for (const { kind, id } of entities) if (operation.name !== undefined) names.set(`${kind} ${operation.name}`, id);
      return {
        ...{ ...known, status: reason === '' ? 'applied' : 'held', reason },
        made: entities.filter(({ retired }) => retired !== true).map(shortly),
        retired: entities.filter(({ retired }) => retired === true).map(shortly),
      };
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      const { code, message: reason } = error;
      return { ...base, status: code === 'duplicate_entity' ? 'duplicate' : 'rejected', code, reason };
    }
  });
  return { agency: current, entities: [...written.values()], outcomes };
}

function shortly({ kind, id, name }: Entity): MadeEntity {
  return { kind, id, name };
}

/** One operation that can be applied: what it goes out from, what has to be written, and why a person has to decide yet. */
interface Step {
  readonly targets: readonly (Role | Tradeoff)[];
  readonly entities: readonly Entity[];
  readonly reason?: string;
}

/** Errors: `bad_input`, `too_large`, `not_found`, `ambiguous_id`, `duplicate_entity`, `last_entity`. */
function stepOf(
  agency: Agency,
  operation: ProposedOperation,
  terms: EvolutionTerms,
  names: ReadonlyMap<string, string>,
): Step {
  checkStrategy(operation, terms.strategy);
  const [verb, kind] = operation.op.split('_') as ['create' | 'modify' | 'retire', 'role' | 'tradeoff'];
  const targets = operation.targets.map((word) => targetOf(agency, kind, word, names));
  if (verb === 'retire') return { targets, entities: targets.map((target) => outOfUse(agency, target)) };
  const maker = { ...terms.maker, by: `evolver-${terms.run}`, parents: targets };
  const child =
    kind === 'role'
      ? childRole(agency, operation, targets as Role[], maker)
      : childTradeoff(agency, operation, targets as Tradeoff[], maker, termsOf(terms.strategy).listsOnly);
  const reason = verb === 'modify' ? terms.doubt(child) : '';
  if (reason !== '') return { targets, entities: [{ ...child, held: terms.run }], reason };
  return { targets, entities: withAgent(agency, child, maker, terms.people) };
}

/** What was made, and the agent that works with it. */
export function withAgent(
  agency: Agency,
  child: Role | Tradeoff,
  maker: Maker,
  people: ReadonlySet<string>,
): readonly [Role | Tradeoff, ...Agent[]] {
  const agent = pairFor(agency, child, maker, people);
  return agent === undefined ? [child] : [child, agent];
}

/** Errors: `bad_input` for what the strategy does not do, or with another number of parents than it may have. */
function checkStrategy({ op, targets }: ProposedOperation, strategy: Strategy): void {
  const { operations, parents } = termsOf(strategy);
  if (!operations.includes(op)) throw new TroupeError('bad_input', { what: `${strategy} does not include ${op}.` });
  const [verb] = op.split('_');
  const [least, most] = verb === 'create' ? [0, 0] : verb === 'retire' ? [1, 1] : [Math.max(1, parents[0]), parents[1]];
  if (targets.length >= least && targets.length <= most) return;
  const needed = least === most ? `${least}` : `${least} or more`;
  throw new TroupeError('bad_input', { what: `${op} has ${targets.length} targets; it needs ${needed}.` });
}

/** By its name in this answer, else by id or name. One that is held back is nobody's parent. */
function targetOf(
  agency: Agency,
  kind: 'role' | 'tradeoff',
  word: string,
  names: ReadonlyMap<string, string>,
): Role | Tradeoff {
  const target = agency.find(kind, names.get(`${kind} ${word}`) ?? word);
  if (target.pending)
    throw new TroupeError('not_accepted', {
      what: `${inert(target.name)} has not been accepted here yet.`,
      hint: `Run \`troupe ${kind} trust ID\`.`,
      details: { id: target.id },
    });
  if (target.held === undefined) return target;
  throw new TroupeError('bad_input', {
    what: `${inert(target.name)} is not adopted yet: a person decides first.`,
  });
}

function childRole(agency: Agency, said: ProposedOperation, parents: readonly Role[], maker: Maker): Role {
  const [first] = parents;
  const skills = said.skills?.map(typed) ?? first?.skills ?? [];
  for (const skill of skills) checkSkill(skill, parents);
  const { default_context_scope: scope, default_exec_mode: mode } = first ?? {};
  const draft = {
    name: nameOf(agency, 'role', said, first),
    description: textOf('The description', said.description, first?.description),
    desired_outcome: textOf('The outcome', said.desired_outcome, first?.desired_outcome),
    skills,
    ...(scope === undefined ? {} : { default_context_scope: scope }),
    ...(mode === undefined ? {} : { default_exec_mode: mode }),
  };
  return newRole(agency, draft, maker);
}

function childTradeoff(
  agency: Agency,
  said: ProposedOperation,
  parents: readonly Tradeoff[],
  maker: Maker,
  listsOnly: boolean,
): Tradeoff {
  const [first] = parents;
  const description = textOf('The description', said.description, first?.description);
  if (listsOnly && first && description !== first.description) {
    throw new TroupeError('bad_input', { what: 'Only the lists of a trade-off are tuned, not its description.' });
  }
  const lists = (field: 'acceptable_tradeoffs' | 'unacceptable_tradeoffs', what: string) =>
    said[field] === undefined ? (first?.[field] ?? []) : typedList(what, said[field]);
  const draft = {
    name: nameOf(agency, 'tradeoff', said, first),
    description,
    acceptable_tradeoffs: lists('acceptable_tradeoffs', 'What is acceptable'),
    unacceptable_tradeoffs: lists('unacceptable_tradeoffs', 'What is not acceptable'),
  };
  return newTradeoff(agency, draft, maker);
}

/** No name is given twice: an entity would be found by its id alone. */
function nameOf(
  agency: Agency,
  kind: 'role' | 'tradeoff',
  { name }: ProposedOperation,
  parent: Entity | undefined,
): string {
  if (name === undefined && parent === undefined) throw new TroupeError('bad_input', { what: 'It has no name.' });
  return freeName(agency, kind, name === undefined ? (parent?.name ?? '') : typedName(name));
}

function textOf(what: string, said: string | undefined, inherited: string | undefined): string {
  return said === undefined && inherited !== undefined ? inherited : typedText(what, said ?? '');
}

function typed(skill: SkillRef): SkillRef {
  const { kind, text } = skillParts(skill);
  return { [kind]: typedText('A skill', text) } as unknown as SkillRef;
}

/** A model names no file and no address of its own: what it has read there would be told to every attempt. */
function checkSkill(skill: SkillRef, parents: readonly Role[]): void {
  const { kind, text } = skillParts(skill);
  if (kind !== 'file' && kind !== 'url') return;
  if (parents.some(({ skills }) => skills.some((one) => sameJson(one as Json, skill as Json)))) return;
  throw new TroupeError('bad_input', {
    what: `No parent has the skill ${kind}:${inert(text).slice(0, LIMITS.agencyNameCharacters)}.`,
  });
}
