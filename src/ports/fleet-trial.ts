/** An event in the life of a fleet that is tried. */
export interface FleetNews {
  readonly event: 'database' | 'leads' | 'arrived' | 'planned' | 'took' | 'ended' | 'merged';
  /** The part of the fleet that it is about, such as `worker-1`. */
  readonly who: string;
  readonly task?: string;
  readonly text: string;
}

/** The end of a fleet that was tried. */
export interface FleetResult {
  /** The tasks that each worker carried out. */
  readonly workers: Readonly<Record<string, readonly string[]>>;
  /** The file that their merged work makes, and its lines. */
  readonly file: string;
  readonly lines: readonly string[];
}
