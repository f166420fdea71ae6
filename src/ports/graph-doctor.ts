/** Something about the graph's files that a person should know. */
export interface Finding {
  readonly severity: 'note' | 'warning' | 'error';
  readonly code: string;
  /** What is so, as a sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy: string;
  readonly file?: string;
  readonly line?: number;
  /** `repair` can put it right without guessing. */
  readonly repairable: boolean;
}

/** Looking after the files of a graph: what a store does for itself is not in here. */
export interface GraphDoctor {
  /** Reads everything and compares it. Never writes. */
  examine(): Promise<readonly Finding[]>;
  /** Puts right what can be proved, under the write lock; answers what it did, one sentence each. `locked` while another process writes. */
  repair(): Promise<readonly string[]>;
  /**
   * Git's merge driver: three files as one, which takes the place of `ours`. Paths as git gives them. `not_found`,
   * `unsafe_path` for anything but plain files, `too_large`.
   */
  mergeFiles(files: {
    base: string;
    ours: string;
    theirs: string;
  }): Promise<{ text: string; tasks: number; lost: number }>;
}
