import { placementIn, placementPrompt } from '#core/coordinator/placement.js';
import type { Placed } from '#core/coordinator/snapshot.js';
import { filled } from '#core/prompts/wording.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { unlessEnded } from './unless-ended.js';

/** There is nobody to ask: rules decide instead. */
const WITHOUT: ReadonlySet<string> = new Set(['no_model', 'budget_spent']);

/**
 * Asks a model where a new task belongs. Changes nothing. Without a model, or money for it, the rules say; a model that fails, or says something
 * else than was asked, is an error: its task stays where it stands.
 */
export async function askPlace(context: Context, id: string, signal: AbortSignal): Promise<Placed> {
  const view = await (await context.graph()).view();
  const task = view.task(id);
  if (!task) throw new TroupeError('unknown_task');
  const nonce = `${context.freshId()}${context.freshId()}`;
  const { place } = await (await context.wording()).load();
  const prompt = placementPrompt(filled(place, { nonce }), nonce, view, task);
  try {
    const model = await context.model();
    const answer = await unlessEnded(
      model.complete({ prompt, timeMs: LIMITS.placingMs, purpose: 'placing', task: id }),
      signal,
    );
    const placed = placementIn(answer.text);
    if (!placed)
      throw new TroupeError('bad_model_answer', { what: 'The model answered something other than a place.' });
    return placed;
  } catch (error) {
    if (!(error instanceof TroupeError) || !WITHOUT.has(error.code)) throw error;
    return { of: 'place', after: [], before: [], byRules: true };
  }
}
