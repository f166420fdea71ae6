/** An event during the trial of a fleet. */
export interface FleetNews {
  readonly event: 'database' | 'leads' | 'arrived' | 'planned' | 'took' | 'ended' | 'merged';
  /** The part of the fleet that the event concerns, for example `worker-1`. */
  readonly who: string;
  readonly task?: string;
  readonly text: string;
}

/** Result of the trial of a fleet. */
export interface FleetResult {
  /** Tasks that each worker executed, by its name. */
  readonly workers: Readonly<Record<string, readonly string[]>>;
  /** Name and lines of the file that the merged work creates. */
  readonly file: string;
  readonly lines: readonly string[];
}
