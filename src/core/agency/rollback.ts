import type { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { retireUnchecked, unretire } from '#core/agency/entity-edits.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { MadeEntity } from './evolve.js';
import type { EvolutionReport } from './report.js';

/** Result of a rollback. */
export interface Rollback {
  readonly entities: readonly Entity[];
  readonly retired: readonly MadeEntity[];
  readonly restored: readonly MadeEntity[];
  /** Changes that could not be undone, and other warnings for a person. */
  readonly warnings: readonly string[];
}

/**
 * Retires all entities that a run created and restores those it retired, even if they have changed since. Errors:
 * `last_entity` if no other entity of the kind would remain.
 */
export function rollback(agency: Agency, report: EvolutionReport): Rollback {
  let current = agency;
  const written: Entity[] = [];
  const warnings: string[] = [];
  const write = (entity: Entity): MadeEntity => {
    current = current.with([entity]);
    written.push(entity);
    return { kind: entity.kind, id: entity.id, name: entity.name };
  };
  const each = (list: 'made' | 'retired', change: (entity: Entity) => MadeEntity[]) =>
    report.operations
      .flatMap((operation) => operation[list])
      .flatMap(({ kind, id, name }) => {
        const entity = current.entity(kind, id);
        if (entity) return change(entity);
        warnings.push(`${kind} ${inert(name)} (${id.slice(0, 8)}) is no longer here.`);
        return [];
      });
  const restored = each('retired', (entity) => (entity.retired ? [write(unretire(entity))] : []));
  const retired = each('made', (entity) => {
    if (entity.retired) return [];
    for (const one of madeOf(current, entity, report)) warnings.push(one);
    return [write(retireUnchecked(current, entity))];
  });
  return { entities: written, retired, restored, warnings };
}

/** Warnings for agents that were made of it later: without it they match no tasks. */
function madeOf(agency: Agency, entity: Entity, report: EvolutionReport): string[] {
  const own = new Set(report.operations.flatMap(({ made }) => made.map(({ id }) => id)));
  return agency
    .all('agent')
    .filter(({ id, role_id, tradeoff_id }) => !own.has(id) && (role_id === entity.id || tradeoff_id === entity.id))
    .map(
      ({ name, id }) => `${inert(name)} (${id.slice(0, 8)}) is made of ${inert(entity.name)}: it takes no more tasks.`,
    );
}

/** Report marked as rolled back. Errors: `bad_input` if it already is. */
export function rolledBack(report: EvolutionReport, by: string, at: string): EvolutionReport {
  if (report.rolled_back !== null) {
    throw new TroupeError('bad_input', {
      what: `${report.id} was rolled back at ${report.rolled_back.at}.`,
      hint: `Look at it with \`troupe evolve runs ${report.id}\`.`,
    });
  }
  return { ...report, rolled_back: { by, at } };
}
