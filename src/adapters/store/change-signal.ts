const POLL_MS = 200;

/** Wakes waiters for new log entries. They also wake at a regular interval. */
export class ChangeSignal {
  private readonly waiting = new Set<() => void>();
  private readonly pollMs: number;

  constructor(pollMs = POLL_MS) {
    this.pollMs = pollMs;
  }

  notify(): void {
    for (const wake of [...this.waiting]) wake();
  }

  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, this.pollMs);
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }
}
