import * as z from 'zod/mini';
import { NOTICE_NODE } from '#core/graph/notice-node.js';
import type { GraphNode } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { CHANNELS, type Channel } from '#core/mail/channels.js';
import { sha256 } from '#kernel/hash.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { type Happening, type HappeningKind, happeningShape, isStillSo } from './happenings.js';

const number = z.number();
const channel = z.enum(CHANNELS);

/** A notice that some channels have not accepted yet. */
const outgoingShape = z.object({
  /** Idempotency key of every attempt to deliver it. */
  id: z.string(),
  happenings: z.readonly(z.array(happeningShape)),
  /** Number of things that are not among them. */
  more: number,
  /** Channels that are still to accept it, with their failed attempts and the time of the last one in milliseconds. */
  channels: z.readonly(z.array(z.object({ channel, tries: number, failedAt: number }))),
});
export type Outgoing = z.infer<typeof outgoingShape>;

/** Reason why a channel accepts no notices. */
const troubleShape = z.object({
  channel,
  text: z.string(),
  /** Time of the first failure since the channel last accepted a notice, in milliseconds. */
  since: number,
  /** Number of notices that were given up. */
  lost: number,
});

const bookShape = z.object({
  kind: z.literal('notices'),
  /** Entry of the log up to which everything that happened is here or was told. */
  position: number,
  /** Things to be told by the next notice, and the number of those beyond. */
  waiting: z.readonly(z.array(happeningShape)),
  more: number,
  /** Time of the latest notice in milliseconds; 0 before the first. */
  madeAt: number,
  sending: z.readonly(z.array(outgoingShape)),
  /** Ends of plans and budgets that were told, the latest last. */
  told: z.readonly(z.array(z.string())),
  troubles: z.readonly(z.array(troubleShape)),
});
/** Everything that is to be told, and the position in the log up to which it was collected. Stored in one node. */
export type NoticeBook = Omit<z.infer<typeof bookShape>, 'kind'>;

/** The stored book; undefined if there is none, or none that is valid. */
export function noticeBookIn(view: Pick<GraphView, 'node'>): NoticeBook | undefined {
  const parsed = z.safeParse(bookShape, view.node(NOTICE_NODE));
  if (!parsed.success) return undefined;
  const { kind: _, ...book } = parsed.data;
  return book;
}

/** A book that begins at this position: what happened before is not told. */
export function newNoticeBook(position: number): NoticeBook {
  return { position, waiting: [], more: 0, madeAt: 0, sending: [], told: [], troubles: [] };
}

export function noticeNode(book: NoticeBook): GraphNode {
  return { kind: 'notices', id: NOTICE_NODE, ...book };
}

/** Adds what happened since the position. Each thing is added once, and the end of a plan or a budget told once. */
export function collect(
  book: NoticeBook,
  { to, happenings }: { readonly to: number; readonly happenings: readonly Happening[] },
  kinds: ReadonlySet<HappeningKind>,
): NoticeBook {
  if (to < book.position) return { ...book, position: to }; // another history took the place of the log
  const waiting = new Map(book.waiting.map((one) => [subjectOf(one), one]));
  const fresh = happenings.filter((one) => kinds.has(one.kind) && !book.told.includes(toldKey(one)));
  for (const one of fresh) waiting.set(subjectOf(one), { ...one, at: waiting.get(subjectOf(one))?.at ?? one.at });
  if (fresh.length === 0 && to - book.position < NOTICE_LIMITS.positionEntries) return book;
  const kept = [...waiting.values()].slice(0, NOTICE_LIMITS.things);
  return { ...book, position: to, waiting: kept, more: book.more + waiting.size - kept.length };
}

/** Adds something that follows from no entry, once. */
export function collectOnce(book: NoticeBook, happening: Happening): NoticeBook {
  if (book.told.includes(toldKey(happening))) return book;
  const waiting = [...book.waiting.filter((one) => subjectOf(one) !== subjectOf(happening)), happening];
  return { ...book, waiting, told: remember(book.told, [happening]) };
}

/** Time at which the next notice is due; undefined if there is nothing to tell. */
export function noticeDueAt({ waiting, madeAt }: NoticeBook, everyMs: number): number | undefined {
  if (waiting.length === 0) return undefined;
  const first = Math.min(...waiting.map(({ at }) => at));
  return Math.max(first + NOTICE_LIMITS.gatherMs, madeAt + everyMs);
}

/** Makes one notice of everything that waits and is still so. */
export function makeNotice(
  book: NoticeBook,
  view: GraphView,
  { channels, now }: { readonly channels: readonly Channel[]; readonly now: number },
): NoticeBook {
  const happenings = book.waiting.filter((one) => isStillSo(view, one));
  const { more } = book;
  const emptied = { ...book, waiting: [], more: 0 };
  if (happenings.length === 0) return emptied;
  const id = sha256(JSON.stringify([now, more, happenings])).slice(0, 32);
  const outgoing = { id, happenings, more, channels: channels.map((one) => ({ channel: one, tries: 0, failedAt: 0 })) };
  const sending = [...book.sending, outgoing];
  const late = sending.slice(0, -NOTICE_LIMITS.sending).flatMap((one) => one.channels.map(({ channel }) => channel));
  return {
    ...emptied,
    madeAt: now,
    sending: sending.slice(-NOTICE_LIMITS.sending),
    told: remember(book.told, happenings),
    troubles: book.troubles.map((one) => ({ ...one, lost: one.lost + countOf(late, one.channel) })),
  };
}

/** Records that a channel accepted a notice, or why it did not. */
export function afterDelivery(
  book: NoticeBook,
  { notice, channel, failure }: { readonly notice: string; readonly channel: Channel; readonly failure?: string },
  now: number,
): NoticeBook {
  const others = book.troubles.filter((one) => one.channel !== channel);
  const change = (state: Outgoing['channels'][number]): Outgoing['channels'] => {
    if (state.channel !== channel) return [state];
    const tries = state.tries + 1;
    return failure === undefined || tries >= NOTICE_LIMITS.tries ? [] : [{ channel, tries, failedAt: now }];
  };
  let ended = false;
  const sending = book.sending.flatMap((one) => {
    if (one.id !== notice) return [one];
    const channels = one.channels.flatMap(change);
    ended = channels.length < one.channels.length;
    return channels.length === 0 ? [] : [{ ...one, channels }];
  });
  if (failure === undefined) return { ...book, sending, troubles: others };
  const before = book.troubles.find((one) => one.channel === channel);
  const trouble = { channel, text: failure, since: before?.since ?? now, lost: (before?.lost ?? 0) + (ended ? 1 : 0) };
  return { ...book, sending, troubles: [...others, trouble] };
}

/** The book without channels that are no longer configured; the same one if there are none. */
export function onlyChannels(book: NoticeBook, channels: readonly Channel[]): NoticeBook {
  const known = (one: { readonly channel: Channel }) => channels.includes(one.channel);
  if (book.troubles.every(known) && book.sending.every((one) => one.channels.every(known))) return book;
  const sending = book.sending.map((one) => ({ ...one, channels: one.channels.filter(known) }));
  return {
    ...book,
    sending: sending.filter((one) => one.channels.length > 0),
    troubles: book.troubles.filter(known),
  };
}

/** Time of the next attempt. Pauses double up to a limit. */
export function nextTryAt({ tries, failedAt }: Outgoing['channels'][number]): number {
  if (tries === 0) return 0;
  return failedAt + Math.min(NOTICE_LIMITS.againMs * 2 ** (tries - 1), NOTICE_LIMITS.againMostMs);
}

/** Subject of a thing to tell: of several about it, the latest counts. */
function subjectOf({ kind, about }: Happening): string {
  return `${kind} ${about}`;
}

/** A run of a playbook may end again with another outcome. */
function toldKey(happening: Happening): string {
  return happening.kind === 'plan' ? `${subjectOf(happening)} ${happening.detail}` : subjectOf(happening);
}

function remember(told: readonly string[], happenings: readonly Happening[]): readonly string[] {
  const keys = happenings.filter(({ kind }) => kind === 'plan' || kind === 'budget').map(toldKey);
  return [...told.filter((key) => !keys.includes(key)), ...keys].slice(-NOTICE_LIMITS.told);
}

function countOf<Item>(items: readonly Item[], item: Item): number {
  return items.filter((one) => one === item).length;
}
