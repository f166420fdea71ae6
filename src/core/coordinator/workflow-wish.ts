/** A run of a workflow that is to begin. */
export interface WorkflowWish {
  /** By which the errand that makes its tasks is known. */
  readonly key: string;
  readonly workflow: string;
  readonly occasion: string;
  /** What the run is called, where nothing else is called so. */
  readonly run: string;
  /** The task that waits for it. */
  readonly task?: string;
}
