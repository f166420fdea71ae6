import type { ProcessAbove, ProcessLineage } from '#ports/processes.js';
import type { RunAtWork } from '#ports/run-folders.js';

/**
 * The origin of a process that says it is nobody's run: the run it comes from, some run that it does not name (`hidden`), a person, or
 * none of these can be told.
 */
export type ProcessOrigin =
  | { readonly of: 'run'; readonly run: string; readonly token?: string }
  | { readonly of: 'hidden' }
  | { readonly of: 'person' }
  | { readonly of: 'unclear' };

/** A run at work, with the hard limit that marks its process; undefined where the system has none. */
export type MarkedRun = RunAtWork & { readonly limit?: number | undefined };

/** The process that asks, as the system shows it. */
export interface AskingProcess {
  readonly lineage: ProcessLineage | undefined;
  /** Its hard limit; undefined where the system has none. */
  readonly limit: number | undefined;
  /** Below this limit is what a run started; 0 where nothing is known but the runs themselves. */
  readonly unmarked: number;
  /** No process here can raise its limit: one that has not the mark of a run comes from none. */
  readonly limitsHold: boolean;
}

/**
 * The origin of a process, whatever it took out of its own environment: below a run it is that run. It is a person's where nothing
 * runs, where it lacks the mark that all runs at work have, where somebody put it there from outside, and where a process stands above
 * it that is older than every run. `runOf` answers the run of this project whose folder a path is.
 */
export function whoAsks(
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
  if (runs.some(({ process }) => process === undefined)) return { of: 'unclear' }; // their pids mean nothing here
  if (fromOutside === true) return { of: 'person' };
  const first = Math.min(...runs.map(({ process }) => beganAt(process?.start ?? '')));
  const older = line.some((above) => !above.init && beganAt(above.start) < first);
  return older ? { of: 'person' } : { of: 'unclear' };
}

/** A limit at all: what is unlimited has no mark. */
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

/** A number that is less for what began earlier: clock ticks since the boot, or a date. */
function beganAt(start: string): number {
  return /^\d+$/.test(start) ? Number(start) : Date.parse(start);
}
