import type { JsonObject } from '#kernel/json.js';

/** Records that lie in files, one each; those that could not be read are named. */
export interface Records {
  readonly records: readonly JsonObject[];
  readonly warnings: readonly string[];
}

/** What lies here under the ids of evaluations from elsewhere. */
export interface EvaluationComparison {
  /** Ids of those that say the same here, to the byte but for whose work it is: nothing has to be read of them. */
  readonly same: ReadonlySet<string>;
  /** What all others say here that are here. */
  readonly others: ReadonlyMap<string, JsonObject>;
  /** Of those that are here and cannot be read: which file it is, and why. Nothing may take their place. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The files that traces come from and go to. */
export interface TraceFiles {
  /** A text file the caller names, relative to where the caller stands; `bad_trace` when larger than `maxBytes`. */
  read(named: string, maxBytes: number): Promise<string>;
  evaluations(): Promise<Records>;
  /** The one of this id; undefined when there is none that can be read. */
  evaluation(id: string): Promise<JsonObject | undefined>;
  /** Which of these texts, by the ids of evaluations, are new here. */
  compareEvaluations(texts: ReadonlyMap<string, string>): Promise<EvaluationComparison>;
  functions(): Promise<Records>;
  /**
   * Puts an import in the place of an earlier one of the same source: tasks below `imports/`, evaluations beside the
   * others, where those that begin with `prefix` and are not named again go away. Answers whether there was one.
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
