import { timestamp } from '#kernel/clock.js';
import type { AttemptEnd, SignedOrder, WorkerGateway } from '#ports/worker-gateway.js';
import { failureInWords } from './attempt-places.js';
import type { WorkerEvent } from './worker-events.js';

interface RefusalParts {
  readonly desk: Pick<WorkerGateway, 'end' | 'clock'>;
  tell(event: WorkerEvent): void;
}

/** Orders that this worker accepted but does not carry out, until the leader has been informed. */
export class RefusedOrders {
  private readonly parts: RefusalParts;
  private readonly untold = new Map<string, AttemptEnd>();

  constructor(parts: RefusalParts) {
    this.parts = parts;
  }

  refuse(handed: SignedOrder, error: unknown): void {
    const { run, task } = handed;
    const text = failureInWords(error);
    this.parts.tell({ event: 'refused', run, task, text });
    this.untold.set(run, unbegunEnd(handed, text, this.parts.desk.clock.now()));
  }

  /** Runs of the orders that are not reported yet. */
  runs(): Iterable<string> {
    return this.untold.keys();
  }

  /** Reports all of them. Errors: those of the desk; unreported ones are retried by the next call. */
  async tellAll(): Promise<boolean> {
    const any = this.untold.size > 0;
    for (const [run, end] of this.untold) {
      await this.parts.desk.end(end);
      this.untold.delete(run);
    }
    return any;
  }
}

function unbegunEnd({ run, task, fence }: SignedOrder, startError: string, now: number): AttemptEnd {
  const fact = { id: run, taskId: task, fence, startedAt: now, timeoutMs: 0, outputBytes: 0 };
  const listed = { id: run, task_id: task, executor: 'shell', status: 'dead' as const, started_at: timestamp(now) };
  return {
    fact: { ...fact, alive: false, started: false, startError },
    listed,
    publication: undefined,
    unpublished: undefined,
  };
}
