/** What a run left on disk, as facts; nothing here decides. */
export interface RunFolders {
  /** The last `maxBytes` of what the run printed, undefined when there is no such run. */
  outputTail(runId: string, maxBytes: number): Promise<{ text: string; size: number } | undefined>;
  /** What the run was told, at most `maxBytes` of it; undefined when nothing is kept of it. */
  prompt(runId: string, maxBytes: number): Promise<string | undefined>;
}
