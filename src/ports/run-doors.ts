/** The doors of runs: at each the service listens for one run, and whatever is said there, that run says. */
export interface RunDoors {
  /** Which runs have one: where a service listens for all others as well, those in a sandbox. */
  readonly of: 'sandboxed' | 'all';
  /** The folder of a run's door. It is there as long as its run is not settled. */
  place(run: string): string;
  /** Listens there. Does nothing where it does already. */
  open(run: string): Promise<void>;
  /** The run is settled: takes its door away, if it had one. */
  close(run: string): Promise<void>;
}
