import * as z from 'zod/mini';
import { proposalSchema } from '#core/casting/proposal.js';
import { operation } from '#operations/operation.js';
import { draft } from './draft.js';
import { wishes } from './shapes.js';

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
