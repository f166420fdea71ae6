import type { EpicProgress } from '#core/graph/epic.js';
import { progressText } from '#core/graph/status-look.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { FORGE, type ForgeFact } from './forge-state.js';
import { IMPORTED } from './origin.js';

const WORDS: Readonly<Record<Task['status'], string>> = {
  open: 'queued',
  'in-progress': 'in progress',
  waiting: 'waiting',
  'pending-validation': 'needs review',
  blocked: 'blocked by a person',
  done: 'done',
  failed: 'failed',
  abandoned: 'not going to be done',
};

/** Marks our comment at an issue: however often an exchange is interrupted, there is one comment for a task. */
export function commentMark(task: Task): string {
  return `<!-- troupe:${task.id.replaceAll(/[^A-Za-z0-9._-]/g, '_')} -->`;
}

/**
 * Text of our comment. It says the status and nothing else of the task: reasons, logs and names stay here, because an
 * issue may be public. Undefined for a task that came in as ended, about which there is nothing to say.
 */
export function commentText(task: Task, progress: EpicProgress | undefined): string | undefined {
  const { comment, pull } = fact(task);
  const untouched = isTerminal(task.status) && (task.fence ?? 0) === 0 && comment === undefined && pull === undefined;
  if (untouched && IMPORTED.of(task)?.state.startsWith('closed') === true) return undefined;
  const status = task.status === 'open' && task.paused === true ? 'planned' : WORDS[task.status];
  const parts = progress === undefined ? '' : `, ${progressText(progress)}`;
  const work = pull === undefined ? '' : `\n\nWork: ${pull.url} (${PULL[pull.state]})`;
  return `**Troupe**: ${status}${parts}${work}\n\n${commentMark(task)}`;
}

const PULL = { open: 'open', merged: 'merged', closed: 'closed without being merged' } as const;

/**
 * State that the issue should get now; undefined if nothing is to change. Work that is still to be merged by a pull
 * request (`isLanding`) leaves it open. What a person changed there afterwards is left alone.
 */
export function wantedState(task: Task, isLanding: boolean): 'open' | 'completed' | 'dropped' | undefined {
  const { closed, gone, pull } = fact(task);
  if (gone) return undefined;
  if (!isTerminal(task.status)) return closed ? 'open' : undefined;
  if (closed || task.status === 'failed' || IMPORTED.of(task)?.state.startsWith('closed') === true) return undefined;
  if (task.status === 'abandoned') return 'dropped';
  const isMerged = pull === undefined ? !isLanding : pull.state === 'merged';
  return isMerged ? 'completed' : undefined;
}

function fact(task: Task): ForgeFact {
  return FORGE.of(task) ?? {};
}
