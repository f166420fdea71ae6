import type { JsonObject } from '#kernel/json.js';

/** The statuses of the graph, in the order in which a task usually walks through them. */
export const STATUSES = [
  'open',
  'in-progress',
  'waiting',
  'pending-validation',
  'blocked',
  'done',
  'failed',
  'abandoned',
] as const;
export type Status = (typeof STATUSES)[number];

/** Terminal statuses unblock whatever comes after. */
export function isTerminal(status: Status): boolean {
  return status === 'done' || status === 'failed' || status === 'abandoned';
}

export interface LogEntry {
  readonly timestamp: string;
  readonly actor?: string;
  readonly message: string;
}

/** A task as it is kept. Times are RFC 3339 in UTC, durations `30s`, `5m`, `2h`, `1d`. Empty values are left out. */
export interface Task {
  readonly kind: 'task';
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly description?: string;
  /** Who holds the claim: a run or a person. */
  readonly assigned?: string;
  readonly estimate?: { readonly hours?: number; readonly cost?: number };
  /** Direct predecessors: the truth about edges. */
  readonly after?: readonly string[];
  /** The predecessors that must end as done. */
  readonly after_success?: readonly string[];
  readonly tags?: readonly string[];
  readonly skills?: readonly string[];
  readonly inputs?: readonly string[];
  readonly deliverables?: readonly string[];
  readonly artifacts?: readonly string[];
  /** The shell command of a task that needs no model. */
  readonly exec?: string;
  readonly not_before?: string;
  readonly created_at?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly log?: readonly LogEntry[];
  readonly retry_count?: number;
  readonly failure_reason?: string;
  readonly ready_after?: string;
  readonly paused?: boolean;
  readonly exec_mode?: 'full' | 'light' | 'bare' | 'shell';
  readonly parent?: string;
  readonly created_by?: string;
  /** How many claims were ever made; the number that fences off late writers. */
  readonly fence?: number;
  /** `seq` of the last event that touched the task. */
  readonly rev?: number;
  readonly team?: string;
  /** The name of the team member who owns the task. */
  readonly member?: string;
  /** How long one attempt may run. */
  readonly timeout?: string;
  /** Fields of other tools and of later versions, kept through every rewrite. */
  readonly [field: string]: unknown;
}

/** A line of the graph that is no task: a resource, or a kind this version does not know. Kept as found. */
export interface OtherNode {
  readonly kind: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

export type GraphNode = Task | OtherNode;

export function isTask(node: GraphNode): node is Task {
  return node.kind === 'task';
}

export type NodeFields = JsonObject;
