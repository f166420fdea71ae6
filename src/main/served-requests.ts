import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { Leaders, RemoteRequest, RemoteRequests } from '#ports/remote-requests.js';

/**
 * Serves requests from other machines. The current leader is polled on a timer, so no request waits for the database.
 */
export class ServedRequests {
  private readonly requests: RemoteRequests;
  private latest: Leaders = { leader: undefined, epoch: 0, standbys: [] };
  private timer: NodeJS.Timeout | undefined;

  constructor(requests: RemoteRequests) {
    this.requests = requests;
  }

  /**
   * Serves requests with `answer`. Once this service has lost the lock, every request fails with `locked`, and the new
   * leader answers it.
   */
  async serve(answer: (request: RemoteRequest) => Promise<string>, place: { readonly lost: boolean }): Promise<void> {
    await this.look();
    await this.requests.serve(async (request) => {
      const line = await answer(request);
      if (place.lost) throw new TroupeError('locked');
      return line;
    });
    this.timer = setInterval(() => this.look().catch(() => undefined), DATABASE_LIMITS.renewMs);
    this.timer.unref();
  }

  leaders(): Leaders {
    return this.latest;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.requests.close();
  }

  private async look(): Promise<void> {
    this.latest = await this.requests.leaders();
  }
}
