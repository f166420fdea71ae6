// A finished task done once more by attempts of a client: which can be, in what order, and as which tasks of the graph.
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

/** The commit from which a client can do a finished task once more; or why it can be done again only in text. */
export type TrialBasis = { readonly base: string } | { readonly textOnly: string };

/**
 * Whether attempts at a finished task can be repeated: somebody who is here did it with files, from a commit that is on record.
 * `isAssigned`: whom it was for is here.
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

/** Who of the two goes first: the same for the same seed, and told to nobody who does or judges the work. */
export function trialOrder(seed: string, task: string): readonly [ReplaySide, ReplaySide] {
  return Number.parseInt(sha256(`${seed} ${task} order`).slice(0, 8), 16) % 2 === 0
    ? ['parent', 'child']
    : ['child', 'parent'];
}

interface TrialWish {
  readonly base: string;
  readonly identity: TrialIdentity;
  /** What nobody was called before; it says nothing of whose work it is. */
  readonly name: string;
  readonly now: number;
  readonly actor: string;
}

/** The task as a trial: what was asked for, by whom it is tried, and where it begins. It holds nothing up, and nobody waits for it. */
export function addTrial(view: GraphView, task: Task, wish: TrialWish): Plan<{ readonly id: string }> {
  const { title, description, verify, skills, deliverables, inputs } = task;
  const draft = {
    id: trialId(sha256(wish.name).slice(0, 12)),
    ...{ title, skills, deliverables, inputs, visibility: 'internal' },
    // It is what is looked at; as a review of its own it would ask a person.
    description: [description, verify].filter((text) => text !== undefined).join('\n\n'),
    after: (task.after ?? []).filter((id) => isTerminal(view.task(id)?.status ?? 'open')),
    ...{ exec_mode: task.exec_mode, context_scope: task.context_scope, timeout: task.timeout },
    ...{ model: task.model, provider: task.provider, verify_cmd: task.verify_cmd },
    ...{ require_commit: task.require_commit, member: task.member, agent: AGENT.of(task) },
  };
  const { base, identity } = wish;
  const { role, tradeoff } = trialRecords(identity);
  const trial = { base, ...(role ? { role } : {}), ...(tradeoff ? { tradeoff } : {}) };
  const plan = addTask(view, draft, { now: wish.now, actor: wish.actor, ownId: true });
  const { id } = plan.result;
  const asTrial = ({ tags: _, ...fields }: NodeFields) => ({ ...fields, trial }); // no tag makes anybody wait for its score
  const events = plan.events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) => ('put' in patch ? { ...patch, put: asTrial(patch.put) } : patch)),
  }));
  return { events, result: { id } };
}

/** Is nobody at work on it any more, whatever came of it? */
export function isTrialOver({ status }: Task): boolean {
  return status !== 'open' && status !== 'in-progress';
}
