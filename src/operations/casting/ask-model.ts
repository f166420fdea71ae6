import { choiceBlocks, type ModelTopic, picksFromAnswer } from '#core/casting/model-casting.js';
import type { Picks, Warning } from '#core/casting/proposal.js';
import type { Catalog } from '#core/catalog/catalog.js';
import type { ModelProvider } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type AskFailure, ask } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';

/** What is said about the model with a way of choosing. */
export interface ModelWish {
  readonly offline?: boolean | undefined;
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  readonly size?: number | undefined;
}

export type ModelPicks = Picks & { readonly rationale: string; readonly runId?: string | undefined };

/** What a model chooses; or that rules have to, with a warning where a model was asked in vain. */
export type CastChoice =
  | { readonly modelPicks: ModelPicks }
  | { readonly modelPicks?: undefined; readonly warnings: readonly Warning[] };

/** Has a model choose, where one is configured and wanted. No lock is held while it thinks. */
export async function picksOfModel(
  context: Context,
  catalog: Catalog,
  topic: ModelTopic,
  wish: ModelWish,
): Promise<CastChoice> {
  if (wish.offline === true) return { warnings: [] };
  const { teamSizeModelLeast: least, teamSizeModelMost: most } = LIMITS;
  const { answer, failure, runIds } = await ask(context, {
    ...{ purpose: 'casting', name: 'cast', named: wish },
    values: { count: wish.size === undefined ? `${least} to ${most}` : wish.size },
    blocks: choiceBlocks(catalog.menu, topic),
    take: (text) => picksFromAnswer(catalog, text, wish.size ?? most),
  });
  if (answer) return { modelPicks: { ...answer, runId: runIds.at(-1) } };
  return { warnings: withoutModel(failure) };
}

/**
 * The warning that rules decide because a model that was asked gave nothing of use; none where nobody has configured one.
 * Errors: `budget_spent`, which is a person's to mend;
 * `no_model` where somebody has named a provider that cannot be asked.
 */
export function withoutModel(failure: AskFailure): Warning[] {
  if (failure.code === 'budget_spent')
    throw new TroupeError('budget_spent', { what: failure.reason, hint: failure.hint });
  if (failure.code === 'no_model' && failure.expected)
    throw new TroupeError('no_model', { what: failure.reason, hint: failure.hint });
  if (failure.code === 'no_model') return [];
  return [{ code: 'rules_decided', message: `Chosen by rules, as no model could: ${failure.reason}` }];
}
