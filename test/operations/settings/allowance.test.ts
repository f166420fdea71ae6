import { expect, test } from 'vitest';
import type { Settings } from '#core/settings/schema.js';
import { allowanceOf } from '#operations/settings/budget.js';

const NOTHING_SAID = { reserve_usd: 1, reserve_tokens: 2 } as Settings['budget'];

test('every cap of the settings is one, and what was said beside them comes on top; what nobody said is no cap', () => {
  const reserve = { usd: 1, tokens: 2 };
  expect(allowanceOf(NOTHING_SAID)).toEqual({ caps: {}, reserve });
  const caps = { usd_per_day: 3, usd_total: 4, usd_per_task: 5, tokens_per_day: 6 };
  expect(allowanceOf({ ...NOTHING_SAID, ...caps }, { budgetUsd: 7, budgetTokens: 8 })).toEqual({
    caps: { usdPerDay: 3, usdTotal: 4, usdPerTask: 5, tokensPerDay: 6 },
    reserve,
    moreUsd: 7,
    moreTokens: 8,
  });
});
