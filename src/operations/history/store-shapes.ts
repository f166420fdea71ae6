import * as z from 'zod/mini';
import { type Departed, departedNodes } from '#core/graph/departed.js';
import { isTask, type Task } from '#core/graph/task.js';
import { parseAge } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { byId } from '#kernel/order.js';
import { plural } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';

const rowShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  completed_at: z.optional(z.string()),
});

/** Output of commands that remove tasks from the graph, restore them or list removed ones. */
export const movedOutShape = z.object({
  action: z.enum(['moved', 'preview', 'listed', 'restored']),
  tasks: z.array(rowShape),
  /** Total number of tasks; `tasks` may contain fewer. */
  total: z.number(),
  seq: z.number(),
  events: z.array(z.object({ seq: z.number(), op: z.string(), task_id: z.optional(z.string()) })),
});

type MovedOut = z.infer<typeof movedOutShape>;

const NAMED = 5;
/** Commands that change many tasks at once: what they do to a task, and the flag that only shows it. */
const BULK = {
  archive: ['archived', '--dry-run'],
  gc: ['removed', '--dry-run'],
  replay: ['opened again', '--plan-only'],
} as const;

/** Error that asks for a confirmation before tasks that no id names are changed; the flag `yes` gives it. */
export function askFirst(command: keyof typeof BULK, ids: readonly string[]): TroupeError {
  const [done, preview] = BULK[command];
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
  return new TroupeError('confirmation_needed', {
    what: `${plural(ids.length, 'task')} would be ${done}: ${ids.slice(0, NAMED).join(', ')}${more}.`,
    hint: `Check with \`troupe ${command} ${preview}\`, then confirm with \`troupe ${command} -y\`.`,
    details: { count: ids.length },
  });
}

export function taskRows(tasks: readonly Task[]) {
  return [...tasks].sort(byId).map(({ id, title, status, completed_at }) => ({
    id,
    title,
    status,
    ...(completed_at === undefined ? {} : { completed_at }),
  }));
}

/** Output of a command that changed nothing. */
export function previewAnswer(
  action: MovedOut['action'],
  tasks: readonly Task[],
  seq: number,
  total = tasks.length,
): MovedOut {
  return { action, tasks: taskRows(tasks), total, seq, events: [] };
}

/** Output of a command that made changes. */
export function changeAnswer(action: MovedOut['action'], tasks: readonly Task[], commit: Commit<unknown>): MovedOut {
  const events = commit.entries.map(({ seq, op, task_id }) => ({
    seq,
    op,
    ...(task_id === undefined ? {} : { task_id }),
  }));
  return { action, tasks: taskRows(tasks), total: tasks.length, seq: commit.seq, events };
}

/** Time limit of `--older D`, in milliseconds. */
export function momentBefore(context: Pick<Context, 'clock'>, older: string | undefined): number | undefined {
  return older === undefined ? undefined : context.clock.now() - parseAge(older);
}

/** Refuses maintenance by a run. Errors: `not_yours`. */
export function refuseTidyingRun(context: Pick<Context, 'caller'>, what: string): void {
  if (context.caller.kind !== 'run') return;
  throw new TroupeError('not_yours', { what: `A run may not ${what}: only a person may.` });
}

/** Refuses mutually exclusive flags. Errors: `usage`. */
export function onlyOneOf(...flags: readonly (readonly [name: string, said: unknown])[]): void {
  const names = flags.filter(([, value]) => value !== undefined && value !== false).map(([name]) => name);
  if (names.length > 1) throw new TroupeError('usage', { what: `Use ${names.join(' or ')}, not both.` });
}

/** Returns removed tasks as stored in the log. Reads the log from the first to the last of their events. */
export async function departedTasks(store: GraphStore, departed: readonly Departed[]): Promise<Task[]> {
  const seqs = new Map(departed.map(({ id, seq }) => [id, seq]));
  const tasks: Task[] = [];
  if (seqs.size === 0) return tasks;
  const [first, last] = [...seqs.values()].reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [Number.POSITIVE_INFINITY, 0],
  );
  for await (const entry of store.entries(first, last)) {
    for (const node of departedNodes(entry)) if (isTask(node) && seqs.get(node.id) === entry.seq) tasks.push(node);
  }
  return tasks;
}
