import { safeJson, sameJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import type { Entity, EvaluationRef, Lineage } from './entities.js';
import { performanceFrom } from './read.js';

/** What a role of an older layout is made of; of all other fields of other tools nothing is taken over. */
const LEGACY_FIELDS = ['component_ids', 'outcome_id'];

/**
 * An entity of somebody else as it may be here: nobody has accepted it, nobody vouches for it, and how a person is reached
 * and what they cost stay where they were said.
 */
export function guestOf({ held: _held, ...entity }: Entity): Entity {
  const more = Object.fromEntries(Object.entries(entity.more).filter(([key]) => LEGACY_FIELDS.includes(key)));
  const lineage = { ...entity.lineage, created_by: oneLine(entity.lineage.created_by) };
  const evaluations = entity.performance.evaluations.filter(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)));
  const guest = {
    ...entity,
    ...{ name: oneLine(entity.name), lineage, more, pending: true as const },
    performance: performanceFrom(ordered(evaluations)),
  };
  if (guest.kind !== 'agent') return guest;
  const { rate: _rate, contact: _contact, ...agent } = guest;
  return { ...agent, trust_level: 'unknown' };
}

function oneLine(text: string): string {
  return cut(inert(text), LIMITS.agencyNameCharacters);
}

/**
 * The two of one id put together. Scores are united and the richer lineage wins, whoever brings them. What may change stays
 * as it is here, or with `force` becomes as it is there. Between two that nobody has accepted yet a fixed order decides, so
 * that it does not matter whom one heard of first.
 */
export function mergeEntity<One extends Entity>(local: One, guest: One, force: boolean): One {
  const performance = unitedPerformance(local, guest);
  const lineage = richerLineage(local.lineage, guest.lineage);
  const gained = performance !== local.performance || lineage !== local.lineage;
  if (local.pending !== true) {
    if (!gained && !force) return local;
    return { ...local, ...(force ? wordsOf(guest) : {}), performance, lineage };
  }
  const theirs = force || safeJson(wordsOf(guest)) < safeJson(wordsOf(local));
  const isOut = local.retired === true && guest.retired === true;
  if (!gained && !theirs && isOut === (local.retired === true)) return local;
  const { retired: _, ...merged } = theirs ? guest : local;
  const retired = isOut ? { retired: true as const } : {};
  return { ...merged, ...retired, performance, lineage } as One;
}

/** What may change of an entity and travels: neither what it is, nor its record, nor what is for this place to say. */
function wordsOf(entity: Entity): Partial<Entity> {
  switch (entity.kind) {
    case 'role': {
      const { name, default_context_scope, default_exec_mode } = entity;
      return {
        name,
        ...(default_context_scope === undefined ? {} : { default_context_scope }),
        ...(default_exec_mode === undefined ? {} : { default_exec_mode }),
      };
    }
    case 'tradeoff':
      return { name: entity.name };
    case 'agent': {
      const { name, capabilities, capacity, executor, preferred_model, preferred_provider } = entity;
      return {
        ...{ name, capabilities, executor },
        ...(capacity === undefined ? {} : { capacity }),
        ...(preferred_model === undefined ? {} : { preferred_model }),
        ...(preferred_provider === undefined ? {} : { preferred_provider }),
      };
    }
  }
}

/** References of one task at one moment are one. */
const keyOf = ({ task_id, timestamp }: EvaluationRef) => `${timestamp} ${task_id}`;

function unitedPerformance(local: Entity, guest: Entity): Entity['performance'] {
  const united = new Map(local.performance.evaluations.map((reference) => [keyOf(reference), reference]));
  let changed = false;
  for (const theirs of guest.performance.evaluations) {
    const ours = united.get(keyOf(theirs));
    if (ours && !saysMore(theirs, ours)) continue;
    united.set(keyOf(theirs), theirs);
    changed = true;
  }
  return changed ? performanceFrom(ordered([...united.values()])) : local.performance;
}

/** The same score with more fields; another score for the same work is not believed. */
function saysMore(theirs: EvaluationRef, ours: EvaluationRef): boolean {
  if (theirs.score !== ours.score || sameJson(theirs, ours)) return false;
  const [left, right] = [safeJson(sorted(theirs)), safeJson(sorted(ours))];
  return left.length > right.length || (left.length === right.length && left < right);
}

function sorted(reference: EvaluationRef): unknown {
  return Object.entries(reference).sort(([left], [right]) => compareText(left, right));
}

/** By time, so that a mean is the same sum whoever came first; the latest are kept. */
function ordered(references: readonly EvaluationRef[]): EvaluationRef[] {
  return [...references]
    .sort((left, right) => compareText(left.timestamp, right.timestamp) || compareText(left.task_id, right.task_id))
    .slice(-LIMITS.agencyReferences);
}

/** More parents, else a higher generation, else the earlier one, else a fixed order: the same from both sides. */
function richerLineage(left: Lineage, right: Lineage): Lineage {
  const better =
    left.parent_ids.length - right.parent_ids.length ||
    left.generation - right.generation ||
    compareText(right.created_at, left.created_at) ||
    compareText(safeJson(right), safeJson(left));
  return better >= 0 ? left : right;
}
