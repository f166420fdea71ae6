import { asTroupeError, isRefusal } from '#kernel/errors.js';
import type { WorkerEvent } from './worker-events.js';

/** A service on another machine that a worker depends on. */
export type RemoteService = 'database' | 'object store';

/** Records which remote services are away, and reports each change once. */
export class RemoteServices {
  private readonly tell: (event: WorkerEvent) => void;
  private readonly away = new Set<RemoteService>();

  constructor(tell: (event: WorkerEvent) => void) {
    this.tell = tell;
  }

  /**
   * Returns the answer of `ask`, or undefined if it failed: the caller asks again with its next beat or look. `used`: the services that
   * an answer proves to be reachable. The answer `false` means that there was nothing to ask, and proves nothing.
   */
  async tried<Answer>(used: readonly RemoteService[], ask: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await ask();
      for (const remote of answer === false ? [] : used) this.isBack(remote);
      return answer;
    } catch (error) {
      const isStore = isRefusal(error, 'blobs_away') || isRefusal(error, 'blobs_refused');
      this.isAway(isStore ? 'object store' : 'database', error);
      return undefined;
    }
  }

  private isBack(remote: RemoteService): void {
    if (this.away.delete(remote)) this.tell({ event: 'back', text: `the ${remote} answers again` });
  }

  private isAway(remote: RemoteService, error: unknown): void {
    if (this.away.has(remote)) return;
    this.away.add(remote);
    this.tell({ event: 'away', text: `${asTroupeError(error).message} Runs go on.` });
  }
}
