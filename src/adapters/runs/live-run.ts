import { existsSync } from 'node:fs';
import type { EndReason, RunExit, RunFact } from '#core/coordinator/snapshot.js';
import { LIMITS } from '#kernel/limits.js';
import type { RunPlan } from '#ports/run-host.js';
import { type ClientResult, type Heartbeat, HeartbeatFile, readResult } from './client-files.js';
import type { RunEnds } from './run-ends.js';
import type { RunFolder, RunPid, RunRecord } from './run-folder.js';

/** What is known of a run that is not forgotten. */
export interface LiveRun {
  readonly plan: Pick<RunPlan, 'id' | 'taskId' | 'fence' | 'startedAt' | 'timeoutMs' | 'executor'>;
  readonly record: Partial<RunRecord>;
  readonly folder: RunFolder;
  /** Asked of our launcher in this life; such a run may still be about to begin. */
  readonly requested: boolean;
  pid: number | undefined;
  /** Its process as its record told it: the record may be removed while it runs. */
  process?: RunPid;
  outputBytes: number;
  alive: boolean;
  started: boolean;
  exit?: RunExit;
  startError?: string;
  ended?: EndReason;
  grace?: NodeJS.Timeout;
  /** Milliseconds: when its process was last seen at work, not stopped. */
  seenAt: number;
  stopped: boolean;
  readonly pulse?: HeartbeatFile;
  heartbeat?: Heartbeat;
  /** When we first saw that heartbeat: its own moments are of the clock of its machine. */
  heartbeatSeenAt?: number;
  result?: ClientResult;
}

/** A run that this life asks for. */
export function newRun(plan: LiveRun['plan'], folder: RunFolder, record: Partial<RunRecord>, now: number): LiveRun {
  return { ...blank(plan, folder, record, now), requested: true, alive: true, started: true };
}

/** A run of an earlier life, before anybody looked whether it lives. Where its record was removed, it began with its claim. */
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
    timeoutMs: record?.timeout_ms ?? LIMITS.taskTimeoutMs,
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

/** What a run's own record says of its end, or where that is gone the line it left elsewhere. */
export function recordedExit({ folder, plan }: LiveRun, ends: RunEnds): RunExit | undefined {
  const exit = folder.exit(plan.startedAt || undefined);
  return exit || existsSync(folder.folder) ? exit : ends.exitOf(plan);
}

/**
 * How a run ended, as its shell recorded it. A client's run that says nothing of its client did not end by itself: somebody
 * killed the run program, so there is no verdict.
 */
export function exitOf(run: LiveRun, exit: RunExit | undefined): RunExit | undefined {
  if (exit === undefined || run.plan.executor === undefined) return exit;
  const result = readResult(run.folder.folder);
  if (result === undefined) return undefined;
  run.result = result;
  // A signal that nobody here sent took its last word: that is a death, and no verdict.
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

/** A client's run is believed for a term after each heartbeat; a command's as long as its process is not stopped. */
export function runLease(run: LiveRun, leaseMs: number): number | undefined {
  return run.plan.executor !== undefined || run.stopped ? run.seenAt + leaseMs : undefined;
}

/** Keeps the heartbeat that lies there, and when it came. */
export function takeHeartbeat(run: LiveRun, now: number): void {
  const heartbeat = run.pulse?.read();
  if (heartbeat === undefined || heartbeat.at === run.heartbeat?.at) return;
  Object.assign(run, { heartbeat, heartbeatSeenAt: now, seenAt: now });
}

/** When the client last did something, in our time: as long before its heartbeat came as its own clock says. */
function progressOf({ heartbeat, heartbeatSeenAt }: LiveRun): Pick<RunFact, 'progressAt'> {
  if (heartbeat?.progressAt === undefined || heartbeatSeenAt === undefined) return {};
  return { progressAt: heartbeatSeenAt - Math.max(0, heartbeat.at - heartbeat.progressAt) };
}

/** The record of another run settles nothing: that it lies there is told with the end of this one. */
export function sayWhose(run: LiveRun): void {
  const stranger = run.alive || run.exit ? undefined : run.folder.stranger();
  if (stranger !== undefined) run.startError = stranger;
}
