import { isUnmerged } from '#core/graph/attempts.js';
import type { Readiness, ReadinessReason } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import type { Liveness, ShownState } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** Status of a task as shown: an open, claimable task is `ready`. */
export function shownTaskState(task: Task, ready: Readiness): ShownState {
  return task.status === 'open' && ready.ready ? 'ready' : task.status;
}

/** Order of usefulness. Time comes last, because it passes without any action. */
const MOST_USEFUL_FIRST: readonly ReadinessReason['code'][] = [
  'line-up',
  'paused',
  'needs-success',
  'predecessor',
  'cycle-restart',
  'unplaced',
  'time',
  'status',
];

/**
 * The most useful reason why a task is not running; undefined if it is running, ready or done. `live` tells whether a
 * claimed task has a run at work. Ids are included unescaped: the caller must sanitise the text for output.
 */
export function notRunningReason(view: GraphView, task: Task, ready: Readiness, live: Liveness): string | undefined {
  switch (task.status) {
    case 'in-progress':
      return live ? undefined : claimedBy(task);
    case 'done':
      return undefined;
    case 'pending-validation':
      if (isUnmerged(task)) return task.failure_reason ?? 'its work could not be merged';
      return task.failure_reason ?? 'needs review before it is done';
    case 'blocked':
      return 'a person blocked it and has to reopen it';
    case 'failed':
      return task.failure_reason ?? 'its last attempt failed; no reason was given';
    case 'abandoned':
      return task.failure_reason ?? 'abandoned; it will not run';
    case 'waiting':
      return task.ready_after === undefined ? 'waits for its condition' : `waits until ${task.ready_after}`;
    case 'open':
      return ready.ready ? undefined : openReason(view, ready.reasons);
  }
}

function claimedBy({ assigned }: Task): string | undefined {
  if (assigned === undefined) return 'claimed by an unknown holder';
  return isRunName(assigned) ? `${assigned} holds it but is not running` : `claimed by ${assigned}`;
}

function openReason(view: GraphView, reasons: readonly ReadinessReason[]): string {
  const sorted = [...reasons].sort((a, b) => MOST_USEFUL_FIRST.indexOf(a.code) - MOST_USEFUL_FIRST.indexOf(b.code));
  const reason = sorted[0];
  if (reason === undefined) return 'not ready';
  switch (reason.code) {
    case 'line-up':
      return 'its line-up is not accepted';
    case 'paused':
      if (reason.ids) return `the cycle it depends on is halted: ${nameList(reason.ids)} is paused`;
      return 'paused: it starts when a person resumes it';
    case 'time':
      return `waits until ${reason.until ?? 'later'}`;
    case 'unplaced':
      return 'waits for its place in the graph';
    case 'cycle-restart':
      return `a member failed: the cycle of ${nameList(reason.ids)} restarts when the others have ended`;
    case 'needs-success':
      return `needs ${nameList(reason.ids)} to succeed, and it did not`;
    case 'predecessor':
      return `waits for ${nameList(runningFirst(view, reason.ids ?? []))}`;
    case 'status':
      return 'its status does not allow it';
  }
}

/** Sorts running predecessors first: they are more informative than waiting ones. */
function runningFirst(view: GraphView, ids: readonly string[]): readonly string[] {
  const weight = (id: string) => (view.task(id)?.status === 'in-progress' ? 0 : 1);
  return [...ids].sort((left, right) => weight(left) - weight(right));
}

function nameList(ids: readonly string[] = []): string {
  const [first, second] = ids;
  if (first === undefined) return 'something';
  if (second === undefined) return first;
  return ids.length === 2 ? `${first} and ${second}` : `${first} and ${ids.length - 1} more`;
}
