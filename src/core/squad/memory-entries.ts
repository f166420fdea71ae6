import { TroupeError } from '#kernel/errors.js';
import { inert, plural } from '#kernel/text.js';
import { sameEntry } from './inbox-file.js';
import type { Decision, EntryText, InboxEntry, WorkSession } from './memory.js';

/** Outcomes of submitting an entry. */
export const FILED = ['added', 'changed', 'same', 'settled'] as const;
export type Filed = (typeof FILED)[number];

/**
 * Outcome of submitting an entry if `existing` has the same agent and slug. A merged or rejected entry stays unchanged.
 */
export function filedAs(existing: InboxEntry | undefined, entry: EntryText): Filed {
  if (existing === undefined) return 'added';
  if (sameEntry(existing, entry)) return 'same';
  return existing.status === 'pending' ? 'changed' : 'settled';
}

/**
 * Candidate file names of an entry in order of preference: its slug, the slug with the agent, then numbered ones. The
 * caller takes the first unused one.
 */
export function* storedSlugs({ agent, slug }: Pick<EntryText, 'agent' | 'slug'>): Generator<string, never> {
  yield slug;
  yield `${slug}--${agent}`;
  for (let count = 2; ; count++) yield `${slug}--${agent}--${count}`;
}

/** New state of an entry. */
export type Settlement =
  | { readonly status: 'merged'; readonly by: string; readonly at: number }
  | { readonly status: 'rejected'; readonly by: string; readonly at: number; readonly reason?: string };

/** Errors: `memory_settled`. */
export function refuseSettled(entry: InboxEntry): void {
  if (entry.status === 'pending') return;
  throw new TroupeError('memory_settled', {
    what: `Entry ${entry.number} is already ${entry.status}.`,
    details: { number: entry.number, status: entry.status },
  });
}

/** Errors: `memory_full`. */
export function refuseFull(count: number, most: number, noun: string): void {
  if (count >= most) throw new TroupeError('memory_full', { what: `There are already ${plural(count, noun)}.` });
}

export function refuseOpen(open: WorkSession | undefined): void {
  if (open === undefined) return;
  throw new TroupeError('session_open', {
    what: `Session ${open.number} is open: ${inert(open.focus)}.`,
    details: { number: open.number },
  });
}

export function refusePassed({ number, status }: Decision): void {
  if (status === 'active') return;
  throw new TroupeError('memory_settled', {
    what: `Decision ${number} is ${status}.`,
    details: { number, status },
  });
}

export function noDecision(number: number): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no decision ${number}.`,
    hint: 'Run `troupe decision list`.',
    details: { number },
  });
}

export function noEntry(number: InboxEntry['number']): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no entry ${number} in the inbox.`,
    hint: 'Run `troupe decision inbox`.',
    details: { number },
  });
}

export function noSession(): TroupeError {
  return new TroupeError('not_found', {
    what: 'No session of the team is open.',
    hint: 'Start one with `troupe session start FOCUS`.',
  });
}
