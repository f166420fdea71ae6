import * as z from 'zod/mini';
import { pickBySignals } from '#core/casting/analysis.js';
import { proposalSchema } from '#core/casting/proposal.js';
import { resolveArchetypes } from '#core/casting/propose.js';
import { describeSignals } from '#core/casting/signals.js';
import { operation } from '#operations/operation.js';
import { draft } from './draft.js';
import { teamSize, texts, wishes } from './shapes.js';

/** Proposes a team for what a scan of the project finds. `required` archetypes are on it in any case. */
export const analyze = operation({
  name: 'casting.analyze',
  input: z.strictObject({ ...wishes, size: teamSize, required: texts }),
  output: proposalSchema,
  async run(context, { size, required = [], ...wish }) {
    const scanner = await context.scanner();
    const { signals } = await scanner.scan(context.projectFolder);
    return await draft(context, (catalog) => {
      if (required.length > 0) resolveArchetypes(catalog, required);
      const picks = pickBySignals(catalog, signals, { size, required });
      return { ...wish, ...picks, mode: 'analysis', method: 'rules', rationale: describeSignals(signals) };
    });
  },
});
