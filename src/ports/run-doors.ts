/** Sockets of single runs: a request at one of them comes from its run. */
export interface RunDoors {
  /**
   * Runs that have a socket of their own: all, or only sandboxed ones, if the service also listens on a socket for the
   * others.
   */
  readonly of: 'sandboxed' | 'all';
  /** Folder of a run's socket. It exists until the run is settled. */
  place(run: string): string;
  /** Starts to listen on a run's socket. Idempotent. */
  open(run: string): Promise<void>;
  /** Removes the socket of a settled run, if it had one. */
  close(run: string): Promise<void>;
}
