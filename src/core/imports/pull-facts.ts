import type { EventDraft, Plan } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import type { LogEntry, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { cutBytes } from '#kernel/fence.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert, plural } from '#kernel/text.js';
import { FORGE, type ForgeFact, type PullFact } from './forge-state.js';
import type { ForgeName } from './forges.js';

/** A check of a commit. */
export interface PullCheck {
  readonly name: string;
  readonly state: 'running' | 'passed' | 'failed';
  /** The end of its log, of a failed one. */
  readonly log?: string;
}

/** A review or comment at a pull request. */
export interface PullRemark {
  /** Ids of one kind ascend. */
  readonly kind: string;
  readonly id: number;
  readonly author: string;
  readonly text: string;
  /** The author may write to the repository. Remarks of others reach no agent. */
  readonly isTrusted: boolean;
}

/** A pull request as the forge shows it now. */
export interface PullLook {
  readonly number: number;
  readonly url: string;
  readonly state: PullFact['state'];
  readonly head: string;
  readonly checks: readonly PullCheck[];
  readonly remarks: readonly PullRemark[];
}

/**
 * Records what a pull request shows: its state, its checks, and remarks of people who may write to the repository, in
 * the log of the task. Nothing is recorded twice. The texts are foreign: a prompt shows them in a fence.
 */
export function recordPull(
  view: GraphView,
  id: string,
  look: PullLook,
  { forge, now }: { readonly forge: ForgeName; readonly now: number },
): Plan<PullFact> {
  const task = taskOf(view, id);
  const before = FORGE.of(task)?.pull;
  const known = before?.number === look.number ? before : undefined;
  const fresh = look.remarks.filter(({ kind, id: number }) => number > (known?.remarks[kind] ?? 0));
  const remarks = { ...known?.remarks };
  for (const { kind, id: number } of fresh) remarks[kind] = Math.max(remarks[kind] ?? 0, number);
  const pull: PullFact = {
    number: look.number,
    url: look.url,
    state: look.state,
    head: look.head,
    checks: stateOf(look.checks),
    ...(known?.told === undefined ? {} : { told: known.told }),
    reopened: known?.reopened ?? 0,
    remarks,
  };
  const entry = (actor: string, message: string): LogEntry => ({ timestamp: timestamp(now), actor, message });
  const log = [
    ...(known === undefined ? [entry('coordinator', `Pull request #${look.number}: ${look.url}`)] : []),
    ...(known !== undefined && known.state !== look.state
      ? [entry('coordinator', `Pull request #${look.number} is ${look.state}`)]
      : []),
    ...fresh
      .filter(({ isTrusted, text }) => isTrusted && text.trim() !== '')
      .map(({ author, text }) => entry(`${forge}:${cut(inert(author), 100)}`, foreign(text, FORGE_LIMITS.remarkBytes))),
  ];
  if (known !== undefined && log.length === 0 && JSON.stringify(known) === JSON.stringify(pull))
    return { events: [], result: pull };
  return { events: [factEvent(task, { pull }, log)], result: pull };
}

/**
 * Opens a task again whose pull request has failed checks, with the end of their logs. Once for each commit, and only
 * so often; then a person decides.
 */
export function reopenForChecks(view: GraphView, id: string, look: PullLook, now: number): Plan<boolean> {
  const task = taskOf(view, id);
  const pull = FORGE.of(task)?.pull;
  const failed = look.checks.filter(({ state }) => state === 'failed');
  const isNew = pull?.number === look.number && pull.told !== look.head && look.state === 'open';
  if (!pull || !isNew || failed.length === 0 || task.status !== 'done' || pull.reopened >= FORGE_LIMITS.reopenings)
    return { events: [], result: false };
  const names = failed.slice(0, FORGE_LIMITS.checksTold).map(({ name }) => cut(inert(name), 80));
  const reason = `${plural(failed.length, 'check')} of pull request #${look.number} failed: ${names.join(', ')}`;
  const opened = reopenTask(view, id, { now, by: { name: 'coordinator' }, reason });
  const room = Math.floor(FORGE_LIMITS.logBytes / names.length);
  const log = failed.slice(0, FORGE_LIMITS.checksTold).flatMap(({ name, log: words = '' }): LogEntry[] => {
    if (words.trim() === '') return [];
    const message = `${cut(inert(name), 80)} failed. The end of its log:\n${foreign(words, room)}`;
    return [{ timestamp: timestamp(now), actor: 'check', message }];
  });
  const told: PullFact = { ...pull, told: look.head, reopened: pull.reopened + 1 };
  const grown = opened.events
    .flatMap(({ patch }) => patch)
    .flatMap((part) => (part.id === id && 'log' in part ? (part.log ?? []) : []));
  return { events: [...opened.events, factEvent(task, { pull: told }, log, grown.length)], result: true };
}

/** Whether any failed, else whether any still runs. */
function stateOf(checks: readonly PullCheck[]): PullFact['checks'] {
  if (checks.length === 0) return 'none';
  if (checks.some(({ state }) => state === 'failed')) return 'failed';
  return checks.some(({ state }) => state === 'running') ? 'running' : 'passed';
}

/** The end of a foreign text: without secrets, control characters and more bytes than it may have. */
function foreign(text: string, most: number): string {
  const plain = inert(redact(text), true).trim();
  return plain.length <= most ? cutBytes(plain, most) : cutBytes(`…${plain.slice(1 - Math.floor(most / 4))}`, most);
}

/**
 * Changes facts about the issue of a task; those that are undefined now are removed. `grown` is the number of log
 * entries that events before this one add.
 */
export function factEvent(
  task: Task,
  change: { readonly [Name in keyof ForgeFact]?: ForgeFact[Name] | undefined },
  log: readonly LogEntry[] = [],
  grown = 0,
): EventDraft {
  const all = Object.entries({ ...FORGE.of(task), ...change });
  const forge = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const entries = log.length === 0 ? {} : { log_at: (task.log?.length ?? 0) + grown, log: [...log] };
  return { op: 'edit', task_id: task.id, actor: 'coordinator', patch: [{ id: task.id, set: { forge }, ...entries }] };
}
