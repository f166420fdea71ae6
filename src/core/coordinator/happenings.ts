import * as z from 'zod/mini';
import { acceptedOf } from '#core/graph/acceptance.js';
import { asksPerson } from '#core/graph/asks-person.js';
import { HUMAN } from '#core/graph/assignee.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { readiness } from '#core/graph/ready.js';
import { isStatus, isTask, isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import { REVIEW_TASK } from '#core/graph/team-work.js';
import { timeOf } from '#core/graph/time.js';
import { trialOf } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import { workflowMark, workflowOutcome } from '#core/playbooks/outcome.js';

/** Kinds of things that people are told. */
export const HAPPENING_KINDS = ['review', 'question', 'failed', 'plan', 'budget'] as const;
export type HappeningKind = (typeof HAPPENING_KINDS)[number];

/** Schema of a happening, as it is stored until a notice has told it. */
export const happeningShape = z.object({
  kind: z.enum(HAPPENING_KINDS),
  /** Id of the task, name of the run of a playbook, or name of the cap. */
  about: z.string(),
  /** `seq` of the entry it follows from. */
  seq: z.number(),
  /** In milliseconds. */
  at: z.number(),
  /** Outcome of a run, or amounts under a cap; empty for a task, whose words are read when it is told. */
  detail: z.string(),
});

/** Something that needs a person, or that a person waits for. */
export type Happening = z.infer<typeof happeningShape>;

/** Tasks of each run of a workflow. Read from the graph once, then kept up to date with the log. */
export class WorkflowRunIndex {
  private readonly tasks = new Map<string, Set<string>>();

  constructor(view: GraphView) {
    for (const node of view.nodes()) if (isTask(node)) this.add(node);
  }

  add(task: Task): void {
    const run = workflowMark(task)?.run;
    if (run === undefined) return;
    const ids = this.tasks.get(run);
    if (ids) ids.add(task.id);
    else this.tasks.set(run, new Set([task.id]));
  }

  of(run: string, view: GraphView): readonly Task[] {
    return [...(this.tasks.get(run) ?? [])].flatMap((id) => view.task(id) ?? []);
  }
}

/** Things that follow from an entry of the log, judged by the present graph. */
export function happeningsIn(entry: Entry, view: GraphView, runs: WorkflowRunIndex, now: number): Happening[] {
  const found: Happening[] = [];
  const at = timeOf(entry.timestamp) || now;
  const add = (kind: HappeningKind, about: string, detail = '') =>
    found.push({ kind, about, seq: entry.seq, at, detail });
  for (const patch of entry.patch) {
    if ('del' in patch) continue;
    const fields: NodeFields = 'put' in patch ? patch.put : (patch.set ?? {});
    if (fields['kind'] === 'formation' && fields['state'] === 'ended')
      add('plan', String(fields['run']), String(fields['outcome'] ?? 'ended'));
    const task = view.task(patch.id);
    if (!task) continue;
    if ('put' in patch) runs.add(task);
    const { status } = fields;
    if (mayAskReview(patch, fields) && isReview(task)) add('review', task.id);
    if (status === 'waiting' && asksPerson(task)) add('question', task.id);
    if (status === 'failed' && task.status === 'failed' && trialOf(task) === undefined) add('failed', task.id);
    if (mayBecomeReady(patch, fields) && isForPerson(view, task.id, now)) add('question', task.id);
    if (!isStatus(status) || !isTerminal(status)) continue;
    for (const id of view.dependents(task.id)) if (isForPerson(view, id, now)) add('question', id);
    const run = workflowMark(task)?.run;
    const outcome = run === undefined ? 'running' : workflowOutcome(view, runs.of(run, view));
    if (run !== undefined && outcome !== 'running') add('plan', run, outcome);
  }
  return found;
}

/** Whether it still needs to be told: it was not decided, answered or retried meanwhile. */
export function isStillSo(view: GraphView, { kind, about }: Happening): boolean {
  const task = view.task(about);
  switch (kind) {
    case 'review':
      return task !== undefined && isReview(task);
    case 'question':
      return task !== undefined && (asksPerson(task) || (task.status === 'open' && HUMAN.of(task) === true));
    case 'failed':
      return task?.status === 'failed';
    default:
      return true;
  }
}

/** Whether a person has to review it: no agent was asked to, and it is not approved already. */
function isReview(task: Task): boolean {
  return task.status === 'pending-validation' && REVIEW_TASK.of(task) === undefined && acceptedOf(task) === undefined;
}

function mayAskReview(patch: Exclude<Patch, { readonly del: true }>, fields: NodeFields): boolean {
  return fields['status'] === 'pending-validation' || unsets(patch, REVIEW_TASK.name);
}

/** Whether a patch may be why a task of a person is ready; a note on a task that was ready before is not. */
function mayBecomeReady(patch: Exclude<Patch, { readonly del: true }>, fields: NodeFields): boolean {
  return 'put' in patch || fields['status'] === 'open' || unsets(patch, 'paused');
}

function unsets(patch: Exclude<Patch, { readonly del: true }>, field: string): boolean {
  return !('put' in patch) && patch.unset?.includes(field) === true;
}

function isForPerson(view: GraphView, id: string, now: number): boolean {
  const task = view.task(id);
  return task?.status === 'open' && HUMAN.of(task) === true && readiness(view, id, now).ready;
}
