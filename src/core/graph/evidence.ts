import { type Plan, withFields } from '#core/graph/event.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject } from '#kernel/json.js';

const EVIDENCE = taskField('evidence', anything);

const UNCHECKED = { 'cut-off': 'cut off', 'not-run': 'not run', skipped: 'unchecked' } as const;
/** A check that did not come to its end: stopped by somebody or a time limit, unable to start, left out by a person. */
export type Unchecked = keyof typeof UNCHECKED;
const WORDS_OF: ReadonlyMap<unknown, string> = new Map(Object.entries(UNCHECKED));

/** What shows that a task was done: its check, what was committed, what it brought forth. Left out is what nobody looked at. */
export interface Evidence {
  readonly verify_cmd?: string;
  /** The exit code of the check, and how long it took in milliseconds. */
  readonly exit?: number;
  readonly ms?: number;
  /** Why there is no result of the check. */
  readonly unchecked?: Unchecked;
  /** The last commit of the work, and whether everything was committed when it ended. */
  readonly commit?: string;
  readonly clean?: boolean;
  /** The commit that the work of an attempt in a worktree began from. */
  readonly base?: string;
  /** Without `sha256`: no file of that name could be read. */
  readonly artifacts?: readonly { readonly path: string; readonly sha256?: string }[];
}

/** What was found of an earlier look at the same attempt. */
export function evidenceOf(task: Task): Evidence {
  const value = EVIDENCE.of(task);
  return isJsonObject(value) ? (value as Evidence) : {};
}

/** How the check of a task that is done ended, where it did not pass: `exit 3`, `cut off`. */
export function checkOf(task: Task): { readonly check?: string } {
  if (task.status !== 'done') return {};
  const { exit, unchecked } = evidenceOf(task);
  const check = WORDS_OF.get(unchecked);
  if (check !== undefined) return { check };
  return typeof exit === 'number' && exit !== 0 ? { check: `exit ${exit}` } : {};
}

/**
 * The plan with the evidence in its first event and on its task, and the commit its work was `merged` with; fields in `unset`
 * are gone after it.
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
