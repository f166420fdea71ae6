import type { GraphView } from '#core/graph/view.js';
import type { FileFacts } from '#core/graph/wait.js';

/** How a run ended, as its wrapper recorded it. */
export interface RunExit {
  readonly code: number;
  /** Milliseconds from start to end, when known. */
  readonly durationMs?: number;
}

/** Why we ended a run ourselves. */
export type EndReason = 'timeout' | 'output' | 'stopped' | 'superseded';

/** What is known for certain about a run that has not been settled yet. */
export interface RunFact {
  readonly id: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly alive: boolean;
  /** False when the wrapper never began: nothing can have happened. */
  readonly started: boolean;
  readonly outputBytes: number;
  readonly exit?: RunExit;
  /** Why the wrapper could not be started at all. */
  readonly startError?: string;
  readonly ended?: EndReason;
}

/** Everything a tick may look at. Facts were gathered before; nothing here is asked of the outside again. */
export interface CoordinatorSnapshot {
  readonly view: GraphView;
  readonly runs: readonly RunFact[];
  readonly maxAgents: number;
  /** Number of the next run; ids are never used twice. */
  readonly nextRun: number;
  /** No new runs, because somebody said pause or stop. */
  readonly paused: boolean;
  /** Of the files that tasks wait for. */
  readonly files?: FileFacts;
}
