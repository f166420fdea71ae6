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

export const VISIBILITIES = ['internal', 'peer', 'public'] as const;
export const CONTEXT_SCOPES = ['clean', 'task', 'graph', 'full'] as const;
export const EXEC_MODES = ['full', 'light', 'bare', 'shell'] as const;
/** Where work that comes after merged work finds its files: in a worktree made from `wg/integration`, or in the project. */
export const WORK_PLACES = ['integration', 'project'] as const;
export const PROVIDERS = ['anthropic', 'openai', 'openrouter', 'local'] as const;

/** What must hold for a cycle to go round again. */
export type Guard =
  | 'Always'
  | { readonly TaskStatus: { readonly task: string; readonly status: Status } }
  | { readonly IterationLessThan: number };

/** Stands on the header of a cycle and bounds it. */
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
      /** Milliseconds; 0 when there was no such file. */
      readonly mtime_at_wait: number;
      readonly size_at_wait?: number;
    };

/** What a parked task waits for. */
export interface WaitSpec {
  readonly mode: 'all' | 'any';
  readonly since: string;
  /** The run that parked it. */
  readonly by?: string;
  readonly conditions: readonly WaitCondition[];
}

/** A task as it is kept. Times are RFC 3339 in UTC, durations `30s`, `5m`, `2h`, `1d`. Empty values are left out. */
export type Task = {
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
  /** Labels that whoever carries it out must have. */
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
  /** Text: what a reviewer has to look at. Never executed. */
  readonly verify?: string;
  /** A command that must end with 0 before the review begins. */
  readonly verify_cmd?: string;
  /** It counts as done only when its work is committed, all of it. */
  readonly require_commit?: boolean;
  /** The commit of `wg/integration` that its work was last merged with: what comes after it runs on files that have it. */
  readonly merged?: string;
  /** How often its cycle was re-opened. */
  readonly loop_iteration?: number;
  readonly last_iteration_completed_at?: string;
  readonly cycle_failure_restarts?: number;
  readonly cycle_config?: CycleConfig;
  /** On the header: that its cycle came to an end, why and when. What a member does later makes it void. */
  readonly cycle_ended?: { readonly reason: string; readonly at: string };
  readonly ready_after?: string;
  readonly paused?: boolean;
  readonly visibility?: (typeof VISIBILITIES)[number];
  readonly context_scope?: (typeof CONTEXT_SCOPES)[number];
  readonly exec_mode?: (typeof EXEC_MODES)[number];
  /** Before what the settings say. */
  readonly in?: (typeof WORK_PLACES)[number];
  readonly session_id?: string;
  readonly wait_condition?: WaitSpec;
  /** What a parked or interrupted attempt left for the next. */
  readonly checkpoint?: string;
  readonly rejection_count?: number;
  readonly max_rejections?: number;
  readonly superseded_by?: readonly string[];
  readonly supersedes?: string;
  /** Waits for its place in the graph. */
  readonly unplaced?: boolean;
  readonly place_near?: readonly string[];
  readonly place_before?: readonly string[];
  /** Said with `--converged` while a review is still to come. */
  readonly converge_on_done?: boolean;
  readonly parent?: string;
  readonly created_by?: string;
  /** How many claims were ever made; the number that fences off late writers. */
  readonly fence?: number;
  /** `seq` of the last event that touched the task. */
  readonly rev?: number;
  readonly team?: string;
  /** The id of the conversation that is answered by it. */
  readonly conversation?: string;
  /** The name of the team member who owns the task. */
  readonly member?: string;
  /** How long one attempt may run. */
  readonly timeout?: string;
};

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

/** Fields of a node as a change carries them, before it is known of which. */
export type NodeFields = Readonly<Record<string, unknown>>;

/** Is this word one of the statuses? For files written by hand or by other tools. */
export function isStatus(word: unknown): word is Status {
  return STATUSES.includes(word as Status);
}
