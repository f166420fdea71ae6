import type { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { outOfUse, unretire } from '#core/agency/entity-edits.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { MadeEntity } from './evolve.js';
import type { EvolutionReport } from './report.js';

/** What taking a run back comes to. */
export interface Rollback {
  readonly entities: readonly Entity[];
  readonly retired: readonly MadeEntity[];
  readonly restored: readonly MadeEntity[];
  /** What could not be put back as it was, and what else a person should know. */
  readonly warnings: readonly string[];
}

/**
 * Takes out of use what a run made and back into use what it retired, whoever changed what since. Errors: `last_entity`
 * where nothing else of a kind would be left.
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
    return [write(outOfUse(current, entity))];
  });
  return { entities: written, retired, restored, warnings };
}

/** Agents that others made of it since: they are no match for anything without it. */
function madeOf(agency: Agency, entity: Entity, report: EvolutionReport): string[] {
  const own = new Set(report.operations.flatMap(({ made }) => made.map(({ id }) => id)));
  return agency
    .all('agent')
    .filter(({ id, role_id, tradeoff_id }) => !own.has(id) && (role_id === entity.id || tradeoff_id === entity.id))
    .map(
      ({ name, id }) => `${inert(name)} (${id.slice(0, 8)}) is made of ${inert(entity.name)}: it takes no more tasks.`,
    );
}

/** The report as it is once its run is taken back. Errors: `bad_input` when it was already. */
export function rolledBack(report: EvolutionReport, by: string, at: string): EvolutionReport {
  if (report.rolled_back !== null) {
    throw new TroupeError('bad_input', {
      what: `${report.id} was rolled back at ${report.rolled_back.at}.`,
      hint: `Look at it with \`troupe evolve runs ${report.id}\`.`,
    });
  }
  return { ...report, rolled_back: { by, at } };
}
