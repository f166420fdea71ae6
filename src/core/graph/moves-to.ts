import type { Plan } from '#core/graph/event.js';
import type { Moved, MoveOptions } from '#core/graph/lib/move.js';
import {
  abandonTask,
  blockTask,
  claimTask,
  doneTask,
  failTask,
  reopenTask,
  retryTask,
  unclaimTask,
} from '#core/graph/moves.js';
import { resumeTask } from '#core/graph/pause.js';
import { approveTask, rejectTask } from '#core/graph/review.js';
import { SHOWN_STATES, type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import type { Status } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { UNVERIFIED_EDIT } from './unverified-edit.js';

type Planned = (view: GraphView, id: string, options: MoveOptions) => Plan<Moved>;

/** Moves of a person that change the state of a task, each the operation of that name. */
export const PERSON_MOVES = [
  'approve',
  'reject',
  'done',
  'fail',
  'abandon',
  'retry',
  'reopen',
  'resume',
  'block',
  'claim',
  'unclaim',
] as const;
export type PersonMove = (typeof PERSON_MOVES)[number];

const PLANS: Readonly<Record<PersonMove, Planned>> = {
  approve: approveTask,
  reject: (view, id, options) => rejectTask(view, id, { ...options, reason: 'not yet' }),
  done: doneTask,
  fail: failTask,
  abandon: abandonTask,
  retry: retryTask,
  reopen: reopenTask,
  resume: (view, id, options) => resumeTask(view, id, { ...options, only: true }),
  block: blockTask,
  claim: claimTask,
  unclaim: unclaimTask,
};

const BACK: readonly PersonMove[] = ['resume', 'retry', 'reopen', 'reject', 'unclaim'];

/** Moves that can lead into a state, in the order in which they are tried. */
const TOWARDS: Readonly<Record<ShownState, readonly PersonMove[]>> = {
  open: BACK,
  ready: BACK,
  'in-progress': ['resume', 'claim'],
  waiting: [],
  'pending-validation': ['done'],
  blocked: ['block'],
  done: ['approve', 'done'],
  failed: ['fail'],
  abandoned: ['abandon'],
};

/** States that no move of a person leads to, and readiness, which follows from other tasks. */
const BY_ITSELF: Partial<Record<`${ShownState} → ${ShownState}`, string>> = {
  'open → ready': 'It becomes ready when what it waits for has ended.',
  'ready → open': 'It waits for nothing. Pause it, or block it.',
};
const ONLY_HOLDER = 'Only who works on it can say what it waits for.';

export interface MoveTo {
  readonly to: ShownState;
  /** Move that leads there; undefined if there is none. */
  readonly move?: PersonMove;
  /** Reason for there being none. */
  readonly reason?: string;
}

/**
 * For each other state, the move that leads there or the reason why none does. Each is tried by the plan of its
 * operation on this view, without effect, so that nothing else has to know what is allowed. `atWork` names the run that
 * works on the task: it is stopped first.
 */
export function movesTo(
  view: GraphView,
  id: string,
  options: MoveOptions,
  { state: shown, atWork }: { readonly state: ShownState; readonly atWork: string | undefined },
): readonly MoveTo[] {
  const task = taskOf(view, id);
  const refusal =
    atWork !== undefined
      ? `${atWork} works on it: stop it first.`
      : UNVERIFIED_EDIT.of(task) !== undefined
        ? 'Its line was edited by hand: accept or discard that first.'
        : undefined;
  return SHOWN_STATES.filter((to) => to !== shown).map((to) => {
    if (refusal !== undefined) return { to, reason: refusal };
    let reason = to === 'waiting' ? ONLY_HOLDER : `It is ${STATUS_LOOK[shown].word}.`;
    for (const move of TOWARDS[to]) {
      const tried = tryMove(view, id, move, options);
      if (tried === undefined) continue;
      if ('refusal' in tried) reason = tried.refusal;
      else if (leadsTo(tried.status, to)) return { to, move };
      else reason = `That would make it “${STATUS_LOOK[tried.status].word}”.`;
    }
    return { to, reason: BY_ITSELF[`${shown} → ${to}`] ?? reason };
  });
}

/** Status after a move, undefined if it changes nothing, or the reason why it is refused. */
function tryMove(
  view: GraphView,
  id: string,
  name: PersonMove,
  options: MoveOptions,
): { readonly status: Status } | { readonly refusal: string } | undefined {
  try {
    const { result } = PLANS[name](view, id, options);
    return result.changed ? result : undefined;
  } catch (error) {
    if (error instanceof TroupeError) return { refusal: error.message };
    throw error;
  }
}

/** Whether a task is ready follows from the tasks before it. */
function leadsTo(status: Status, to: ShownState): boolean {
  return status === to || (to === 'ready' && status === 'open');
}
