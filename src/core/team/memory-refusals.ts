import { TroupeError } from '#kernel/errors.js';
import { inert, plural } from '#kernel/text.js';
import type { Decision, InboxEntry, WorkSession } from './memory.js';

/** What every store of a memory refuses, in the same words. */
export function refuseFull(count: number, most: number, noun: string): void {
  if (count >= most) throw new TroupeError('memory_full', { what: `There are ${plural(count, noun)} already.` });
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
    hint: 'Begin one with `troupe session start FOCUS`.',
  });
}
