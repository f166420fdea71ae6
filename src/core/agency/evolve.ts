// Applies the operations of an evolution one after another, each to the result of the previous ones.
import type { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, Role, SkillRef, Tradeoff } from '#core/agency/entities.js';
import {
  freeName,
  type Maker,
  newRole,
  newTradeoff,
  retireUnchecked,
  typedList,
  typedName,
  typedText,
} from '#core/agency/entity-edits.js';
import { skillParts } from '#core/agency/entity-text.js';
import { pairFor } from '#core/agency/pairing.js';
import { notAccepted } from '#core/agency/waiting.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { type Json, sameJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inert } from '#kernel/text.js';
import type { ProposalItem, ProposedOperation } from './proposal.js';
import { type Strategy, termsOf } from './strategy.js';

/** Results of an operation. `held`: the entity exists, but cannot be used until a person approves. */
export const OPERATION_STATUSES = ['applied', 'rejected', 'duplicate', 'over_budget', 'deferred', 'held'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export interface OperationOutcome {
  /** Position in the answer, from 1. */
  readonly index: number;
  readonly raw: Json;
  readonly status: OperationStatus;
  /** Reason why it was not applied; empty if it was. */
  readonly reason: string;
  /** Code of the error that rejected it. */
  readonly code?: ErrorCode;
  readonly rationale: string;
  readonly target_ids: readonly string[];
  /** Entities created: the role or trade-off, and its agent. */
  readonly made: readonly MadeEntity[];
  readonly retired: readonly MadeEntity[];
}

export interface MadeEntity {
  readonly kind: Entity['kind'];
  readonly id: string;
  readonly name: string;
}

/** Conditions under which operations are applied. */
export interface EvolutionTerms {
  readonly run: string;
  readonly strategy: Strategy;
  /** Maximum number of operations applied. */
  readonly budget: number;
  readonly maker: Pick<Maker, 'now' | 'creator'>;
  /** Roles and trade-offs of the proposer: an operation that touches one waits for a person. */
  readonly own: ReadonlySet<string>;
  /** Ids of agents that are people: their scores are not used for pairing. */
  readonly people: ReadonlySet<string>;
  /** Returns the reason why a changed entity is held; empty if it is adopted. */
  readonly doubt: (child: Role | Tradeoff) => string;
}

export interface Evolution {
  /** Agency after all operations. */
  readonly agency: Agency;
  /** Entities to write. */
  readonly entities: readonly Entity[];
  readonly outcomes: readonly OperationOutcome[];
}

/**
 * Applies operations one after another; each sees the results of those before it. One that cannot be applied is
 * reported with its reason, and the others continue. At least one usable role and one usable trade-off always remain.
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
        ...known,
        status: reason === '' ? 'applied' : 'held',
        reason,
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

/** An applicable operation: its targets, the entities to write, and the reason why a person still has to decide. */
interface Step {
  readonly targets: readonly (Role | Tradeoff)[];
  readonly entities: readonly Entity[];
  readonly reason?: string;
}

/** Errors: `bad_input`, `too_large`, `not_found`, `ambiguous_id`, `not_accepted`, `duplicate_entity`, `last_entity`. */
function stepOf(
  agency: Agency,
  operation: ProposedOperation,
  terms: EvolutionTerms,
  names: ReadonlyMap<string, string>,
): Step {
  checkStrategy(operation, terms.strategy);
  const [verb, kind] = operation.op.split('_') as ['create' | 'modify' | 'retire', 'role' | 'tradeoff'];
  const targets = operation.targets.map((word) => targetOf(agency, kind, word, names));
  if (verb === 'retire') return { targets, entities: targets.map((target) => retireUnchecked(agency, target)) };
  const maker = { ...terms.maker, by: `evolver-${terms.run}`, parents: targets };
  const child =
    kind === 'role'
      ? childRole(agency, operation, targets as Role[], maker)
      : childTradeoff(agency, operation, targets as Tradeoff[], maker, termsOf(terms.strategy).listsOnly);
  const reason = verb === 'modify' ? terms.doubt(child) : '';
  if (reason !== '') return { targets, entities: [{ ...child, held: terms.run }], reason };
  return { targets, entities: withAgent(agency, child, maker, terms.people) };
}

/** The new entity and an agent paired with it. */
export function withAgent(
  agency: Agency,
  child: Role | Tradeoff,
  maker: Maker,
  people: ReadonlySet<string>,
): readonly [Role | Tradeoff, ...Agent[]] {
  const agent = pairFor(agency, child, maker, people);
  return agent === undefined ? [child] : [child, agent];
}

/** Errors: `bad_input` for an operation outside the strategy, or with an invalid number of parents. */
function checkStrategy({ op, targets }: ProposedOperation, strategy: Strategy): void {
  const { operations, parents } = termsOf(strategy);
  if (!operations.includes(op)) throw new TroupeError('bad_input', { what: `${strategy} does not include ${op}.` });
  const [verb] = op.split('_');
  const [least, most] = verb === 'create' ? [0, 0] : verb === 'retire' ? [1, 1] : [Math.max(1, parents[0]), parents[1]];
  if (targets.length >= least && targets.length <= most) return;
  const needed = least === most ? `${least}` : `${least} or more`;
  throw new TroupeError('bad_input', { what: `${op} has ${targets.length} targets; it needs ${needed}.` });
}

/** Resolves a target by its name in this answer, else by id or name. A held entity cannot be a parent. */
function targetOf(
  agency: Agency,
  kind: 'role' | 'tradeoff',
  word: string,
  names: ReadonlyMap<string, string>,
): Role | Tradeoff {
  const target = agency.find(kind, names.get(`${kind} ${word}`) ?? word);
  if (target.pending) throw notAccepted(target);
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

/** A free name: with a duplicate name, an entity could only be found by its id. */
function nameOf(
  agency: Agency,
  kind: 'role' | 'tradeoff',
  { name }: ProposedOperation,
  parent: Entity | undefined,
): string {
  const wanted = name === undefined ? parent?.name : typedName(name);
  if (wanted === undefined) throw new TroupeError('bad_input', { what: 'It has no name.' });
  return freeName(agency, kind, wanted);
}

function textOf(what: string, said: string | undefined, inherited: string | undefined): string {
  return said === undefined && inherited !== undefined ? inherited : typedText(what, said ?? '');
}

function typed(skill: SkillRef): SkillRef {
  const { kind, text } = skillParts(skill);
  return { [kind]: typedText('A skill', text) } as unknown as SkillRef;
}

/** A model may not add files or addresses as skills: their content would go into the prompt of every attempt. */
function checkSkill(skill: SkillRef, parents: readonly Role[]): void {
  const { kind, text } = skillParts(skill);
  if (kind !== 'file' && kind !== 'url') return;
  if (parents.some(({ skills }) => skills.some((one) => sameJson(one as Json, skill as Json)))) return;
  throw new TroupeError('bad_input', {
    what: `No parent has the skill ${kind}:${inert(text).slice(0, TEAM_LIMITS.agencyNameCharacters)}.`,
  });
}
