import { type Clock, isRecent } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import type { Processes } from '#ports/processes.js';
import type { RemovedRecords } from './leftovers.js';
import { exitOf, type LiveRun, recordedExit, reportForeignRecord, takeHeartbeat } from './live-run.js';
import type { RunEnds } from './run-ends.js';
import { isRun } from './run-folder.js';
import { startsNothing } from './run-script.js';

/** Maximum time between requesting and starting a run. A later start means that the launcher was killed midway. */
const BEGIN_WITHIN_MS = 10_000;

interface LookParts {
  readonly processes: Processes;
  readonly agentsFolder: string;
  readonly ends: RunEnds;
  readonly clock: Clock;
  readonly removed: RemovedRecords;
  /** Whether the launcher is alive and can still start requested runs. */
  readonly launches: boolean;
  /** Kills processes that the run left in the background. */
  sweep(): void;
}

/** Updates `run` from its folder and its process. */
export function lookAtRun(run: LiveRun, parts: LookParts): void {
  const { processes, agentsFolder, ends, clock, sweep } = parts;
  const ended = recordedExit(run, ends);
  if (ended) {
    const left = !startsNothing(run.record.command ?? '') || ended.check !== undefined || run.ended !== undefined;
    if (left) sweep();
    const exit = exitOf(run, ended);
    if (exit) run.exit = exit;
    run.alive = false;
    run.started = true;
    return;
  }
  const pid = run.folder.pid() ?? run.process;
  if (!pid) {
    lookBeforeBegin(run, parts);
    return;
  }
  run.process = pid;
  run.started = !pid.void;
  if (pid.void) {
    run.alive = false;
    return;
  }
  run.pid = pid.pid;
  run.alive = isRun(processes, agentsFolder, pid, run.record);
  if (!run.alive) {
    const late = exitOf(run, recordedExit(run, ends)); // it may have ended since the first check
    if (late) run.exit = late;
    sweep();
    reportForeignRecord(run);
    return;
  }
  takeHeartbeat(run, clock.now());
  if (run.plan.executor === undefined) {
    run.stopped = processes.isStopped(pid.pid);
    if (!run.stopped) run.seenAt = clock.now();
  }
}

/** Handles a run without a process: it never began, is about to begin, or its record was removed. */
function lookBeforeBegin(run: LiveRun, { removed, launches, clock, sweep }: LookParts): void {
  if (removed.mayReappear(run)) {
    Object.assign(run, { started: true, alive: true, seenAt: clock.now() });
    return;
  }
  if (run.requested && launches && isRecent(run.plan.startedAt, clock.now(), BEGIN_WITHIN_MS)) return;
  // The run is claimed but may be about to begin. Taking the ticket decides it either way.
  run.started = !run.folder.voidTicket();
  if (!run.started && run.requested) run.startError = `it did not start within ${formatDuration(BEGIN_WITHIN_MS)}`;
  run.alive = run.started && !run.folder.ticketIsTorn();
  if (run.started && !run.alive) sweep();
  reportForeignRecord(run);
}
