import type { Peers, ProcessLineage } from '#ports/processes.js';
import { NO_PEERS } from './no-peers.js';

export const UNLIMITED = Number.POSITIVE_INFINITY;
/** The limit that marks what a run started. */
export const MARK = 1_048_576;

/** What a system shows of one process. */
export interface Seen {
  readonly limit: number;
  readonly environment?: readonly string[];
  readonly shows?: string;
  readonly hides?: true;
  readonly connected?: true;
  /** The process above it. */
  readonly parent?: number;
  readonly words?: readonly string[];
}

/** A machine with these processes, of which none can raise its limits unless said so; the service itself has no limit. */
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
