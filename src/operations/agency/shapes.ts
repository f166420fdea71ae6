import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { awaitedDecision, type Entity, KINDS, type Kind } from '#core/agency/entities.js';
import type { Maker } from '#core/agency/entity-edits.js';
import { skillParts } from '#core/agency/entity-text.js';
import { acceptedIn } from '#core/agency/waiting.js';
import type { EventDraft } from '#core/graph/event.js';
import type { MachineContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';

export const kindShape = z.enum(KINDS);

/** Input of an operation on one entry: its kind, and its id, id prefix or name. */
export const namedInput = z.strictObject({
  kind: argument('role, tradeoff or agent', kindShape),
  id: argument('The entry: id, id prefix or name', z.string()),
});

/** An entity for display. */
export const entityShape = z.looseObject({
  kind: kindShape,
  id: z.string(),
  name: z.string(),
  task_count: z.number(),
  avg_score: z.nullable(z.number()),
  generation: z.number(),
  retired: z.boolean(),
  /** Whether it awaits a person's decision. */
  pending: z.boolean(),
});

/** An ancestor of an entity. */
export const ancestorShape = z.object({
  kind: kindShape,
  id: z.string(),
  name: z.nullable(z.string()),
  generation: z.nullable(z.number()),
  created_by: z.nullable(z.string()),
  parent_ids: z.array(z.string()),
  state: z.enum(['active', 'waiting', 'retired', 'missing']),
});

/** Answer of every change of an entity. */
export const changedShape = z.object({
  id: z.string(),
  kind: kindShape,
  name: z.string(),
  changed: z.boolean(),
  warnings: z.array(z.string()),
  entity: entityShape,
  seq: z.number(),
});

export function entityAnswer(entity: Entity): z.infer<typeof entityShape> {
  const { performance, lineage, retired, pending: _pending, more: _, ...own } = entity;
  const skills = entity.kind === 'role' ? { skills: entity.skills.map((skill) => ({ ...skillParts(skill) })) } : {};
  return {
    ...own,
    ...skills,
    task_count: performance.task_count,
    avg_score: performance.avg_score,
    evaluations: performance.evaluations.map((one) => ({ ...one })),
    lineage: { ...lineage, parent_ids: [...lineage.parent_ids] },
    generation: lineage.generation,
    retired: retired === true,
    pending: awaitedDecision(entity) !== undefined,
  };
}

/** Origin of new entities: a person, or a run with the creator of the settings. */
export async function makerOf(context: MachineContext): Promise<Maker> {
  const now = context.clock.now();
  const by = moverOf(context);
  if (by.fence === undefined) return { now, by: 'human' };
  const { agency } = (await loadSettings(context)).settings;
  return { now, by: by.name, creator: { agent: agency.creator_agent, model: agency.creator_model } };
}

export function agencyEvent(
  context: Pick<Context, 'caller'>,
  op: string,
  entity: Entity,
  more: object = {},
): EventDraft {
  const { kind, id, name } = entity;
  return { op, actor: moverOf(context).name, detail: { kind, id, name, ...more }, patch: [] };
}

export function changedAnswer(entity: Entity, changed: boolean, warnings: readonly string[]) {
  return {
    id: entity.id,
    kind: entity.kind,
    name: entity.name,
    changed,
    warnings: [...warnings],
    entity: entityAnswer(entity),
  };
}

/** Id of a named role or trade-off; empty without a name. Errors: `not_accepted` for one that awaits a decision. */
export function idNamed(agency: Agency, kind: Kind, word: string | undefined): string {
  return word === undefined || word === '' ? '' : acceptedIn(agency, kind, word).id;
}

export const shortEntity = z.object({ kind: kindShape, id: z.string(), name: z.string() });
