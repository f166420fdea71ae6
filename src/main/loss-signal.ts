/**
 * Loss of the write lock, reported once. The lock can be lost while its holder is still being composed: a listener that
 * comes later is called at once, so that no process goes on with a graph it can no longer write.
 */
export class LossSignal {
  private isLost = false;
  private listener: () => void = () => undefined;

  /** Reports the loss. Only the first call counts. */
  raise(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.listener();
  }

  /** Sets the one listener. */
  listen(listener: () => void): void {
    this.listener = listener;
    if (this.isLost) listener();
  }
}
