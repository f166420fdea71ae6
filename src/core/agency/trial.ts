// Trials: finished tasks redone by attempts of a client. Decides which tasks qualify and in which order, and adds them
// to the graph.
import { type TrialIdentity, trialRecords } from '#core/agency/trial-identity.js';
import { addTask } from '#core/graph/add.js';
import { AGENT, HUMAN } from '#core/graph/assignee.js';
import type { Plan } from '#core/graph/event.js';
import { evidenceOf } from '#core/graph/evidence.js';
import { isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import { trialId } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';
import type { ReplaySide } from './replay-record.js';

/** Base commit from which a client can redo a finished task; or the reason why only text is possible. */
export type TrialBasis = { readonly base: string } | { readonly textOnly: string };

/**
 * Decides whether a finished task can be redone by attempts: a client must have done it with files, from a recorded
 * commit. `isAssigned`: its agent still exists.
 */
export function trialBasis(task: Task, isAssigned: boolean): TrialBasis {
  const { base } = evidenceOf(task);
  if (task.exec !== undefined || task.exec_mode === 'shell')
    return { textOnly: 'It was done by a command, not a client.' };
  if (HUMAN.of(task) === true) return { textOnly: 'It was done by a person.' };
  if (task.conversation !== undefined || task.team !== undefined)
    return { textOnly: 'It belongs to a conversation or a team, which is not repeated.' };
  if (!isAssigned) return { textOnly: 'Its agent no longer exists.' };
  if (base === undefined) return { textOnly: 'Its base commit is not recorded.' };
  return { base };
}

/** Order of the two sides, determined by the seed; hidden from those that do or judge the work. */
export function trialOrder(seed: string, task: string): readonly [ReplaySide, ReplaySide] {
  return Number.parseInt(sha256(`${seed} ${task} order`).slice(0, 8), 16) % 2 === 0
    ? ['parent', 'child']
    : ['child', 'parent'];
}

interface TrialOptions {
  readonly base: string;
  readonly identity: TrialIdentity;
  /** Unique name; it does not reveal whose work it is. */
  readonly name: string;
  readonly now: number;
  readonly actor: string;
}

/** Adds a task as a trial: same request, a given identity and base commit. No other task depends on it. */
export function addTrial(view: GraphView, task: Task, wish: TrialOptions): Plan<{ readonly id: string }> {
  const { title, description, verify, skills, deliverables, inputs } = task;
  const draft = {
    id: trialId(sha256(wish.name).slice(0, 12)),
    title,
    skills,
    deliverables,
    inputs,
    visibility: 'internal',
    // It is part of the description: as `verify` it would request a person's review.
    description: [description, verify].filter((text) => text !== undefined).join('\n\n'),
    after: (task.after ?? []).filter((id) => isTerminal(view.task(id)?.status ?? 'open')),
    exec_mode: task.exec_mode,
    context_scope: task.context_scope,
    timeout: task.timeout,
    model: task.model,
    provider: task.provider,
    verify_cmd: task.verify_cmd,
    require_commit: task.require_commit,
    member: task.member,
    agent: AGENT.of(task),
  };
  const { base, identity } = wish;
  const { role, tradeoff } = trialRecords(identity);
  const trial = { base, ...(role ? { role } : {}), ...(tradeoff ? { tradeoff } : {}) };
  const plan = addTask(view, draft, { now: wish.now, actor: wish.actor, ownId: true });
  const { id } = plan.result;
  const asTrial = ({ tags: _, ...fields }: NodeFields) => ({ ...fields, trial }); // tags could delay it
  const events = plan.events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) => ('put' in patch ? { ...patch, put: asTrial(patch.put) } : patch)),
  }));
  return { events, result: { id } };
}

/** Whether the trial has ended, with any outcome. */
export function isTrialOver({ status }: Task): boolean {
  return status !== 'open' && status !== 'in-progress';
}
