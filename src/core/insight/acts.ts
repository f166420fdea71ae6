import { acceptedOf } from '#core/graph/acceptance.js';
import { asksPerson } from '#core/graph/asks-person.js';
import { HUMAN } from '#core/graph/assignee.js';
import { allowsAnother, isConflict, lastRunOf } from '#core/graph/attempts.js';
import { type Evidence, evidenceOf } from '#core/graph/evidence.js';
import { gateCommand } from '#core/graph/formation-gate.js';
import { isRunName } from '#core/graph/run-name.js';
import type { Liveness } from '#core/graph/status-look.js';
import { missedBy } from '#core/graph/take-again.js';
import type { Task } from '#core/graph/task.js';
import { isUnreported } from '#core/graph/unreported.js';
import { UNVERIFIED_EDIT } from '#core/graph/unverified-edit.js';
import type { GraphView } from '#core/graph/view.js';
import { formatDuration } from '#kernel/duration.js';
import type { ProblemKind } from './problem.js';

/**
 * Acts of a person on a row of a list. Each is the operation of that name, except `wake`, which resumes a task that
 * waits, and `stop`, which pauses a task and ends its run.
 */
export const ROW_ACTS = [
  'approve',
  'reject',
  'answer',
  'retry',
  'reopen',
  'resume',
  'wake',
  'claim',
  'unclaim',
  'stop',
] as const;
export type RowAct = (typeof ROW_ACTS)[number];

/** Facts about a task that decide which acts it has. */
export interface ActFacts {
  readonly ready: boolean;
  /** Whether a run works on it, and whether a coordinator notices if that run is gone. */
  readonly live: Liveness;
  readonly watched: boolean;
}

/**
 * Acts that would be accepted now from this person, the most useful first. A task whose decision is another command (a
 * line-up, an edit by hand, a proposal about a role) has none.
 */
export function actsOn(
  view: GraphView,
  task: Task,
  { ready, live, watched }: ActFacts,
  person: string,
): readonly RowAct[] {
  if (gateCommand(task) !== undefined || UNVERIFIED_EDIT.of(task) !== undefined) return [];
  switch (task.status) {
    case 'pending-validation':
      return verdictsOn(task, person);
    case 'failed':
      return missedBy(view, task) ? [] : [allowsAnother(task) ? 'retry' : 'reopen'];
    case 'blocked':
      return ['reopen'];
    case 'waiting':
      return asksPerson(task) ? ['answer'] : [];
    case 'open':
      if (!ready || HUMAN.of(task) !== true) return [];
      return [task.conversation === undefined ? 'claim' : 'answer'];
    case 'in-progress':
      if (!isRunName(task.assigned)) return ['unclaim'];
      return live === true ? ['stop'] : live === false && !watched ? ['unclaim'] : [];
    default:
      return [];
  }
}

/** Verdicts on submitted work: none on one's own, only approval of work that is being merged, rejection first after a conflict. */
function verdictsOn(task: Task, person: string): readonly RowAct[] {
  if (task.assigned === person) return [];
  if (acceptedOf(task)) return ['approve'];
  if (isConflict(task)) return ['reject', 'approve'];
  if (isUnreported(task) && lastRunOf(task) !== undefined) return ['answer', 'approve', 'reject'];
  return ['approve', 'reject'];
}

/** Acts that solve a problem of this kind; for the others only its command helps. */
export function actsAgainst(kind: ProblemKind, task: Task | undefined): readonly RowAct[] {
  if (task === undefined) return [];
  if (kind === 'stalled') return ['unclaim'];
  return kind === 'parked' ? [task.status === 'waiting' ? 'wake' : 'resume'] : [];
}

/** Check of submitted work, and how it ended. */
export interface ShownCheck {
  readonly command: string;
  readonly passed: boolean;
  /** `passed in 3s`, `exit 2 after 3s`, `cut off`. */
  readonly text: string;
}

/** Undefined if the task has no check. */
export function checkResultOf(task: Task): ShownCheck | undefined {
  return shownCheck(evidenceOf(task), task.verify_cmd);
}

/** Undefined if evidence names no check and none was `planned`. */
export function shownCheck(evidence: Evidence, planned?: string): ShownCheck | undefined {
  const { verify_cmd: ran, exit, ms, unchecked } = evidence;
  const command = ran ?? planned;
  if (typeof command !== 'string') return undefined;
  if (unchecked !== undefined) return { command, passed: false, text: unchecked === 'cut-off' ? 'cut off' : 'not run' };
  if (typeof exit !== 'number') return { command, passed: false, text: 'not run' };
  const time = typeof ms === 'number' ? formatDuration(ms) : undefined;
  if (exit === 0) return { command, passed: true, text: time === undefined ? 'passed' : `passed in ${time}` };
  return { command, passed: false, text: time === undefined ? `exit ${exit}` : `exit ${exit} after ${time}` };
}
