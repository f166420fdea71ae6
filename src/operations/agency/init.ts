import * as z from 'zod/mini';
import { type Entity, type Kind, shortId } from '#core/agency/entities.js';
import { META_ROLES, starters } from '#core/agency/starters.js';
import { timestamp } from '#kernel/clock.js';
import type { WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { changeAgency } from './open.js';
import { shortEntity } from './shapes.js';

const counts = z.object({ roles: z.number(), tradeoffs: z.number(), meta_roles: z.number(), agents: z.number() });

/** Adds the shipped roles and trade-offs; existing ones are left alone. */
export const agencyInit = operation({
  name: 'agency.init',
  command: 'agency init',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  summary: 'Add starter roles and trade-offs',
  examples: ['troupe agency init', 'troupe agency init --all-pairs'],
  input: z.strictObject({
    all_pairs: option('Also create an agent for each pair of role and trade-off', z.optional(z.boolean())),
  }),
  output: z.object({
    new: counts,
    present: counts,
    created: z.array(shortEntity),
    warnings: z.readonly(z.array(z.string())),
    seq: z.number(),
  }),
  async run(context: WorkContext, input) {
    return await beginAgency(context, input.all_pairs === true);
  },
});

/**
 * Creates the shipped entities. `inLog`: whether an event is logged; the initial state of a new graph is not a change.
 */
export async function beginAgency(context: WorkContext, allPairs: boolean, inLog = true) {
  const files = await context.agency();
  const shipped = await files.shipped();
  const now = context.clock.now();
  const { result, seq } = await changeAgency(context, (agency) => {
    const { entities, all } = starters(agency, shipped.entities, allPairs, now);
    const guides = entities.length === 0 ? [] : shipped.guides.map((guide) => ({ kind: 'guide' as const, ...guide }));
    const created = entities.map(({ kind, id, name }) => ({ kind, id, name }));
    const event = {
      op: 'agency_init',
      actor: moverOf(context).name,
      detail: { at: timestamp(now), created: created.map(({ kind, id }) => `${kind} ${shortId(id)}`) },
      patch: [],
    };
    const answer = { new: countsOf(entities), present: countsOf(all), created, warnings: agency.warnings };
    return { entities, files: guides, events: inLog && entities.length > 0 ? [event] : [], result: answer };
  });
  return { ...result, seq };
}

function countsOf(entities: readonly Entity[]) {
  const of = (kind: Kind, meta = false) =>
    entities.filter((entity) => entity.kind === kind && (kind === 'role' && META_ROLES.has(entity.name)) === meta)
      .length;
  return { roles: of('role'), tradeoffs: of('tradeoff'), meta_roles: of('role', true), agents: of('agent') };
}
