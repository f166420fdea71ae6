import * as z from 'zod/mini';
import { pickBySignals, withRequired } from '#core/team/analysis.js';
import { proposalSchema } from '#core/team/proposal.js';
import { resolveArchetypes } from '#core/team/propose.js';
import { describeSignals, hasSignals } from '#core/team/signals.js';
import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { picksOfModel } from './ask-model.js';
import { modelWishes, teamSize, texts, wishes } from './casting-shapes.js';
import { draft } from './draft.js';

/**
 * Proposes a team for what a scan of the project finds; a model, where one is configured, is told of it in words of closed
 * tables. `required` archetypes are on it in any case.
 */
export const analyze = operation({
  name: 'casting.analyze',
  input: z.strictObject({ ...wishes, ...modelWishes, size: teamSize, required: texts }),
  output: proposalSchema,
  async run(context, { size, required = [], offline, provider, model, ...wish }) {
    const scanner = await context.scanner();
    const { signals } = await scanner.scan(context.projectFolder);
    return await draft(context, wish, async (catalog) => {
      if (required.length > 0) resolveArchetypes(catalog, required);
      const summary = cut(describeSignals(signals), LIMITS.analysisSummaryCharacters);
      // Where nothing was found there is nothing to choose by, for a model neither.
      const { chosen, ...without } = hasSignals(signals)
        ? await picksOfModel(
            context,
            catalog,
            { label: 'repository', text: summary },
            { offline, provider, model, size },
          )
        : { warnings: [] };
      if (chosen) {
        const most = size ?? LIMITS.teamSizeModelMost;
        const picks = withRequired(catalog, chosen.picks, required, most);
        return { ...chosen, picks, mode: 'analysis', method: 'model' };
      }
      const picks = pickBySignals(catalog, signals, { size, required });
      const warnings = [...('warnings' in without ? without.warnings : []), ...picks.warnings];
      return { ...picks, warnings, mode: 'analysis', method: 'rules', rationale: summary };
    });
  },
});
