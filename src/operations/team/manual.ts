import * as z from 'zod/mini';
import { proposalSchema } from '#core/team/proposal.js';
import { operation } from '#operations/operation.js';
import { wishes } from './casting-shapes.js';
import { draft } from './draft.js';

/** Proposes exactly the archetypes that are named, in their order; one named twice comes twice. */
export const manual = operation({
  name: 'casting.manual',
  input: z.strictObject({ ...wishes, archetypes: z.array(z.string()) }),
  output: proposalSchema,
  run: (context, { archetypes, ...wish }) =>
    draft(context, wish, () => ({
      picks: archetypes.map((archetypeId) => ({ archetypeId, reason: 'Named by you.' })),
      warnings: [],
      mode: 'manual',
      method: 'catalog',
      rationale: 'Archetypes chosen by hand.',
    })),
});
