import type { SilentWorker, WorkerRoom, WorkerWorry } from '#core/coordinator/elsewhere.js';
import type { AttemptEnd, AttemptOrder } from './worker-desk.js';

/** The parts of an order that are decided before its run is planned. */
export type HandedTree = Pick<AttemptOrder, 'tree' | 'setsUp'> & {
  /** Labels that its worker must have. */
  readonly labels: readonly string[];
};

/** Workers on other machines, as the coordinator of a project uses them. */
export interface Workers {
  /** Those that are at work and take attempts, with the places they have free. */
  rooms(): Promise<readonly WorkerRoom[]>;
  /** Those that nobody has heard of for their whole term. */
  silent(): Promise<readonly SilentWorker[]>;
  /** What else keeps some from being of use. */
  worries(): Promise<readonly WorkerWorry[]>;
  /** Says of a run, before it is prepared or started, that a worker carries it out, and in which worktree. */
  hand(run: string, tree: HandedTree): void;
  /** What a worker told of the end of a run; undefined of one that worked here, has not ended, or never told. */
  endOf(run: string): AttemptEnd | undefined;
}
