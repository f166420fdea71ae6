import type { Agency } from '#core/agency/agency.js';
import type { Entity, Kind } from '#core/agency/entities.js';

/** One ancestor. Of one that is not here only the id is known. */
export interface Ancestor {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string | null;
  readonly generation: number | null;
  readonly created_by: string | null;
  readonly parent_ids: readonly string[];
  readonly state: 'active' | 'retired' | 'missing';
}

/** The entity and all it comes from, nearest first, each once. Of an agent also those of its role and its trade-off. */
export function lineageOf(agency: Agency, entity: Entity): Ancestor[] {
  const begin: { kind: Kind; id: string }[] = [entity];
  if (entity.kind === 'agent') {
    if (entity.role_id !== '') begin.push({ kind: 'role', id: entity.role_id });
    if (entity.tradeoff_id !== '') begin.push({ kind: 'tradeoff', id: entity.tradeoff_id });
  }
  return begin.flatMap(({ kind, id }) => walk(agency, kind, id));
}

function walk(agency: Agency, kind: Kind, start: string): Ancestor[] {
  const seen = new Set([start]);
  const found: Ancestor[] = [];
  for (const id of seen) {
    const entity = agency.entity(kind, id);
    const parents = entity?.lineage.parent_ids ?? [];
    found.push({
      kind,
      id,
      name: entity?.name ?? null,
      generation: entity?.lineage.generation ?? null,
      created_by: entity?.lineage.created_by ?? null,
      parent_ids: parents,
      state: entity === undefined ? 'missing' : entity.retired ? 'retired' : 'active',
    });
    for (const parent of parents) seen.add(parent); // a set gives what is added while it is walked
  }
  return found;
}
