/** Statuses of a task, in their usual order. */
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

/** Whether a status is terminal and lets dependents start. */
export function isTerminal(status: Status): boolean {
  return status === 'done' || status === 'failed' || status === 'abandoned';
}

export interface LogEntry {
  readonly timestamp: string;
  readonly actor?: string;
  readonly message: string;
}

export const VISIBILITIES = ['internal', 'peer', 'public'] as const;
export const CONTEXT_SCOPES = ['clean', 'task', 'graph', 'full'] as const;
export const EXEC_MODES = ['full', 'light', 'bare', 'shell'] as const;
/** Working folder of a task that follows merged work: a worktree made from `wg/integration`, or the project. */
export const WORK_PLACES = ['integration', 'project'] as const;
export const PROVIDERS = ['anthropic', 'openai', 'openrouter', 'local'] as const;

/** Condition for a cycle to iterate again. */
export type Guard =
  | 'Always'
  | { readonly TaskStatus: { readonly task: string; readonly status: Status } }
  | { readonly IterationLessThan: number };

/** Configuration on the header of a cycle, which limits it. */
export interface CycleConfig {
  readonly max_iterations: number;
  readonly guard?: Guard;
  readonly delay?: string;
  readonly no_converge?: true;
  readonly restart_on_failure?: false;
  readonly max_failure_restarts?: number;
}

export type WaitCondition =
  | { readonly type: 'human-input' }
  | { readonly type: 'message' }
  | { readonly type: 'task-status'; readonly task_id: string; readonly status: Status }
  | { readonly type: 'timer'; readonly resume_after: string }
  | {
      readonly type: 'file-changed';
      readonly path: string;
      /** Milliseconds; 0 if the file did not exist. */
      readonly mtime_at_wait: number;
      readonly size_at_wait?: number;
    };

/** Condition of a waiting task. */
export interface WaitSpec {
  readonly mode: 'all' | 'any';
  readonly since: string;
  /** The run that parked it. */
  readonly by?: string;
  readonly conditions: readonly WaitCondition[];
}

/** A task as stored. Times are RFC 3339 in UTC, durations `30s`, `5m`, `2h`, `1d`. Empty values are omitted. */
export type Task = {
  readonly kind: 'task';
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly description?: string;
  /** Holder of the claim: a run or a person. */
  readonly assigned?: string;
  readonly estimate?: { readonly hours?: number; readonly cost?: number };
  /** Direct predecessors; the authoritative record of edges. */
  readonly after?: readonly string[];
  /** Predecessors that must end as done. */
  readonly after_success?: readonly string[];
  readonly tags?: readonly string[];
  readonly skills?: readonly string[];
  /** Labels that a worker must have to run the task. */
  readonly needs?: readonly string[];
  readonly inputs?: readonly string[];
  readonly deliverables?: readonly string[];
  readonly artifacts?: readonly string[];
  /** The shell command of a task that needs no model. */
  readonly exec?: string;
  readonly delay?: string;
  readonly not_before?: string;
  readonly created_at?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly log?: readonly LogEntry[];
  readonly retry_count?: number;
  readonly max_retries?: number;
  readonly failure_reason?: string;
  readonly model?: string;
  readonly provider?: (typeof PROVIDERS)[number];
  /** Instructions for a reviewer. Never executed. */
  readonly verify?: string;
  /** A command that must exit with 0 before the review begins. */
  readonly verify_cmd?: string;
  /** The task counts as done only once all its work is committed. */
  readonly require_commit?: boolean;
  /** The commit of `wg/integration` that last merged its work: dependents run on files that include it. */
  readonly merged?: string;
  /** Number of times its cycle has iterated. */
  readonly loop_iteration?: number;
  readonly last_iteration_completed_at?: string;
  readonly cycle_failure_restarts?: number;
  readonly cycle_config?: CycleConfig;
  /** On the header: reason and time of the end of its cycle. Void once a member changes afterwards. */
  readonly cycle_ended?: { readonly reason: string; readonly at: string };
  readonly ready_after?: string;
  readonly paused?: boolean;
  readonly visibility?: (typeof VISIBILITIES)[number];
  readonly context_scope?: (typeof CONTEXT_SCOPES)[number];
  readonly exec_mode?: (typeof EXEC_MODES)[number];
  /** Overrides the settings. */
  readonly in?: (typeof WORK_PLACES)[number];
  readonly session_id?: string;
  readonly wait_condition?: WaitSpec;
  /** Note of a waiting or interrupted attempt for the next one. */
  readonly checkpoint?: string;
  readonly rejection_count?: number;
  readonly max_rejections?: number;
  readonly superseded_by?: readonly string[];
  readonly supersedes?: string;
  /** Not placed in the graph yet. */
  readonly unplaced?: boolean;
  readonly place_near?: readonly string[];
  readonly place_before?: readonly string[];
  /** `--converged` was given while a review is still pending. */
  readonly converge_on_done?: boolean;
  /** Id of the task whose run added this one. */
  readonly parent?: string;
  /** Id of the task that this one is a part of. */
  readonly epic?: string;
  readonly created_by?: string;
  /** Number of claims so far; fences off late writers. */
  readonly fence?: number;
  /** `seq` of the last event that touched the task. */
  readonly rev?: number;
  readonly team?: string;
  /** Id of the conversation that the task answers. */
  readonly conversation?: string;
  /** Name of the team member who owns the task. */
  readonly member?: string;
  /** Time limit of one attempt. */
  readonly timeout?: string;
};

/** A node that is not a task: a resource, or a kind unknown to this version. Kept unchanged. */
export interface OtherNode {
  readonly kind: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

export type GraphNode = Task | OtherNode;

export function isTask(node: GraphNode): node is Task {
  return node.kind === 'task';
}

/** Fields of a node of any kind, as in a patch. */
export type NodeFields = Readonly<Record<string, unknown>>;

/** Whether a value is a valid status; for files written by hand or by other tools. */
export function isStatus(word: unknown): word is Status {
  return STATUSES.includes(word as Status);
}
