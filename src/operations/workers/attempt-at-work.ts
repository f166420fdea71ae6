import type { RunFact } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import type { KeptOrder } from '#ports/attempt-orders.js';
import type { ListedRun } from '#ports/run-host.js';
import type { AttemptReport } from '#ports/worker-desk.js';
import type { RunSender } from './run-sender.js';

/** Of a row what others are told: neither places nor what only this machine needs. */
export function travelling({
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
    ...{ id, task_id, executor, status, started_at },
    ...(last_heartbeat === undefined ? {} : { last_heartbeat }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** An attempt from the moment it was taken until its end was told. */
export class AttemptAtWork {
  readonly kept: KeptOrder;
  readonly sender: RunSender;
  /** `making`: what its run needs; `handing-over`: its run is over. */
  stage: 'making' | 'working' | 'handing-over' = 'making';
  /** It is somebody else's: nothing of it is told any more. */
  lost = false;
  /** Its end is being told, or was: what becomes of that says whose it is. */
  telling = false;
  /** It was told that a limit of it is not from its leader. */
  limitRefused = false;
  /** Stops what is made for it. */
  readonly stop = new AbortController();
  /** What is under way. */
  doing: Promise<void> = Promise.resolve();

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

  /** How it stands. As long as its end is not told it is at work, whatever became of its run. */
  report(fact: RunFact | undefined, listed: ListedRun | undefined): AttemptReport {
    const { exit: _exit, result: _result, startError: _startError, leaseUntil, ...known } = fact ?? this.beginning();
    const lease = leaseUntil === undefined || this.stage !== 'working' ? {} : { leaseUntil };
    return {
      fact: { ...known, ...lease, alive: true, started: true },
      listed: {
        ...travelling(listed ?? this.row()),
        status: this.stage === 'making' ? 'starting' : (listed?.status ?? 'working'),
      },
    };
  }

  private beginning(): RunFact {
    const { id, taskId, fence, startedAt, timeoutMs, executor } = this.kept.order.plan;
    const own = { id, taskId, fence, startedAt, timeoutMs };
    return { ...own, ...(executor === undefined ? {} : { executor }), alive: true, started: true, outputBytes: 0 };
  }

  /** Of a run that this machine knows nothing of. */
  row(): ListedRun {
    const { id, taskId, executor = 'shell', startedAt } = this.kept.order.plan;
    return { id, task_id: taskId, executor, status: 'starting', started_at: timestamp(startedAt) };
  }

  /** The fact of a run that never began. */
  unbegun(reason: string): RunFact {
    return { ...this.beginning(), alive: false, started: false, startError: reason };
  }
}
