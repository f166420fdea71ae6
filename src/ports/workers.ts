import type { WorkerRoom } from '#core/coordinator/vacancies.js';
import type { SilentWorker, WorkerProblem } from '#core/coordinator/worker-facts.js';
import type { AttemptEnd, AttemptOrder } from './worker-gateway.js';

/** Parts of an order that are decided before its run is planned. */
export type AssignedTree = Pick<AttemptOrder, 'tree' | 'setsUp'> & {
  /** Labels that the worker must have. */
  readonly labels: readonly string[];
};

/** Workers on other machines, as the coordinator of a project uses them. */
export interface Workers {
  /** Active workers that take attempts, with their free slots. */
  rooms(): Promise<readonly WorkerRoom[]>;
  /** Workers whose lease has expired. */
  silent(): Promise<readonly SilentWorker[]>;
  /** Other reasons why workers cannot be used. */
  workerProblems(): Promise<readonly WorkerProblem[]>;
  /** Assigns a run to the workers, with its worktree, before it is prepared or started. */
  assignRun(run: string, tree: AssignedTree): void;
  /** End of a run as its worker reported it; undefined for a run of this machine, and if none was reported. */
  endOf(run: string): AttemptEnd | undefined;
}
