import type { JsonObject } from '#kernel/json.js';

/** Records stored in files, one each, and one warning per file that could not be read. */
export interface Records {
  readonly records: readonly JsonObject[];
  readonly warnings: readonly string[];
}

/** Comparison of evaluations from elsewhere with the stored ones of the same ids. */
export interface EvaluationComparison {
  /** Ids of evaluations whose texts are equal, apart from a last line `foreign: true`; these need not be parsed. */
  readonly same: ReadonlySet<string>;
  /** Stored records of the other ids that exist here. */
  readonly others: ReadonlyMap<string, JsonObject>;
  /**
   * Ids of evaluations that exist here and cannot be parsed, with the file and the reason. They must not be
   * overwritten.
   */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Text of a run as the original workgraph archived it: only its size in bytes if that is too large to be read. */
export type ArchivedText = string | number;

/** Prompt and output of a run as the original archived them; missing ones cannot be read. */
export interface ArchivedRun {
  readonly timestamp: string;
  readonly prompt?: ArchivedText;
  readonly output?: ArchivedText;
}

/** Files from which traces are imported and to which they are exported. */
export interface TraceFiles {
  /**
   * Text file named by the caller, relative to the working directory; links are followed. Errors: `not_found`,
   * `unreadable`, `bad_trace` above `maxBytes`.
   */
  read(named: string, maxBytes: number): Promise<string>;
  evaluations(): Promise<Records>;
  /** The evaluation with this id; undefined if there is none that can be parsed. */
  evaluation(id: string): Promise<JsonObject | undefined>;
  /** Compares texts of evaluations, by their ids, with the stored ones. */
  compareEvaluations(texts: ReadonlyMap<string, string>): Promise<EvaluationComparison>;
  functions(): Promise<Records>;
  /** Runs of a task that the original workgraph archived, oldest first. */
  archivedRuns(task: string): Promise<readonly ArchivedRun[]>;
  /**
   * Replaces an earlier import of the same source: its tasks below `imports/`, and its evaluations, of which those that
   * begin with `prefix` and are missing from this import are deleted. Each file is written atomically, and repeating an
   * interrupted import completes it. Returns whether there was an earlier one, and the path of the tasks.
   */
  keepImport(origin: {
    readonly source: string;
    readonly tasks: readonly JsonObject[];
    readonly evaluations: readonly JsonObject[];
    readonly prefix: string;
  }): Promise<{ readonly replaced: boolean; readonly path: string }>;
  /** Whether there is an import of this source. */
  hasImport(source: string): Promise<boolean>;
}
