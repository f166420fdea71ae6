import { safeJson, sameJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import type { Entity, EvaluationRef, Lineage } from './entities.js';
import { performanceFrom } from './read.js';

/** Identity fields of roles of an older layout; all other fields of other tools are dropped. */
const LEGACY_FIELDS = ['component_ids', 'outcome_id'];

/** An imported entity: pending, with its trust reset and its contact and rate removed. */
export function asPendingImport({ held: _held, ...entity }: Entity): Entity {
  const more = Object.fromEntries(Object.entries(entity.more).filter(([key]) => LEGACY_FIELDS.includes(key)));
  const lineage = { ...entity.lineage, created_by: oneLine(entity.lineage.created_by) };
  const evaluations = entity.performance.evaluations.filter(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)));
  const guest = {
    ...entity,
    name: oneLine(entity.name),
    lineage,
    more,
    pending: true as const,
    performance: performanceFrom(ordered(evaluations)),
  };
  if (guest.kind !== 'agent') return guest;
  const { rate: _rate, contact: _contact, ...agent } = guest;
  return { ...agent, trust_level: 'unknown' };
}

function oneLine(text: string): string {
  return cut(inert(text), TEAM_LIMITS.agencyNameCharacters);
}

/**
 * Merges two versions of an entity. Scores are united and the richer lineage wins, on either side. Mutable fields stay
 * as they are here, or with `force` come from the guest. If the local one is still pending too, a fixed order decides,
 * which makes the result independent of the order of imports.
 */
export function mergeEntity<One extends Entity>(local: One, guest: One, force: boolean): One {
  const performance = unitedPerformance(local, guest);
  const lineage = richerLineage(local.lineage, guest.lineage);
  const gained = performance !== local.performance || lineage !== local.lineage;
  if (local.pending !== true) {
    if (!gained && !force) return local;
    return { ...local, ...(force ? mutableFieldsOf(guest) : {}), performance, lineage };
  }
  const theirs = force || safeJson(mutableFieldsOf(guest)) < safeJson(mutableFieldsOf(local));
  const isOut = local.retired === true && guest.retired === true;
  if (!gained && !theirs && isOut === (local.retired === true)) return local;
  const { retired: _, ...merged } = theirs ? guest : local;
  const retired = isOut ? { retired: true as const } : {};
  return { ...merged, ...retired, performance, lineage } as One;
}

/**
 * Mutable fields of an entity that are shared between projects: neither its identity, nor its record, nor local
 * decisions.
 */
function mutableFieldsOf(entity: Entity): Partial<Entity> {
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
        name,
        capabilities,
        executor,
        ...(capacity === undefined ? {} : { capacity }),
        ...(preferred_model === undefined ? {} : { preferred_model }),
        ...(preferred_provider === undefined ? {} : { preferred_provider }),
      };
    }
  }
}

/** References of one task with the same timestamp are the same. */
const keyOf = ({ task_id, timestamp }: EvaluationRef) => `${timestamp} ${task_id}`;

function unitedPerformance(local: Entity, guest: Entity): Entity['performance'] {
  const united = new Map(local.performance.evaluations.map((reference) => [keyOf(reference), reference]));
  let changed = false;
  for (const theirs of guest.performance.evaluations) {
    const ours = united.get(keyOf(theirs));
    if (ours && !hasMoreFields(theirs, ours)) continue;
    united.set(keyOf(theirs), theirs);
    changed = true;
  }
  return changed ? performanceFrom(ordered([...united.values()])) : local.performance;
}

/** Whether theirs is the same score with more fields; a different score for the same work is not trusted. */
function hasMoreFields(theirs: EvaluationRef, ours: EvaluationRef): boolean {
  if (theirs.score !== ours.score || sameJson(theirs, ours)) return false;
  const [left, right] = [safeJson(sorted(theirs)), safeJson(sorted(ours))];
  return left.length > right.length || (left.length === right.length && left < right);
}

function sorted(reference: EvaluationRef): unknown {
  return Object.entries(reference).sort(([left], [right]) => compareText(left, right));
}

/** References sorted by time, for a mean that does not depend on the order of arrival; only the latest are kept. */
function ordered(references: readonly EvaluationRef[]): EvaluationRef[] {
  return [...references]
    .sort((left, right) => compareText(left.timestamp, right.timestamp) || compareText(left.task_id, right.task_id))
    .slice(-TEAM_LIMITS.agencyReferences);
}

/** Lineage with more parents, else the higher generation, else the earlier one, else by a fixed order: symmetric. */
function richerLineage(left: Lineage, right: Lineage): Lineage {
  const better =
    left.parent_ids.length - right.parent_ids.length ||
    left.generation - right.generation ||
    compareText(right.created_at, left.created_at) ||
    compareText(safeJson(right), safeJson(left));
  return better >= 0 ? left : right;
}
