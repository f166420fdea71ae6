import type { Clock } from '#kernel/clock.js';
import type { AttemptOrders } from '#ports/attempt-orders.js';
import type { RunBytes } from '#ports/run-bytes.js';
import type { RunHost } from '#ports/run-host.js';
import type { WorkerGateway } from '#ports/worker-gateway.js';
import type { AttemptPlaces } from './attempt-places.js';
import type { OwnCard } from './leader-watch.js';
import type { Masking } from './masking.js';
import type { OrderGate } from './order-gate.js';
import type { WorkerEvent } from './worker-events.js';

/** Monotonic time of this process in milliseconds. */
export interface Pace {
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Calls once, or repeatedly (`every`); returns a function that cancels. */
  after(milliseconds: number, call: () => void): () => void;
  every(milliseconds: number, call: () => void): () => void;
}

export interface WorkerParts {
  readonly desk: WorkerGateway;
  readonly card: OwnCard;
  readonly gate: OrderGate;
  readonly runs: RunHost;
  readonly places: AttemptPlaces;
  readonly orders: AttemptOrders;
  readonly bytes: RunBytes;
  readonly masking: Masking;
  /** Clock of this machine. */
  readonly ownClock: Clock;
  readonly pace: Pace;
  tell(event: WorkerEvent): void;
}
