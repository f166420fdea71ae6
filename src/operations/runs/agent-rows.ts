import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import { parseDuration } from '#kernel/duration.js';
import type { ListedRun } from '#ports/run-host.js';

/** A run as the service tells of it; `uptime` in seconds. */
export function agentRow(row: ListedRun, now: number) {
  const { id, task_id, executor, pid, status, started_at, last_heartbeat } = row;
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
  };
}

/** Errors: `bad_duration`, as for a task's own time box. */
export function spawnRequest(asked: {
  readonly task_id: string;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
  readonly timeout?: string | undefined;
}): SpawnRequest {
  const { task_id: task, executor, model, timeout } = asked;
  return {
    task,
    ...(executor === undefined ? {} : { executor }),
    ...(model === undefined ? {} : { model }),
    ...(timeout === undefined ? {} : { timeoutMs: parseDuration(timeout) }),
  };
}
