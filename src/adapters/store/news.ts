const POLL_MS = 200;

/** Wakes those who wait for something new in the log; they look by themselves from time to time as well. */
export class News {
  private readonly waiting = new Set<() => void>();
  private readonly pollMs: number;

  constructor(pollMs = POLL_MS) {
    this.pollMs = pollMs;
  }

  tell(): void {
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
