import { type Plan, withFields } from '#core/graph/event.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject } from '#kernel/json.js';

const EVIDENCE = taskField('evidence', anything);

const UNCHECKED = { 'cut-off': 'cut off', 'not-run': 'not run', skipped: 'unchecked' } as const;
/**
 * Reason why a check has no result: it was stopped by a person or a time limit, could not start, or was skipped by a
 * person.
 */
export type Unchecked = keyof typeof UNCHECKED;
const WORDS_OF: ReadonlyMap<unknown, string> = new Map(Object.entries(UNCHECKED));

/** Evidence that a task was done: its check, its commit, its artifacts. Missing fields were not examined. */
export interface Evidence {
  readonly verify_cmd?: string;
  /** Exit code of the check, and its duration in milliseconds. */
  readonly exit?: number;
  readonly ms?: number;
  readonly unchecked?: Unchecked;
  /** Last commit of the work, and whether the worktree was clean at the end. */
  readonly commit?: string;
  readonly clean?: boolean;
  /** Commit from which an attempt in a worktree began. */
  readonly base?: string;
  /** Without `sha256`: no file of this name could be read. */
  readonly artifacts?: readonly { readonly path: string; readonly sha256?: string }[];
}

/** Returns the evidence recorded on the task; empty if there is none. */
export function evidenceOf(task: Task): Evidence {
  return evidenceIn(EVIDENCE.of(task)) ?? {};
}

/** Evidence in a stored value; undefined if it is none. */
export function evidenceIn(value: unknown): Evidence | undefined {
  return isJsonObject(value) ? (value as Evidence) : undefined;
}

/** Returns how the check of a done task ended, unless it passed: `exit 3`, `cut off`. */
export function checkOf(task: Task): { readonly check?: string } {
  if (task.status !== 'done') return {};
  const { exit, unchecked } = evidenceOf(task);
  const check = WORDS_OF.get(unchecked);
  if (check !== undefined) return { check };
  return typeof exit === 'number' && exit !== 0 ? { check: `exit ${exit}` } : {};
}

/**
 * Returns the plan with the evidence in its first event and on its task, and the commit its work was `merged` with.
 * Fields in `unset` are removed.
 */
export function withEvidence<Result>(
  plan: Plan<Result>,
  id: string,
  evidence: Evidence,
  extra: { readonly merged?: string | undefined; readonly unset?: readonly string[] } = {},
): Plan<Result> {
  const some = Object.keys(evidence).length > 0;
  const fields: NodeFields = {
    ...(extra.merged === undefined ? {} : { merged: extra.merged }),
    ...(some ? { evidence: evidence as NodeFields } : {}),
  };
  const changed = withFields(plan, id, fields, extra.unset);
  const [first, ...rest] = changed.events;
  if (!first || Object.keys(fields).length === 0) return changed;
  return { ...changed, events: [{ ...first, detail: { ...first.detail, ...fields } }, ...rest] };
}
