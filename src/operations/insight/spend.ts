import * as z from 'zod/mini';
import type { Spending } from '#core/coordinator/budget-book.js';
import type { GraphView } from '#core/graph/view.js';
import { nullableText } from '#core/insight/shapes.js';
import {
  type SPEND_DIMENSIONS,
  type SpendOrigin,
  spendBy,
  spendByDay,
  spendDay,
  spendLines,
} from '#core/insight/spend.js';
import { playbookOf } from '#core/playbooks/runs.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { bookIn } from '#operations/settings/books.js';
import { allowanceOf } from '#operations/settings/budget.js';
import { spendOf, spendShape } from './spend-shape.js';

const amount = { usd: z.number(), estimated: z.number(), tokens: z.number(), unpriced: z.number(), count: z.number() };
const group = z.object({ name: nullableText, title: z.optional(z.string()), ...amount });
const groups = z.object({ rows: z.array(group), total: z.number() });
const DAY_MS = 86_400_000;

/** Spending by day and by origin, from the log: the same amounts that the budget counts. */
export const spendShow = operation({
  name: 'spend.show',
  command: 'spend',
  group: 'Progress',
  kind: 'read',
  summary: 'Show what was spent: by day, member, client, model, playbook and task',
  examples: ['troupe spend', 'troupe spend --days 7 --json'],
  input: z.strictObject({
    days: option(
      'Number of days, today included (default: 30)',
      z.optional(z.int().check(z.minimum(1), z.maximum(TEAM_LIMITS.spendDays))),
      { value: 'N' },
    ),
    lines: option('Also list each day, task, client and model, as for a table', z.optional(z.boolean())),
  }),
  output: z.object({
    at: z.string(),
    since: z.string(),
    budget: spendShape,
    total: z.object(amount),
    days: z.array(z.object({ day: z.string(), ...amount })),
    by: z.object({ member: groups, client: groups, model: groups, playbook: groups, task: groups }),
    lines: z.optional(
      z.array(
        z.object({
          day: z.string(),
          task: nullableText,
          title: nullableText,
          member: nullableText,
          client: nullableText,
          model: nullableText,
          playbook: nullableText,
          ...amount,
        }),
      ),
    ),
  }),
  async run(context: GraphContext & MachineContext, { days: count = DAYS, lines: listed }) {
    const now = context.clock.now();
    const store = await context.graph();
    const spendings: Spending[] = [];
    const book = await bookIn(store, (spending) => spendings.push(spending));
    const { settings } = await loadSettings(context);
    const fromLog = book.budget(allowanceOf(settings.budget), now);
    const budget = (await context.coordinator?.().spending()) ?? fromLog;
    const since = spendDay(now - (count - 1) * DAY_MS);
    const view = await store.view();
    const lines = spendLines(spendings, since, (id) => originOf(view, id));
    const by = (dimension: (typeof SPEND_DIMENSIONS)[number]) => {
      const all = spendBy(lines, dimension);
      return { rows: all.slice(0, TEAM_LIMITS.spendRows), total: all.length };
    };
    const days = spendByDay(lines, since, spendDay(now));
    return {
      at: timestamp(now),
      since,
      budget: spendOf(budget),
      total: totalOf(days),
      days,
      by: {
        member: by('member'),
        client: by('client'),
        model: by('model'),
        playbook: by('playbook'),
        task: by('task'),
      },
      ...(listed === true ? { lines: lines.slice(-TEAM_LIMITS.spendLines) } : {}),
    };
  },
});

const DAYS = 30;

/** Member, playbook and model of a task; undefined for one that is gone. */
function originOf(view: GraphView, id: string): SpendOrigin | undefined {
  const task = view.task(id);
  if (task === undefined) return undefined;
  return {
    title: task.title,
    member: task.member ?? null,
    playbook: playbookOf(task) ?? null,
    model: task.model ?? null,
  };
}

function totalOf(days: ReturnType<typeof spendByDay>) {
  const total = { usd: 0, estimated: 0, tokens: 0, unpriced: 0, count: 0 };
  for (const { usd, estimated, tokens, unpriced, count } of days) {
    total.usd += usd;
    total.estimated += estimated;
    total.tokens += tokens;
    total.unpriced += unpriced;
    total.count += count;
  }
  return total;
}
