import type { Peers, ProcessLineage } from '#ports/processes.js';
import { NO_PEERS } from './no-peers.js';

export const UNLIMITED = Number.POSITIVE_INFINITY;
/** Resource limit that marks the processes of a run. */
export const MARK = 1_048_576;

/** Properties of one process, as a system shows them. */
export interface Seen {
  readonly limit: number;
  readonly environment?: readonly string[];
  readonly shows?: string;
  readonly hides?: true;
  readonly connected?: true;
  /** Parent process. */
  readonly parent?: number;
  readonly words?: readonly string[];
}

/** A machine with these processes, none of which can raise its limits by default; the service itself has no limit. */
export function machine(processes: Readonly<Record<number, Seen>>, limitsHold = true): Peers {
  const of = (pid: number) => processes[pid];
  const all = Object.keys(processes).map(Number);
  return {
    ...NO_PEERS,
    limitsHold,
    lineageOf: (pid): ProcessLineage => ({
      line: lineFrom(pid, (above) => of(above)?.parent).map((above) => ({
        pid: above,
        start: '6000',
        init: false,
        environment: of(above)?.environment ?? [],
      })),
      group: pid,
      session: pid,
      fromOutside: false,
    }),
    limitOf: (pid) => (pid === process.pid ? UNLIMITED : of(pid)?.limit),
    all: () => all,
    below: (limit) => all.filter((pid) => (of(pid)?.limit ?? UNLIMITED) < limit),
    wordsOf: (pid) => of(pid)?.words ?? [],
    shows: (pid, name) => of(pid)?.shows === name,
    holdersOf: (_, among) => among.filter((pid) => of(pid)?.connected === true && of(pid)?.hides !== true),
    hidesFiles: (pid) => of(pid)?.hides === true,
  };
}

function lineFrom(pid: number | undefined, parentOf: (pid: number) => number | undefined): number[] {
  return pid === undefined ? [] : [pid, ...lineFrom(parentOf(pid), parentOf)];
}
