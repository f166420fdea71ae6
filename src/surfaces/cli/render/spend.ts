import type { SpendDimension } from '#core/insight/spend.js';
import { SPENT_WITHOUT } from '#core/insight/spend-names.js';
import { formatCost, formatMoney, formatTokens, inert, plural } from '#kernel/text.js';
import type { Renderers } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { bar } from './analysis-words.js';

const BAR = 24;
const ROWS = 10;

/** Unknown if nothing has a price. */
function costOf({ usd, estimated, unpriced }: { usd: number; estimated: number; unpriced: number }): string {
  return usd === 0 && unpriced > 0 ? '–' : formatCost(usd, estimated);
}

export const renderers = {
  'spend.show': ({ budget, total, days, by }, screen) => {
    const { colour } = screen;
    const of = (cap: number | null) => (cap === null ? '' : ` of ${formatMoney(cap)}`);
    screen.line(
      `Today ${formatCost(budget.usd_today, budget.estimated_today)}${of(budget.usd_per_day)}, reserved ${formatMoney(budget.usd_reserved)}, in total ${formatCost(budget.usd_total, budget.estimated_total)}${of(budget.usd_cap)}.`,
    );
    if (total.count === 0) return screen.line(`Nothing was spent in ${plural(days.length, 'day')}.`);
    const spent = days.filter(({ count }) => count > 0);
    const most = Math.max(...spent.map(({ usd }) => usd));
    screen.line();
    printTable(screen, spent, [
      ['day', 'RUNS=count'],
      { title: 'TOKENS', text: ({ tokens }) => formatTokens(tokens), right: true },
      { title: 'COST', text: (row) => costOf(row), right: true },
      { title: ' '.repeat(BAR), text: ({ usd }) => bar(usd, most, BAR, screen) },
    ]);
    for (const [dimension, none] of Object.entries(SPENT_WITHOUT)) {
      const { rows, total: all } = by[dimension as SpendDimension];
      screen.line();
      printTable(screen, rows.slice(0, ROWS), [
        {
          title: dimension.toUpperCase(),
          text: ({ name, title: words }) => inert(words ?? name ?? none),
          flexible: true,
        },
        ['RUNS=count'],
        { title: 'TOKENS', text: ({ tokens }) => formatTokens(tokens), right: true },
        { title: 'COST', text: (row) => costOf(row), right: true },
      ]);
      if (all > ROWS) screen.line(colour.dim(`  and ${all - ROWS} more: --json`));
    }
  },
} satisfies Partial<Renderers>;
