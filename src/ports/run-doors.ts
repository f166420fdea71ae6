/** The doors of runs in a sandbox: at each the service listens for one run, and whatever is said there, that run says. */
export interface RunDoors {
  /** The folder of a run's door. It is there as long as a run in a sandbox is not settled. */
  place(run: string): string;
  /** Listens there. Does nothing where it does already. */
  open(run: string): Promise<void>;
  /** The run is settled: takes its door away, if it had one. */
  close(run: string): Promise<void>;
}
