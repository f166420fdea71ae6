import { RUN_MODES, type RunMode } from '#core/review/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** Options about clients given when work starts; the settings supply the rest. */
export interface ClientWishes {
  readonly executor?: string;
  readonly model?: string;
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
}

export function clientWishes(input: Readonly<Record<string, unknown>>): ClientWishes {
  const { executor, model } = input;
  const [usd, tokens] = [amount(input, 'budget_usd', 'budget-usd'), amount(input, 'budget_tokens', 'budget-tokens')];
  return {
    ...(typeof executor === 'string' ? { executor } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(usd === undefined ? {} : { budgetUsd: usd }),
    ...(tokens === undefined ? {} : { budgetTokens: tokens }),
  };
}

function amount(input: Readonly<Record<string, unknown>>, field: string, flag: string): number | undefined {
  const text = input[field];
  if (typeof text !== 'string') return undefined;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= TEAM_LIMITS.settingNumber) return value;
  throw new TroupeError('usage', { what: `--${flag} must be an amount such as 5 or 0.5.` });
}

/** Run mode of a review from its flag, `fast` by default. The parser has already rejected unknown words. */
export function runMode(word: unknown): RunMode {
  return RUN_MODES.find((mode) => mode === word) ?? 'fast';
}

/** Returns a whole number from 1 to `most`. Errors: `usage`, with the name of the flag. */
export function wholeNumber(value: unknown, fallback: number, flag: string, most: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new TroupeError('usage', { what: `--${flag} must be a whole number from 1 to ${most}.` });
}
