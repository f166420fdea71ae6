/** A project of this person that has a service on this machine. */
export interface ServedProject {
  readonly folder: string;
  /** Start of the service, in milliseconds since 1970. */
  readonly since: number;
  /** Port of its dashboard on the loopback address; undefined if the dashboard does not run. */
  readonly port: number | undefined;
  /** Its other addresses, by which it is reached from other machines too. */
  readonly listens: readonly string[];
  /** Number of matters that wait for the person, and of tasks at work; undefined if the service does not answer soon. */
  counts(): Promise<ServedCounts | undefined>;
}

export interface ServedCounts {
  readonly needsYou: number;
  readonly running: number;
}

/**
 * Something in the place where the services of a person tell of each other: a folder that others can access (`open`) or
 * that is not the person's (`foreign`), or a file that is no record (`stray`).
 */
export interface RecordFault {
  readonly kind: 'open' | 'foreign' | 'stray';
  readonly path: string;
}

/** The projects of this person that have a service on this machine. */
export interface ServedProjects {
  all(): readonly ServedProject[];
  faults(): readonly RecordFault[];
}
