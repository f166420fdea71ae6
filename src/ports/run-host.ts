import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';

export interface RunPlan {
  readonly id: string;
  readonly taskId: string;
  readonly fence: number;
  /** The command, handed to the shell as it stands in the task: data of the task, never put together by us. */
  readonly command: string;
  /** Inputs of the task, `IN_NAME` → value. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly startedAt: number;
}

/**
 * Where runs live: started detached, so that they survive us; found again by their folders, so that nothing depends on
 * our memory. A run that never began can be voided, and then never will begin.
 */
export interface RunHost {
  /** Makes the folder and starts the wrapper. Returns once the process exists; throws when it could not be started. */
  start(plan: RunPlan): Promise<void>;
  /** Takes runs of earlier lives into account: those whose tasks are still in progress, by run id. */
  adopt(claims: readonly { run: string; taskId: string; fence: number }[]): Promise<void>;
  /** Facts about all runs that are not forgotten yet. */
  facts(): readonly RunFact[];
  /** Tells a run to end: its group at once, harder after a grace. The reason is kept with the run. */
  end(run: string, why: EndReason): void;
  /** The run is settled: nobody needs its facts any more. Its folder stays. */
  forget(run: string): void;
  /** Number for the next run; never one that was used. */
  nextNumber(): number;
  /** Called whenever a run's facts may have changed. */
  onChange(listener: () => void): void;
  /** Stops watching. Runs go on; they are found again by `adopt`. */
  close(): Promise<void>;
}
