import { choiceBlocks, type ModelTopic, picksFromAnswer } from '#core/casting/model-casting.js';
import type { Picks, Warning } from '#core/casting/proposal.js';
import type { Catalog } from '#core/catalog/catalog.js';
import type { ModelProvider } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext, ModelContext } from '#operations/contexts.js';
import { type AskFailure, ask } from '#operations/settings/ask.js';

/** Model options of a casting command. */
export interface ModelWish {
  readonly offline?: boolean | undefined;
  readonly provider?: ModelProvider | undefined;
  readonly model?: string | undefined;
  readonly size?: number | undefined;
}

export type ModelPicks = Picks & { readonly rationale: string; readonly runId?: string | undefined };

/** Choice made by a model, or warnings for a choice by rules, with a reason if a model was asked without success. */
export type CastChoice =
  | { readonly modelPicks: ModelPicks }
  | { readonly modelPicks?: undefined; readonly warnings: readonly Warning[] };

/** Asks a model to choose, if one is configured and `offline` is not set. No lock is held during the call. */
export async function picksOfModel(
  context: ModelContext & MachineContext,
  catalog: Catalog,
  topic: ModelTopic,
  wish: ModelWish,
): Promise<CastChoice> {
  if (wish.offline === true) return { warnings: [] };
  const { teamSizeModelLeast: least, teamSizeModelMost: most } = TEAM_LIMITS;
  const { answer, failure, runIds } = await ask(context, {
    purpose: 'casting',
    name: 'cast',
    named: wish,
    values: { count: wish.size === undefined ? `${least} to ${most}` : wish.size },
    blocks: choiceBlocks(catalog.menu, topic),
    take: (text) => picksFromAnswer(catalog, text, wish.size ?? most),
  });
  if (answer) return { modelPicks: { ...answer, runId: runIds.at(-1) } };
  return { warnings: withoutModel(failure) };
}

/**
 * Returns the warning that rules decided because the model's answer was unusable; none if no model is configured.
 * Errors: `budget_spent`, which a person must resolve; `no_model` if a provider was named that cannot be used.
 */
export function withoutModel(failure: AskFailure): Warning[] {
  if (failure.code === 'budget_spent')
    throw new TroupeError('budget_spent', { what: failure.reason, hint: failure.hint });
  if (failure.code === 'no_model' && failure.expected)
    throw new TroupeError('no_model', { what: failure.reason, hint: failure.hint });
  if (failure.code === 'no_model') return [];
  return [{ code: 'rules_decided', message: `Chosen by rules, as no model could: ${failure.reason}` }];
}
