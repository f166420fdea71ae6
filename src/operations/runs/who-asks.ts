import type { Lineage, ProcessAbove } from '#ports/processes.js';
import type { RunAtWork } from '#ports/run-folders.js';

/** Who started a process that says it is nobody's run: the run it comes from, a person, or neither can be told. */
export type Origin =
  | { readonly of: 'run'; readonly run: string; readonly token?: string }
  | { readonly of: 'person' | 'unclear' };

/**
 * What a process is told by the processes it comes from, whatever it took out of its own environment: below a run it is that
 * run. A person it is where nothing runs, where somebody put it there from outside, and where a process stands above it that
 * is older than every run. `runOf` answers the run of this project whose folder a path is.
 */
export function whoAsks(
  lineage: Lineage | undefined,
  runs: readonly RunAtWork[],
  runOf: (folder: string) => string | undefined,
): Origin {
  const { line = [], leader, group, session, fromOutside } = lineage ?? {};
  for (const above of leader ? [...line, leader] : line) {
    const run = markOf(above, 'WG_RUN', runOf) ?? runs.find(({ process }) => isSame(process, above))?.id;
    if (run === undefined) continue;
    const token = markOf(above, 'WG_RUN_TOKEN', (value) => value);
    return { of: 'run', run, ...(token === undefined ? {} : { token }) };
  }
  const near = runs.find(({ process }) => process && (process.pid === group || process.pid === session));
  if (near) return { of: 'run', run: near.id };
  if (runs.length === 0) return { of: 'person' };
  if (runs.some(({ process }) => process === undefined)) return { of: 'unclear' }; // their pids mean nothing here
  if (fromOutside === true) return { of: 'person' };
  const first = Math.min(...runs.map(({ process }) => beganAt(process?.start ?? '')));
  const older = line.some((above) => !above.init && beganAt(above.start) < first);
  return { of: older ? 'person' : 'unclear' };
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
