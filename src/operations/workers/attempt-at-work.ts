import type { RunFact } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import type { KeptOrder } from '#ports/attempt-orders.js';
import type { ListedRun } from '#ports/run-host.js';
import type { AttemptReport } from '#ports/worker-gateway.js';
import type { RunSender } from './run-sender.js';

/** Fields of a row for other machines: without paths and fields that only this machine needs. */
export function sharedFieldsOf({
  id,
  task_id,
  executor,
  status,
  started_at,
  last_heartbeat,
  model,
  usage,
}: ListedRun): ListedRun {
  return {
    id,
    task_id,
    executor,
    status,
    started_at,
    ...(last_heartbeat === undefined ? {} : { last_heartbeat }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** An attempt from its acceptance until its end is reported. */
export class AttemptAtWork {
  readonly kept: KeptOrder;
  readonly sender: RunSender;
  /** `making`: its run is being prepared; `handing-over`: its run has ended. */
  stage: 'making' | 'working' | 'handing-over' = 'making';
  /** Whether it was given to another worker: then nothing of it is reported. */
  lost = false;
  /** Whether its end is being reported, or was: the result of that report tells whether the attempt is still ours. */
  telling = false;
  /** Whether a limit for it was already reported as not signed by its leader. */
  limitRefused = false;
  /** Aborts its preparation. */
  readonly stop = new AbortController();

  constructor(kept: KeptOrder, sender: RunSender) {
    this.kept = kept;
    this.sender = sender;
  }

  get run(): string {
    return this.kept.order.plan.id;
  }

  get task(): string {
    return this.kept.order.plan.taskId;
  }

  get fence(): number {
    return this.kept.order.plan.fence;
  }

  /** State of the attempt. Until its end is reported it counts as at work, even if its run has ended. */
  report(fact: RunFact | undefined, listed: ListedRun | undefined): AttemptReport {
    const { exit: _exit, result: _result, startError: _startError, leaseUntil, ...known } = fact ?? this.beginning();
    const lease = leaseUntil === undefined || this.stage !== 'working' ? {} : { leaseUntil };
    return {
      fact: { ...known, ...lease, alive: true, started: true },
      listed: {
        ...sharedFieldsOf(listed ?? this.row()),
        status: this.stage === 'making' ? 'starting' : (listed?.status ?? 'working'),
      },
    };
  }

  private beginning(): RunFact {
    const { id, taskId, fence, startedAt, timeoutMs, executor } = this.kept.order.plan;
    const own = { id, taskId, fence, startedAt, timeoutMs };
    return { ...own, ...(executor === undefined ? {} : { executor }), alive: true, started: true, outputBytes: 0 };
  }

  /** Row of a run that this machine has no record of. */
  row(): ListedRun {
    const { id, taskId, executor = 'shell', startedAt } = this.kept.order.plan;
    return { id, task_id: taskId, executor, status: 'starting', started_at: timestamp(startedAt) };
  }

  /** Fact of a run that never began. */
  unbegun(reason: string): RunFact {
    return { ...this.beginning(), alive: false, started: false, startError: reason };
  }
}
