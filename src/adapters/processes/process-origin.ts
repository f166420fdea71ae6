import type { ProcessAbove, ProcessLineage } from '#ports/processes.js';
import type { RunAtWork } from '#ports/run-folders.js';

/**
 * Origin of a process that does not identify itself as a run: the run it descends from, a run it does not name
 * (`hidden`), a person, or undecidable (`unclear`).
 */
export type ProcessOrigin =
  | { readonly of: 'run'; readonly run: string; readonly token?: string }
  | { readonly of: 'hidden' }
  | { readonly of: 'person' }
  | { readonly of: 'unclear' };

/** A run at work, with the hard limit that marks its process; undefined if the system has no such limit. */
export type MarkedRun = RunAtWork & { readonly limit?: number | undefined };

/** Facts of the system about a calling process. */
export interface AskingProcess {
  readonly lineage: ProcessLineage | undefined;
  /** Its hard limit; undefined if the system has none. */
  readonly limit: number | undefined;
  /** Processes with a lower limit come from a run; 0 if only the runs themselves are known. */
  readonly unmarked: number;
  /** Whether no process here can raise its limit: then a process without the mark comes from no run. */
  readonly limitsHold: boolean;
}

/**
 * Determines the origin of a process, even if it removed variables from its own environment: a descendant of a run is
 * that run. It is a person's if no run is at work, if it lacks the mark that all runs at work have, if it was started
 * from outside, or if one of its ancestors is older than every run. `runOf` returns the run of this project for the
 * path of its folder.
 */
export function originOfProcess(
  { lineage, limit, unmarked, limitsHold }: AskingProcess,
  runs: readonly MarkedRun[],
  runOf: (folder: string) => string | undefined,
): ProcessOrigin {
  const { line = [], leader, group, session, fromOutside } = lineage ?? {};
  for (const above of leader ? [...line, leader] : line) {
    const run = markOf(above, 'WG_RUN', runOf) ?? runs.find(({ process }) => isSame(process, above))?.id;
    if (run === undefined) continue;
    const token = markOf(above, 'WG_RUN_TOKEN', (value) => value);
    return { of: 'run', run, ...(token === undefined ? {} : { token }) };
  }
  const near = runs.find(({ process }) => process && (process.pid === group || process.pid === session));
  if (near) return { of: 'run', run: near.id };
  const own = limit ?? Number.POSITIVE_INFINITY;
  if (own < unmarked || runs.some(({ limit: theirs }) => isMark(theirs) && own <= theirs)) return { of: 'hidden' };
  if (runs.length === 0) return { of: 'person' };
  if (limitsHold && limit !== undefined && runs.every(({ limit: theirs }) => isMark(theirs) && theirs < limit))
    return { of: 'person' };
  if (runs.some(({ process }) => process === undefined)) return { of: 'unclear' }; // their pids are unknown here
  if (fromOutside === true) return { of: 'person' };
  const first = Math.min(...runs.map(({ process }) => beganAt(process?.start ?? '')));
  const older = line.some((above) => !above.init && beganAt(above.start) < first);
  return older ? { of: 'person' } : { of: 'unclear' };
}

/** Whether a limit is a mark. Unlimited is none. */
function isMark(limit: number | undefined): limit is number {
  return limit !== undefined && Number.isFinite(limit);
}

function markOf<Value>(
  { environment = [] }: ProcessAbove,
  name: string,
  read: (value: string) => Value | undefined,
): Value | undefined {
  const entry = environment.find((candidate) => candidate.startsWith(`${name}=`));
  return entry === undefined ? undefined : read(entry.slice(name.length + 1));
}

function isSame(process: RunAtWork['process'], { pid, start }: ProcessAbove): boolean {
  return process !== undefined && process.pid === pid && process.start === start;
}

/** A number that orders start times: clock ticks since boot, or a date. */
function beganAt(start: string): number {
  return /^\d+$/.test(start) ? Number(start) : Date.parse(start);
}
