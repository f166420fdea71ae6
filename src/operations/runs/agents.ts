import * as z from 'zod/mini';
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import { isTask, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { formatDuration, parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { refuseLandingRun } from '#operations/review/worktrees.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { ListedRun } from '#ports/run-host.js';

const row = z.object({
  id: z.string(),
  task_id: z.string(),
  executor: z.string(),
  pid: z.nullable(z.number()),
  status: z.string(),
  /** Seconds. */
  uptime: z.number(),
  started_at: z.string(),
  last_heartbeat: z.nullable(z.string()),
  /** Worker of the run; missing for a run on the leader's machine. */
  worker: z.optional(z.string()),
});

/** Lists the active runs; with `all`, also those that ended recently. */
export const agents = operation({
  name: 'agent.list',
  command: 'agents',
  group: 'Attempts',
  kind: 'read',
  summary: 'List the active runs and those that ended recently',
  examples: ['troupe agents', 'troupe agents --all --json'],
  input: z.strictObject({ all: option('Include all ended runs', z.optional(z.boolean())) }),
  output: z.object({ agents: z.array(row) }),
  async run(context: GraphContext, input) {
    const now = context.clock.now();
    const rows = (await listRuns(context)).filter((run) => input.all === true || isLiveStatus(run.status));
    return { agents: rows.map((run) => agentRow(run, now)).sort((left, right) => order(left.id, right.id)) };
  },
});

/** Runs known to the coordinator, and from the registry those that are settled or run without a coordinator. */
async function listRuns(context: Pick<Context, 'coordinator' | 'runs'>): Promise<readonly ListedRun[]> {
  const live = (await context.coordinator?.().agents()) ?? [];
  const ids = new Set(live.map(({ id }) => id));
  const listed = await (await context.runs()).listed();
  return [...listed.filter(({ id }) => !ids.has(id)), ...live];
}

/** Sorts agent-10 after agent-9. */
function order(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** A run as reported by the service; `uptime` in seconds. */
export function agentRow(row: ListedRun, now: number) {
  const { id, task_id, executor, pid, status, started_at, last_heartbeat, worker } = row;
  const uptime = Math.max(0, Math.round((now - Date.parse(started_at)) / 1_000));
  return {
    id,
    task_id,
    executor,
    pid: pid ?? null,
    status,
    uptime,
    started_at,
    last_heartbeat: last_heartbeat ?? null,
    ...(worker === undefined ? {} : { worker }),
  };
}

/** Converts the input of a caller to a request. Errors: `bad_input` for an invalid timeout. */
export function spawnRequest(wish: {
  readonly task_id: string;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
  readonly timeout?: string | undefined;
}): SpawnRequest {
  const { task_id: task, executor, model, timeout } = wish;
  return {
    task,
    ...(executor === undefined ? {} : { executor }),
    ...(model === undefined ? {} : { model }),
    ...(timeout === undefined ? {} : { timeoutMs: parseDuration(timeout) }),
  };
}

/**
 * Ends a run: through the coordinator if there is one, else through its folder, where the next coordinator finds the
 * reason.
 */
export const kill = operation({
  name: 'agent.kill',
  command: 'kill',
  group: 'Attempts',
  kind: 'write',
  scope: 'leader',
  summary: 'Stop a run and release its task',
  examples: ['troupe kill agent-7', 'troupe kill agent-7 --force'],
  input: z.strictObject({
    run: argument('The run, or its process id', z.string()),
    force: option('Kill it after 10 s if it does not stop', z.optional(z.boolean())),
  }),
  output: z.object({ run: z.string(), task: z.string(), signal: z.enum(['TERM', 'TERM, then KILL']) }),
  async run(context: GraphContext, { run: named, force = false }) {
    refuseLandingRun(context, 'stop another run');
    const signal = force ? ('TERM, then KILL' as const) : ('TERM' as const);
    const runs = await context.runs();
    const coordinator = context.coordinator?.();
    const pid = /^\d{1,10}$/.test(named) ? Number(named) : undefined;
    if (coordinator) {
      const ended = await coordinator.kill(pid ?? named);
      if (force) runs.end(ended.run, true).catch(() => undefined); // an answer does not wait ten seconds
      return { ...ended, signal };
    }
    const target = (await runs.listed()).find((row) => row.id === named || (pid !== undefined && row.pid === pid));
    if (!target || !(await runs.end(target.id, force)))
      throw new TroupeError('not_found', {
        what: `There is no active run ${named.slice(0, 60)}.`,
        hint: 'Run `troupe agents`.',
      });
    return { run: target.id, task: target.task_id, signal };
  },
});

const text = z.optional(z.string());

/** Starts a run of one task at once, with an ordinary claim. */
export const spawnRun = operation({
  name: 'agent.spawn',
  command: 'spawn',
  group: 'Attempts',
  kind: 'write',
  scope: 'leader',
  coordinator: true,
  summary: 'Start a run of a ready task now, even without a free slot',
  examples: ['troupe spawn write-the-parser', 'troupe spawn write-the-parser --executor codex --timeout 10m'],
  input: z.strictObject({
    id: TASK_ID,
    executor: option('The client to use', text, { value: 'NAME' }),
    model: option('The model to use', text, { value: 'MODEL' }),
    timeout: option('Its time limit', text, { value: 'DURATION' }),
  }),
  output: z.object({ agent_id: z.string(), pid: z.nullable(z.number()) }),
  async run(context: GraphContext, { id, ...wishes }) {
    refuseLandingRun(context, 'start another run');
    const coordinator = context.coordinator?.();
    if (!coordinator) throw new TroupeError('service_not_running');
    const { agent_id, pid } = await coordinator.spawn(spawnRequest({ task_id: id, ...wishes }));
    return { agent_id, pid: pid ?? null };
  },
});

/** Lists tasks in progress without an active run and without recent activity of a person, each with the reason. */
export const orphans = operation({
  name: 'agent.orphans',
  command: 'sweep',
  group: 'Attempts',
  kind: 'read',
  where: 'caller',
  unlisted: true,
  summary: 'List tasks in progress without an active run',
  examples: ['troupe sweep', 'troupe sweep --dry-run'],
  input: z.strictObject({}),
  output: z.object({
    orphans: z.array(z.object({ id: z.string(), title: z.string(), holder: z.string(), reason: z.string() })),
  }),
  async run(context: GraphContext) {
    const view = await (await context.graph()).view();
    const runs = await context.runs();
    const rows: { id: string; title: string; holder: string; reason: string }[] = [];
    for (const node of view.nodes()) {
      if (!isTask(node) || node.status !== 'in-progress') continue;
      const reason = await stallReason(node, runs, context.clock.now());
      if (reason !== undefined) rows.push({ id: node.id, title: node.title, holder: node.assigned ?? '', reason });
    }
    return { orphans: rows };
  },
});

/** Reason why no run or person can be working on a task in progress; undefined if one may be. */
export async function stallReason(task: Task, runs: RunFolders, now: number): Promise<string | undefined> {
  const { assigned } = task;
  if (assigned === undefined) return 'no one holds it';
  if (/^agent-\d{1,9}$/.test(assigned)) {
    // A run that recorded its exit is being settled: releasing its task would discard its work.
    return (await runs.state(assigned)) === 'gone' ? `${assigned} is not running` : undefined;
  }
  const lastActivity = lastActivityOf(task);
  if (lastActivity === undefined || now - lastActivity <= WORK_LIMITS.personLeaseMs) return undefined;
  return `${assigned} has shown no sign of life for ${formatDuration(now - lastActivity)}`;
}

/** Time of the last activity; each change at the task renews the claim of a person. */
function lastActivityOf(task: Task): number | undefined {
  const times = [task.started_at, ...(task.log ?? []).slice(-1).map(({ timestamp }) => timestamp)];
  const moments = times
    .map((time) => (typeof time === 'string' ? timeOf(time) : Number.NaN))
    .filter((time) => time > 0);
  return moments.length === 0 ? undefined : Math.max(...moments);
}
