// Operations that wait for a person: those that touch their proposer, and those that a replay did not show to be
// better.
import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';
import { addTask } from '#core/graph/add.js';
import { applyDraft } from '#core/graph/consequences.js';
import type { EventDraft } from '#core/graph/event.js';
import { EVOLUTION_TAG, proposalTask } from '#core/graph/evolve-review.js';
import { abandonTask, doneTask, type MoveOptions } from '#core/graph/moves.js';
import { approveTask } from '#core/graph/review.js';
import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import type { Json } from '#kernel/json.js';
import type { MadeEntity, OperationOutcome } from './evolve.js';

export const WAITING_STATES = ['pending', 'approved', 'rejected'] as const;

/** An operation that a person decides about, as stored in `deferred/ID.yaml`. */
export interface WaitingOperation {
  readonly id: string;
  readonly run: string;
  readonly index: number;
  /** `deferred`: nothing was created. `held`: created, but not usable yet. */
  readonly status: 'deferred' | 'held';
  readonly reason: string;
  readonly operation: Json;
  readonly rationale: string;
  readonly target_ids: readonly string[];
  readonly made: readonly MadeEntity[];
  /** Task that asks a person; null without a graph. */
  readonly task_id: string | null;
  readonly since: string;
  readonly state: (typeof WAITING_STATES)[number];
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

const text = z.string();
const SCHEMA = z.object({
  id: text,
  run: text,
  index: z.number(),
  status: z.enum(['deferred', 'held']),
  reason: text,
  operation: z.unknown(),
  rationale: text,
  target_ids: z.array(text),
  made: z.array(z.object({ kind: z.enum(['role', 'tradeoff', 'agent']), id: text, name: text })),
  task_id: z.nullable(text),
  since: text,
  state: z.enum(WAITING_STATES),
  decided_by: z.nullable(text),
  decided_at: z.nullable(text),
});

/** Parses a stored operation; undefined if it is invalid. */
export function waitingOf(id: string, value: unknown): WaitingOperation | undefined {
  const { data } = SCHEMA.safeParse(value);
  return data === undefined || data.id !== id ? undefined : { ...data, operation: data.operation as Json };
}

export function waitingText(waiting: WaitingOperation): string {
  return recordText({ ...waiting });
}

/** Operations of a run that now wait for a person. */
export function waitingIn(
  run: string,
  outcomes: readonly OperationOutcome[],
  now: number,
  graph: boolean,
): WaitingOperation[] {
  return outcomes.flatMap(({ status, index, raw, reason, rationale, target_ids, made }): WaitingOperation[] => {
    if (status !== 'deferred' && status !== 'held') return [];
    const id = `${run}-op${index}`;
    return [
      {
        id,
        run,
        index,
        status,
        reason,
        operation: raw,
        rationale,
        target_ids,
        made,
        task_id: graph ? proposalTask(id) : null,
        since: timestamp(now),
        state: 'pending',
        decided_by: null,
        decided_at: null,
      },
    ];
  });
}

/** Tasks that ask a person, one for each operation. */
export function reviewTasks(view: GraphView, waiting: readonly WaitingOperation[], options: MoveOptions): EventDraft[] {
  return waiting.flatMap(({ id, task_id, status, reason, operation, target_ids }) => {
    if (task_id === null) return [];
    const what = status === 'held' ? 'a change not shown to be better' : 'a change of its proposer';
    const draft = {
      id: task_id,
      title: `Decide on ${what}`,
      description: `${reason}\n\nTargets: ${target_ids.join(', ')}\n\n${JSON.stringify(operation, undefined, 2)}`,
      verify: `A person has run \`troupe evolve review ${id} --approve\` or \`troupe evolve review ${id} --reject\`.`,
      tags: [EVOLUTION_TAG],
    };
    const { events } = addTask(view, draft, { now: options.now, actor: options.by.name });
    return events.map((event) => ({
      ...event,
      patch: event.patch.map((patch) => ('put' in patch ? { ...patch, put: { ...patch.put, human: true } } : patch)),
    }));
  });
}

/** Closes the task of a decided operation in any status: the decision is the review. */
export function closeReview(
  view: GraphView,
  { task_id }: WaitingOperation,
  approved: boolean,
  options: MoveOptions,
): EventDraft[] {
  const task = task_id === null ? undefined : view.task(task_id);
  if (task === undefined || isTerminal(task.status)) return [];
  if (!approved) return [...abandonTask(view, task.id, options).events];
  const draft = view.fork();
  const submitted =
    task.status === 'pending-validation' ? [] : doneTask(draft, task.id, { ...options, force: true }).events;
  for (const event of submitted) applyDraft(draft, event);
  return [...submitted, ...approveTask(draft, task.id, { ...options, by: { name: 'coordinator' } }).events];
}
