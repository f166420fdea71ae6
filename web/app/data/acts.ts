import { inert, plural, shellWord } from '#kernel/text.js';
import type { Answer, NowRow } from '#surfaces/http/contract.js';
import { ApiError, change } from './api.js';
import { type Notice, notice } from './notices.js';

interface ActLook {
  readonly label: string;
  /** Said of the row when it is done. */
  readonly done: string;
  /** Name of the text that the act needs. */
  readonly words?: string;
  /** Consequence, for an act without a way back: it is confirmed first. */
  readonly consequence?: string;
}

type RowAct = NonNullable<NowRow['acts']>[number];
type Move = NonNullable<Answer<'task.destinations'>['destinations'][number]['move']>;
/** Acts on a task, in a row of Now or on the board. */
export type Act = RowAct | Move;

export const ACT_LOOK: Readonly<Record<Act, ActLook>> = {
  approve: { label: 'Approve', done: 'Approved', consequence: 'It is merged for good.' },
  reject: { label: 'Reject', done: 'Rejected', words: 'Reason, which the next attempt reads' },
  answer: { label: 'Answer', done: 'Answered', words: 'Answer' },
  retry: { label: 'Retry', done: 'Open again' },
  reopen: { label: 'Reopen', done: 'Open again' },
  resume: { label: 'Resume', done: 'Resumed' },
  wake: { label: 'Resume', done: 'Resumed', consequence: 'It no longer waits.' },
  claim: { label: 'Take it', done: 'Yours now' },
  unclaim: { label: 'Release', done: 'Released', consequence: 'Anyone can take it then.' },
  block: { label: 'Block', done: 'Blocked' },
  done: { label: 'Done', done: 'Done', consequence: 'Tasks that wait for it may start.' },
  fail: { label: 'Fail', done: 'Failed', words: 'Reason' },
  abandon: { label: 'Abandon', done: 'Abandoned', consequence: 'Tasks that wait for it may start without it.' },
  stop: { label: 'Stop', done: 'Stopped and paused', consequence: 'Uncommitted work may be lost.' },
};

/** The command that does the same. */
export function commandOf(act: Act, ids: readonly string[], run: string | undefined, words = '…'): string {
  const id = ids.map((one) => shellWord(inert(one))).join(' ');
  const text = shellWord(inert(words, true));
  switch (act) {
    case 'reject':
    case 'fail':
      return `troupe ${act} ${id} --reason ${text}`;
    case 'answer':
      return `troupe answer ${id} ${text}`;
    case 'stop':
      return `troupe pause ${id} && troupe kill ${shellWord(inert(run ?? ''))}`;
    case 'wake':
      return `troupe resume ${id}`;
    default:
      return ids.length === 1 ? `troupe ${act} ${id}` : `for task in ${id}; do troupe ${act} "$task"; done`;
  }
}

/** An act on one task. */
interface Wish {
  readonly act: Act;
  readonly id: string;
  readonly run?: string | undefined;
  readonly words?: string | undefined;
}

interface MovedAnswer {
  readonly seq: number;
  readonly events: readonly { readonly seq: number }[];
  readonly resumed?: readonly string[];
}

/** Result of an act: the changed tasks, and the first and last entry of the log about it. */
export interface Deed {
  readonly ids: readonly string[];
  readonly since: number;
  readonly seq: number;
  /** Number of tasks of a group that refused, and the reason of the first. */
  readonly refused?: { readonly count: number; readonly why: string } | undefined;
}

/** Carries an act out. Rejects with an ApiError. */
export async function carryOut({ act, id, run, words }: Wish): Promise<Deed> {
  const call = (name: string, input: Readonly<Record<string, unknown>>) => change<MovedAnswer>('POST', name, input);
  const answer = await (act === 'stop'
    ? call('task/pause', { id })
    : call(`task/${act === 'wake' ? 'resume' : act}`, {
        id,
        ...(act === 'reject' || act === 'fail' ? { reason: words } : {}),
        ...(act === 'answer' ? { text: words } : {}),
      }));
  // Paused first: the service would start the next attempt at once.
  if (act === 'stop') await change('POST', 'agent/kill', { run });
  const since = Math.min(answer.seq, ...answer.events.map(({ seq }) => seq));
  return { ids: answer.resumed ?? [id], since, seq: answer.seq };
}

/** The way back from a deed: nothing for acts whose effect outlives them. */
function wayBack(act: Act, { ids, since }: Deed, after: () => void): Notice['back'] {
  const [id] = ids;
  const undone = (call: () => Promise<Notice | undefined>) => async () => {
    notice.set(await call());
    after();
  };
  switch (act) {
    case 'claim':
      return {
        label: 'Undo',
        ids: [],
        run: undone(() => change('POST', 'task/unclaim', { id }).then(() => undefined)),
      };
    case 'stop':
      return {
        ...{ label: 'Resume', ids: [] },
        run: undone(() => change('POST', 'task/resume', { id, only: true }).then(() => undefined)),
      };
    case 'retry':
    case 'reopen':
    case 'resume':
    case 'block':
      return { label: 'Undo', ids, run: undone(() => takeBack(ids, since)) };
    default:
      return undefined;
  }
}

/** The way back from an addition: tasks that nothing has followed from are abandoned. */
export function additionBack(ids: readonly string[]): Notice['back'] {
  return { label: 'Undo', ids, run: async () => notice.set(await takeBack(ids)) };
}

/** Takes moves back; returns a notice about the tasks that had moved on. */
async function takeBack(ids: readonly string[], since?: number): Promise<Notice | undefined> {
  const { kept } = await change<Answer<'task.undo'>>('POST', 'task/undo', { ids, since });
  return kept.length === 0 ? undefined : { text: `Undone, except for ${plural(kept.length, 'task')} that moved on.` };
}

/** Reports an act and offers the way back. */
export function tell(act: Act, what: string, deed: Deed, after: () => void): void {
  const { refused } = deed;
  const rest = refused === undefined ? '' : `. ${plural(refused.count, 'task')} refused: ${refused.why}`;
  notice.set({ text: `${ACT_LOOK[act].done}: ${what}${rest}`, back: wayBack(act, deed, after) });
}

/** Carries an act out on many tasks, one after another. Rejects with an ApiError if all refuse it. */
export async function carryOutAll(act: Act, ids: readonly string[], progress: (done: number) => void): Promise<Deed> {
  const deeds: Deed[] = [];
  const refusals: ApiError[] = [];
  for (const id of ids) {
    try {
      deeds.push(await carryOut({ act, id }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'unreachable') throw error;
      refusals.push(error);
    }
    progress(deeds.length + refusals.length);
  }
  const [first] = refusals;
  if (first !== undefined && deeds.length === 0) throw first;
  return {
    ids: deeds.flatMap((deed) => deed.ids),
    since: Math.min(...deeds.map(({ since }) => since)),
    seq: Math.max(...deeds.map(({ seq }) => seq)),
    refused: first === undefined ? undefined : { count: refusals.length, why: first.message },
  };
}

/** `12 tasks`, or of one task its title. */
export function nameOf(titles: readonly string[], count: number): string {
  const [first] = titles;
  return count === 1 && first !== undefined ? inert(first) : plural(count, 'task');
}
