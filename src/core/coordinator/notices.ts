import { NOTICE_NODE } from '#core/graph/notice-node.js';
import type { Channel } from '#core/mail/channels.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { type QuietHours, quietUntil } from '#kernel/quiet-hours.js';
import { plural } from '#kernel/text.js';
import { rowsWithCap, shown, tokensOf, usedBy } from './budget.js';
import { ErrandKind } from './errand.js';
import type { Happening, HappeningKind } from './happenings.js';
import {
  afterDelivery,
  collect,
  collectOnce,
  makeNotice,
  type NoticeBook,
  newNoticeBook,
  nextTryAt,
  noticeBookIn,
  noticeDueAt,
  noticeNode,
  type Outgoing,
  onlyChannels,
} from './notice-book.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Delivers a notice to one channel. */
export const DELIVERY = new ErrandKind<{ readonly of: 'delivered' }>('notice');

export interface NoticeFacts {
  /** Configured channels; without any, nothing is told. */
  readonly channels: readonly Channel[];
  readonly kinds: ReadonlySet<HappeningKind>;
  readonly quiet: QuietHours | undefined;
  readonly zone: string;
  /** Least time between two notices, in milliseconds. */
  readonly everyMs: number;
  /** Things that happened since the position, and the last entry that was read. */
  readonly news: { readonly to: number; readonly happenings: readonly Happening[] };
}

/** Facts about what people are to be told. */
export interface WithNotices {
  readonly notices: NoticeFacts;
}

/** Sends a notice to one channel. */
export interface DeliverDecision extends BaseDecision {
  readonly do: 'deliver-notice';
  readonly key: string;
  readonly notice: Outgoing;
  readonly channel: Channel;
}

type NoticeDecision =
  | DeliverDecision
  /** The book has changed: what is to be told, or the state of deliveries. */
  | (BaseDecision & { readonly do: 'keep-notices' })
  /** The answer of a delivery is recorded. */
  | (BaseDecision & { readonly do: 'hear-notice'; readonly key: string });

type NoticeTick = Tick<WithNotices, NoticeDecision>;

export const NO_NOTICES: NoticeFacts = {
  channels: [],
  kinds: new Set(),
  quiet: undefined,
  zone: 'UTC',
  everyMs: 0,
  news: { to: 0, happenings: [] },
};

export const notices: Part<WithNotices, NoticeDecision> = {
  none: { notices: NO_NOTICES },
  decide: tellPeople,
};

/**
 * Tells people what needs them: collects what happened since the stored position, makes one notice of it, and requests
 * its deliveries. The book is committed before anything is sent, so that a notice keeps its key after a kill. Costs
 * nothing without a channel.
 */
function tellPeople(tick: NoticeTick): void {
  const { notices: facts } = tick.facts;
  const before = noticeBookIn(tick.graph);
  if (before === undefined && facts.channels.length === 0) return;
  const heard = recordDeliveries(tick, before ?? newNoticeBook(facts.news.to));
  let book = onlyChannels(heard, facts.channels);
  const quiet = facts.quiet !== undefined && quietUntil(facts.quiet, tick.now, facts.zone) !== undefined;
  if (facts.channels.length > 0) {
    book = withBudget(tick, collect(book, facts.news, facts.kinds));
    const due = noticeDueAt(book, facts.everyMs);
    if (!quiet && due !== undefined && due <= tick.now)
      book = makeNotice(book, tick.graph, { channels: facts.channels, now: tick.now });
  }
  if (book !== before) keep(tick, book);
  if (!quiet) deliver(tick, book);
}

function keep(tick: NoticeTick, book: NoticeBook): void {
  const event = { op: 'notify', actor: 'coordinator', patch: [{ id: NOTICE_NODE, put: noticeNode(book) }] };
  const counts = [plural(book.waiting.length, 'thing'), plural(book.sending.length, 'notice')];
  tick.want({
    do: 'keep-notices',
    reason: `To be told: ${counts[0]}; being sent: ${counts[1]}`,
    events: tick.act({ events: [event], result: undefined }),
  });
}

/** Requests each delivery that is due and not under way. */
function deliver(tick: NoticeTick, book: NoticeBook): void {
  const { errands } = tick.facts;
  for (const notice of book.sending) {
    for (const state of notice.channels) {
      const key = DELIVERY.key(notice.id, state.channel);
      if (nextTryAt(state) > tick.now || errands.underWay.has(key) || errands.answers.has(key)) continue;
      const reason = `${plural(notice.happenings.length + notice.more, 'thing')} told by ${state.channel}`;
      tick.want({ do: 'deliver-notice', key, notice, channel: state.channel, reason, events: [] });
    }
  }
}

/** Records the results of deliveries, in the order of their keys. */
function recordDeliveries(tick: NoticeTick, book: NoticeBook): NoticeBook {
  let changed = book;
  const answers = [...DELIVERY.answers(tick.facts.errands)].sort((left, right) => (left.key < right.key ? -1 : 1));
  for (const { key, about, answer } of answers) {
    const sent = changed.sending.find(({ id }) => about.startsWith(`${id} `));
    const channel = sent?.channels.find((one) => about === `${sent.id} ${one.channel}`)?.channel;
    const failure = answer.of === 'error' ? { failure: answer.text } : {};
    if (sent && channel) changed = afterDelivery(changed, { notice: sent.id, channel, ...failure }, tick.now);
    const reason = answer.of === 'error' ? `It could not be told: ${answer.text}` : 'It was told';
    tick.want({ do: 'hear-notice', key, reason, events: [] });
  }
  return changed;
}

/** Adds each cap of which most is spent, once for each day or amount. */
function withBudget(tick: NoticeTick, book: NoticeBook): NoticeBook {
  const { budget, runs, notices: facts } = tick.facts;
  if (budget === undefined || !facts.kinds.has('budget')) return book;
  const { caps, spent } = budget;
  const usage = runs.map((run) => usedBy(run) ?? {});
  const usd = usage.reduce((sum, one) => sum + (one.cost_usd ?? 0), 0);
  const tokens = usage.reduce((sum, one) => sum + tokensOf(one), 0);
  const day = new Date(tick.now).toISOString().slice(0, 10);
  return rowsWithCap([
    ['usd_per_day', 'US dollars today', caps.usdPerDay, spent.usdToday + usd],
    ['usd_total', 'US dollars in total', caps.usdTotal, spent.usdTotal + usd],
    ['--budget-usd', 'US dollars in total', caps.usdByOption, spent.usdTotal + usd],
    ['tokens_per_day', 'tokens today', caps.tokensPerDay, spent.tokensToday + tokens],
    ['--budget-tokens', 'tokens in total', caps.tokensTotal, spent.tokensTotal + tokens],
  ]).reduce((sum, { name, what, cap, used }) => {
    if (cap <= 0 || used < cap * NOTICE_LIMITS.budgetShare) return sum;
    const about = [name, cap, ...(name.endsWith('_per_day') ? [day] : [])].join(' ');
    const detail = `${shown(used)} of ${shown(cap)} ${what}`;
    return collectOnce(sum, { kind: 'budget', about, seq: sum.position, at: tick.now, detail });
  }, book);
}

/** Time at which the next notice or attempt is due; undefined if there is none. */
export function nextNoticeAt(
  book: NoticeBook | undefined,
  { channels, quiet, zone, everyMs }: Omit<NoticeFacts, 'kinds' | 'news'>,
  now: number,
): number | undefined {
  if (book === undefined || channels.length === 0) return undefined;
  const tries = book.sending.flatMap((one) => one.channels.map(nextTryAt));
  const due = [noticeDueAt(book, everyMs) ?? [], ...tries].flat();
  if (due.length === 0) return undefined;
  return (quiet && quietUntil(quiet, now, zone)) ?? Math.min(...due);
}
