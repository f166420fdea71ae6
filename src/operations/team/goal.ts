import * as z from 'zod/mini';
import { proposalSchema } from '#core/team/proposal.js';
import { pickByWords } from '#core/team/ranking.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { picksOfModel } from './ask-model.js';
import { modelWishes, teamSize, wishes } from './casting-shapes.js';
import { draft } from './draft.js';

/** Proposes a team for a goal in words: a model chooses where one is configured, else the words themselves rank. */
export const goal = operation({
  name: 'casting.goal',
  input: z.strictObject({ ...wishes, ...modelWishes, goal: z.string(), size: teamSize }),
  output: proposalSchema,
  async run(context, { goal: words, size, offline, provider, model, ...wish }) {
    const trimmed = words.trim();
    if (trimmed === '' || [...trimmed].length > LIMITS.goalCharacters) {
      throw new TroupeError('bad_input', {
        what: trimmed === '' ? 'The goal is empty.' : `The goal is longer than ${LIMITS.goalCharacters} characters.`,
        hint: 'Say in a sentence or two what the team is for.',
      });
    }
    return await draft(context, wish, async (catalog) => {
      const topic = { label: 'goal', text: trimmed } as const;
      const choice = await picksOfModel(context, catalog, topic, { offline, provider, model, size });
      if (choice.chosen) return { ...choice.chosen, mode: 'free_text', method: 'model' };
      const ranked = pickByWords(catalog, trimmed, size);
      const warnings = [...choice.warnings, ...ranked.warnings];
      return { ...ranked, warnings, mode: 'free_text', method: 'lexical', rationale: trimmed };
    });
  },
});
