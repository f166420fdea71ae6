import type { Spending } from '#core/coordinator/budget-book.js';
import { timestamp } from '#kernel/clock.js';
import { compareText } from '#kernel/order.js';

export interface SpendAmount {
  readonly usd: number;
  /** Part of `usd` computed from tokens and the price table. */
  readonly estimated: number;
  readonly tokens: number;
  /** Part of `tokens` without a known price. */
  readonly unpriced: number;
  /** Number of runs and model calls. */
  readonly count: number;
}

/** Facts about a task that spending is grouped by; null where there are none. */
export interface SpendOrigin {
  readonly title: string | null;
  readonly member: string | null;
  readonly playbook: string | null;
  readonly model: string | null;
}

/** Spending of one day, task, client and model. */
export interface SpendLine extends SpendAmount, SpendOrigin {
  /** Such as `2026-03-21`, UTC, as the budget of a day. */
  readonly day: string;
  readonly task: string | null;
  readonly client: string | null;
}

export const SPEND_DIMENSIONS = ['member', 'client', 'model', 'playbook', 'task'] as const;
export type SpendDimension = (typeof SPEND_DIMENSIONS)[number];

export interface SpendGroup extends SpendAmount {
  /** Null: spending without one, such as a question of Troupe itself for `member`. */
  readonly name: string | null;
  /** Title, if the groups are tasks. */
  readonly title?: string | undefined;
}

const NOTHING: SpendAmount = { usd: 0, estimated: 0, tokens: 0, unpriced: 0, count: 0 };
const DAY_MS = 86_400_000;

export const spendDay = (at: number): string => timestamp(at).slice(0, 10);

/** Spending since a day, by day, task, client and model, oldest first. */
export function spendLines(
  spendings: readonly Spending[],
  since: string,
  originOf: (task: string) => SpendOrigin | undefined,
): SpendLine[] {
  const lines = new Map<string, SpendLine>();
  for (const { at, task = null, client = null, model: said, run: _run, ...cost } of spendings) {
    const day = Number.isFinite(at) ? spendDay(at) : '';
    if (day < since) continue;
    const origin = task === null ? undefined : originOf(task);
    const model = said ?? origin?.model ?? null;
    const key = JSON.stringify([day, task, client, model]);
    const { title = null, member = null, playbook = null } = origin ?? {};
    const line = lines.get(key) ?? { day, task, client, title, member, playbook, ...NOTHING, model };
    lines.set(key, { ...line, ...sum(line, { ...cost, count: 1 }) });
  }
  return [...lines.values()].sort((left, right) => compareText(left.day, right.day));
}

/** Spending of each day from one day to another, also of days without any. */
export function spendByDay(
  lines: readonly SpendLine[],
  from: string,
  until: string,
): (SpendAmount & { day: string })[] {
  const byDay = new Map<string, SpendAmount>();
  for (const line of lines) byDay.set(line.day, sum(byDay.get(line.day) ?? NOTHING, line));
  const days = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS)
    days.push({ day: spendDay(at), ...(byDay.get(spendDay(at)) ?? NOTHING) });
  return days;
}

/** Spending by one dimension, the most expensive first. */
export function spendBy(lines: readonly SpendLine[], dimension: SpendDimension): SpendGroup[] {
  const groups = new Map<string | null, SpendGroup>();
  for (const line of lines) {
    const name = line[dimension];
    const title = dimension === 'task' && line.title !== null ? { title: line.title } : {};
    groups.set(name, { name, ...title, ...sum(groups.get(name) ?? NOTHING, line) });
  }
  return [...groups.values()].sort(
    (left, right) =>
      right.usd - left.usd || right.tokens - left.tokens || compareText(left.name ?? '', right.name ?? ''),
  );
}

function sum(left: SpendAmount, right: SpendAmount): SpendAmount {
  return {
    usd: left.usd + right.usd,
    estimated: left.estimated + right.estimated,
    tokens: left.tokens + right.tokens,
    unpriced: left.unpriced + right.unpriced,
    count: left.count + right.count,
  };
}
