import { existsSync } from 'node:fs';
import type { EndReason, RunExit, RunFact } from '#core/coordinator/snapshot.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RunPlan } from '#ports/run-host.js';
import { type ClientResult, type Heartbeat, HeartbeatFile, readResult } from './client-files.js';
import type { RunEnds } from './run-ends.js';
import type { RunFolder, RunPid, RunRecord } from './run-folder.js';

/** State of a run that has not been forgotten. */
export interface LiveRun {
  readonly plan: Pick<RunPlan, 'id' | 'taskId' | 'fence' | 'startedAt' | 'timeoutMs' | 'executor'>;
  readonly record: Partial<RunRecord>;
  readonly folder: RunFolder;
  /** Whether the launcher of this service was asked for it; such a run may still be about to begin. */
  readonly requested: boolean;
  pid: number | undefined;
  /** Its process according to its record, kept because the record may be removed while it runs. */
  process?: RunPid;
  outputBytes: number;
  alive: boolean;
  started: boolean;
  exit?: RunExit;
  startError?: string;
  ended?: EndReason;
  grace?: NodeJS.Timeout;
  /** Last time its process was seen running (not stopped), in milliseconds. */
  seenAt: number;
  stopped: boolean;
  readonly pulse?: HeartbeatFile;
  heartbeat?: Heartbeat;
  /** Time on our clock at which we first saw that heartbeat: its own times are from the clock of its machine. */
  heartbeatSeenAt?: number;
  result?: ClientResult;
}

/** A run that this service starts. */
export function newRun(plan: LiveRun['plan'], folder: RunFolder, record: Partial<RunRecord>, now: number): LiveRun {
  return { ...blank(plan, folder, record, now), requested: true, alive: true, started: true };
}

/** A run of a previous service, before its process was checked. Without a record, its claim counts as its start. */
export function adoptedRun(
  folder: RunFolder,
  claim: { id: string; taskId: string; fence: number; startedAt: number },
  record: RunRecord | undefined,
  now: number,
): LiveRun {
  const ended = folder.ended();
  const plan = {
    id: claim.id,
    taskId: claim.taskId,
    fence: claim.fence,
    startedAt: record?.started_at ?? claim.startedAt,
    timeoutMs: record?.timeout_ms ?? WORK_LIMITS.taskTimeoutMs,
    ...(record?.executor === undefined ? {} : { executor: record.executor }),
  };
  return { ...blank(plan, folder, record ?? {}, now), ...(ended ? { ended } : {}) };
}

function blank(plan: LiveRun['plan'], folder: RunFolder, record: Partial<RunRecord>, now: number): LiveRun {
  return {
    plan,
    record,
    folder,
    requested: false,
    pid: undefined,
    outputBytes: 0,
    alive: false,
    started: false,
    seenAt: Math.max(plan.startedAt, now),
    stopped: false,
    ...(plan.executor === undefined ? {} : { pulse: new HeartbeatFile(folder.folder) }),
  };
}

/** Recorded end of a run; if its folder is gone, the end recorded in the file of ends. */
export function recordedExit({ folder, plan }: LiveRun, ends: RunEnds): RunExit | undefined {
  const exit = folder.exit(plan.startedAt || undefined);
  return exit || existsSync(folder.folder) ? exit : ends.exitOf(plan);
}

/**
 * End of a run as recorded by its shell. If the run program of a client left no result, it was killed, so there is no
 * verdict.
 */
export function exitOf(run: LiveRun, exit: RunExit | undefined): RunExit | undefined {
  if (exit === undefined || run.plan.executor === undefined) return exit;
  const result = readResult(run.folder.folder);
  if (result === undefined) return undefined;
  run.result = result;
  // A signal that we did not send killed the client before its final result: the run died, and there is no verdict.
  const killed = result.signal !== undefined && run.ended === undefined && result.trouble === undefined;
  return killed && result.outcome === 'failed' ? undefined : exit;
}

export function factOf(run: LiveRun, leaseMs: number): RunFact {
  const { plan, heartbeat, result } = run;
  const lease = runLease(run, leaseMs);
  return {
    id: plan.id,
    taskId: plan.taskId,
    fence: plan.fence,
    startedAt: plan.startedAt,
    timeoutMs: plan.timeoutMs,
    alive: run.alive,
    started: run.started,
    outputBytes: run.outputBytes,
    ...(plan.executor === undefined ? {} : { executor: plan.executor }),
    ...(run.record.silent_end === 'ask' ? { silentEnd: 'ask' as const } : {}),
    ...(run.record.model === undefined ? {} : { model: run.record.model }),
    ...(run.record.branch === undefined ? {} : { branch: run.record.branch }),
    ...progressOf(run),
    ...(heartbeat === undefined ? {} : { turns: heartbeat.turns }),
    ...(heartbeat?.usage === undefined ? {} : { usage: heartbeat.usage }),
    ...(lease === undefined ? {} : { leaseUntil: lease }),
    ...(result ? { result } : {}),
    ...(run.exit ? { exit: run.exit } : {}),
    ...(run.startError ? { startError: run.startError } : {}),
    ...(run.ended ? { ended: run.ended } : {}),
  };
}

/**
 * End of the lease: for a run of a client one term after its last heartbeat; for a command only while its process is
 * stopped, otherwise undefined.
 */
export function runLease(run: LiveRun, leaseMs: number): number | undefined {
  return run.plan.executor !== undefined || run.stopped ? run.seenAt + leaseMs : undefined;
}

/** Stores the current heartbeat with the time it was first seen. */
export function takeHeartbeat(run: LiveRun, now: number): void {
  const heartbeat = run.pulse?.read();
  if (heartbeat === undefined || heartbeat.at === run.heartbeat?.at) return;
  Object.assign(run, { heartbeat, heartbeatSeenAt: now, seenAt: now });
}

/**
 * Time of the client's last progress, translated to our clock: the age that its machine's clock gives, subtracted from
 * the time we saw the heartbeat.
 */
function progressOf({ heartbeat, heartbeatSeenAt }: LiveRun): Pick<RunFact, 'progressAt'> {
  if (heartbeat?.progressAt === undefined || heartbeatSeenAt === undefined) return {};
  return { progressAt: heartbeatSeenAt - Math.max(0, heartbeat.at - heartbeat.progressAt) };
}

/** Reports a foreign record in the folder of an ended run, because the record of another run cannot settle this one. */
export function reportForeignRecord(run: LiveRun): void {
  const stranger = run.alive || run.exit ? undefined : run.folder.foreignRecord();
  if (stranger !== undefined) run.startError = stranger;
}
