import * as z from 'zod/mini';
import type { Budget } from '#core/coordinator/snapshot.js';

const cap = z.nullable(z.number());

/** Spending against the caps. */
export const spendShape = z.object({
  usd_today: z.number(),
  usd_total: z.number(),
  tokens_today: z.number(),
  /** Parts computed from tokens and the price table, and today's tokens without a price. */
  estimated_today: z.number(),
  estimated_total: z.number(),
  tokens_unpriced_today: z.number(),
  usd_reserved: z.number(),
  usd_per_day: cap,
  usd_cap: cap,
  tokens_per_day: cap,
});

export function spendOf({ caps, spent, reserved }: Budget): z.infer<typeof spendShape> {
  return {
    usd_today: spent.usdToday,
    usd_total: spent.usdTotal,
    tokens_today: spent.tokensToday,
    estimated_today: spent.usdEstimatedToday,
    estimated_total: spent.usdEstimatedTotal,
    tokens_unpriced_today: spent.tokensUnpricedToday,
    usd_reserved: [...reserved.values()].reduce((sum, { usd }) => sum + usd, 0),
    usd_per_day: caps.usdPerDay ?? null,
    usd_cap: leastOf([caps.usdTotal, caps.usdByOption]),
    tokens_per_day: caps.tokensPerDay ?? null,
  };
}

function leastOf(caps: readonly (number | undefined)[]): number | null {
  const known = caps.filter((value) => value !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}
