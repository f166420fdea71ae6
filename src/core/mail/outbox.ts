import * as z from 'zod/mini';
import { type AddContext, addTask, type TaskDraft } from '#core/graph/add.js';
import { submitTask } from '#core/graph/deliverable.js';
import type { Plan } from '#core/graph/event.js';
import { messageTask } from '#core/graph/message.js';
import { abandonTask, doneTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';
import { holdWork } from '#core/graph/team-hold.js';
import { reportTask } from '#core/graph/unmerged.js';
import type { GraphView } from '#core/graph/view.js';

const text = z.optional(z.string());
const texts = z.optional(z.readonly(z.array(z.string())));

/** A message about a task; wakes the task if it waits for one. */
const MESSAGE_ARGS = z.strictObject({
  task_id: z.string(),
  from: z.string(),
  kind: z.enum(['person', 'run', 'coordinator']),
  number: z.number(),
});

/** A task whose id was chosen with the change. It has no command: only people give commands, to the graph itself. */
const ADDED = z.strictObject({
  created_by: z.string(),
  task: z.strictObject({
    id: z.string(),
    title: z.string(),
    description: text,
    after: texts,
    after_success: texts,
    tags: texts,
    skills: texts,
    agent: text,
    member: text,
    team: text,
    verify: text,
    max_rejections: z.optional(z.number()),
    paused: z.optional(z.boolean()),
    timeout: text,
    parent: text,
    human: z.optional(z.literal(true)),
    plan_required: z.optional(z.literal(true)),
    plan_of: text,
    exec_mode: z.optional(z.literal('light')),
    conversation: text,
  }),
});

/** The task that makes the plan of a team. It always has the same command, which no other row can set. */
const PLANNED = z.strictObject({
  created_by: z.string(),
  task: z.strictObject({
    id: z.string(),
    title: z.string(),
    team: z.string(),
    version: z.number(),
    tries: z.number(),
    member: text,
    agent: text,
  }),
});
const PLAN_COMMAND = '"$TROUPE_BIN" team plan-work "$IN_TEAM" "$IN_VERSION" "$IN_TRY" --quiet';

/** A deliverable for a team's work, submitted by the holder of the claim. */
const SUBMITTED = z.strictObject({
  task_id: z.string(),
  by: z.union([
    z.strictObject({ name: z.string() }),
    z.strictObject({ name: z.string(), fence: z.number(), taskId: z.string() }),
  ]),
  artifact: z.string(),
  title: z.string(),
  sha256: z.string(),
  summary: z.string(),
  evidence: z.record(z.string(), z.unknown()),
});
/** A run reported its task as done. The task completes when the run ends, by the usual rules for reports. */
const REPORTED = z.strictObject({ task_id: z.string(), by: z.string(), fence: z.number() });
/** A person completed the task. */
const DONE = z.strictObject({ task_id: z.string(), by: z.string() });
const ABANDONED = z.strictObject({ task_id: z.string(), reason: z.string() });

/** A team ended: no more of its work starts. */
const HELD = z.strictObject({ team: z.string(), by: z.string(), reason: z.string() });

const ARGS = {
  'task.message': MESSAGE_ARGS,
  'task.add': ADDED,
  'task.plan-team': PLANNED,
  'task.submit': SUBMITTED,
  'task.report': REPORTED,
  'task.done': DONE,
  'task.abandon': ABANDONED,
  'team.hold': HELD,
} as const;
export type OutboxOp = keyof typeof ARGS;
export const OUTBOX_OPS = Object.keys(ARGS) as readonly OutboxOp[];

/** A row written in the same transaction as the change it belongs to. The graph recognises a repeated row by its id. */
export type OutboxRow = {
  readonly id: string;
} & { [Op in OutboxOp]: { readonly op: Op; readonly args: z.infer<(typeof ARGS)[Op]> } }[OutboxOp];

/** Parses a stored row; undefined if its arguments do not match the operation. */
export function outboxRow(id: string, op: OutboxOp, args: unknown): OutboxRow | undefined {
  const parsed = ARGS[op].safeParse(args);
  return parsed.success ? ({ id, op, args: parsed.data } as OutboxRow) : undefined;
}

/** Plans the graph change of a row. The row id is the request id, so repeating it has no effect. */
export function planOf(view: GraphView, row: OutboxRow, now: number): Plan<unknown> {
  switch (row.op) {
    case 'task.message':
      return messageTask(view, row.args.task_id, { message_id: row.id, ...row.args });
    case 'task.submit': {
      const { task_id, by, evidence, ...deliverable } = row.args;
      return submitTask(view, task_id, deliverable, { now, by, evidence });
    }
    case 'task.add':
      return added(view, row.args.task, { now, actor: row.args.created_by });
    case 'task.plan-team': {
      const { version, tries, ...task } = row.args.task;
      const environment = { IN_TEAM: task.team, IN_VERSION: String(version), IN_TRY: String(tries) };
      return added(view, { ...task, exec: PLAN_COMMAND, environment }, { now, actor: row.args.created_by });
    }
    case 'task.report': {
      const { task_id: taskId, by: name, fence } = row.args;
      return reportTask(view, taskId, { now, by: { name, fence, taskId }, evidence: {} });
    }
    case 'task.done':
      return doneTask(view, row.args.task_id, { now, by: { name: row.args.by } });
    case 'task.abandon': {
      const task = view.task(row.args.task_id);
      if (task && isTerminal(task.status)) return { events: [], result: undefined };
      return abandonTask(view, row.args.task_id, { now, by: { name: 'coordinator' }, reason: row.args.reason });
    }
    case 'team.hold': {
      const { team, by, reason } = row.args;
      return holdWork(view, team, { now, by: { name: by }, reason, stop: false });
    }
  }
}

/** Adds a task under a reserved id, which no other caller can choose. */
function added(view: GraphView, task: TaskDraft & { readonly id: string }, context: AddContext): Plan<unknown> {
  // A process killed before it recorded the result may retry after its request id was forgotten; the task id is not
  // forgotten.
  if (view.wasUsed(task.id)) return { events: [], result: undefined };
  return addTask(view, task, { ...context, ownId: true });
}
