import * as z from 'zod/mini';
import { proposalSchema } from '#core/casting/proposal.js';
import { pickByWords } from '#core/casting/ranking.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { draft } from './draft.js';
import { teamSize, wishes } from './shapes.js';

/** Proposes a team for a goal in words, ranked by those words: no model is asked. */
export const goal = operation({
  name: 'casting.goal',
  input: z.strictObject({ ...wishes, goal: z.string(), size: teamSize }),
  output: proposalSchema,
  async run(context, { goal: words, size, ...wish }) {
    const trimmed = words.trim();
    if (trimmed === '' || [...trimmed].length > LIMITS.goalCharacters) {
      throw new TroupeError('bad_input', {
        what: trimmed === '' ? 'The goal is empty.' : `The goal is longer than ${LIMITS.goalCharacters} characters.`,
        hint: 'Say in a sentence or two what the team is for.',
      });
    }
    return await draft(context, (catalog) => ({
      ...wish,
      ...pickByWords(catalog, trimmed, size),
      mode: 'free_text',
      method: 'lexical',
      rationale: trimmed,
    }));
  },
});
