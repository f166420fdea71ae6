import * as z from 'zod/mini';
import type { Catalog } from '#core/catalog/catalog.js';
import { proposalSchema } from '#core/team/proposal.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { wishes } from './casting-shapes.js';
import { draft } from './draft.js';

/** Proposes one of the catalog's ready-made groups. */
export const scenario = operation({
  name: 'casting.scenario',
  input: z.strictObject({ ...wishes, scenario: z.string() }),
  output: proposalSchema,
  run: (context, { scenario: id, ...wish }) =>
    draft(context, wish, (catalog) => {
      const grouping = catalog.groupings.get(id);
      if (!grouping) refuse(catalog, id);
      return {
        picks: grouping.archetypes.map((archetypeId) => ({ archetypeId, reason: `Part of ${grouping.title}.` })),
        warnings: [],
        mode: 'scenario',
        method: 'catalog',
        rationale: grouping.description,
      };
    }),
});

function refuse(catalog: Catalog, id: string): never {
  const known = [...catalog.groupings.keys()];
  const meant = didYouMean(id, known);
  throw new TroupeError('unknown_grouping', {
    what: `The catalog has no scenario ${JSON.stringify(cut(inert(id), 60))}.`,
    hint: meant === undefined ? `Name one of: ${known.join(', ')}.` : `Did you mean ${meant}?`,
    details: { scenarios: known },
  });
}
