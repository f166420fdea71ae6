import type { WorkflowFact, WorkflowNode } from '#core/catalog/workflow.js';
import { addTask } from '#core/graph/add.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** A compiled task: all fields of a task except status and times, which the commit adds. */
export interface CompiledTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** A command. Without it, a task with `exec_mode: shell` cannot be started. */
  readonly exec?: string;
  readonly exec_mode?: 'shell' | 'light';
  readonly timeout?: string;
  /** Name of the team member who owns it; absent if no member fits. */
  readonly member?: string;
  /** Required skills, if it has no owner. */
  readonly skills?: readonly string[];
  readonly tags: readonly string[];
  readonly after?: readonly string[];
  readonly after_success?: readonly string[];
  readonly max_iterations?: number;
  readonly cycle_guard?: string;
  readonly max_failure_restarts?: number;
  /** `IN_<NAME>` only: all variable input of a command is passed this way. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly deliverables?: readonly string[];
  /** True for a task of a person, which is never given to a run. */
  readonly human?: true;
  readonly workflow: WorkflowMark;
}

/** Origin of a task that is a step of a workflow or a function. */
export interface WorkflowMark {
  readonly id: string;
  /** Absent for a workflow. */
  readonly kind?: 'function';
  readonly run: string;
  readonly node: string;
  readonly role?: 'gate' | 'advice' | 'merge' | 'end';
  /** An untrusted command, stored here so that it cannot be started. */
  readonly held?: string;
  /** Hash of the definition including its commands, if those need trust. */
  readonly sha256?: string;
}

/** Mapping from a node to its task. `node` is unique even if one node became several tasks. */
export interface CompiledStep {
  readonly node: string;
  readonly task_id: string;
  readonly type: WorkflowNode['type'];
}

/** The parts of a team that the compiler needs. */
export interface Seats {
  readonly leader: string;
  readonly members: readonly { readonly name: string; readonly archetypeId: string; readonly status: string }[];
}

/** A step required by a review policy. */
export type PolicyStep = 'safety' | 'peer-review' | 'rubberduck' | 'human-review';

export interface CompileInput {
  readonly facts: readonly WorkflowFact[];
  /** Repository commands; a node with `for_each: repository-commands` becomes one task for each. */
  readonly commands: readonly { readonly id: string; readonly title: string }[];
  /** Empty if no team was cast: then steps have no owner, and people do the reviews. */
  readonly team: Seats;
  /** Prefix of all task ids, and name of the run: `review`, `review-2`. */
  readonly prefix: string;
  /** Variables for every command; names begin with `IN_`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Path of the evidence of a `run` step, for the deliverables of its task. */
  readonly deliverable?: (node: string) => string;
  /** Capabilities of members of an archetype. */
  readonly capabilities?: (archetype: string) => readonly string[];
  /** Goal of the run, added to the description of each step done by a member. */
  readonly goal?: string | undefined;
  /** Goal in one line, for the titles of these steps. */
  readonly subject?: string | undefined;
  /** Gates required before the end, in this order. */
  readonly policy?: readonly PolicyStep[];
  /** Hash of a definition with untrusted commands. */
  readonly untrusted?: string | undefined;
}

export interface CompiledWorkflow {
  readonly tasks: readonly CompiledTask[];
  readonly steps: readonly CompiledStep[];
  readonly warnings: readonly string[];
}

/** Adds all tasks of a compilation at once. A predecessor may come later in the list, as in a cycle. */
export function addCompiled(
  view: GraphView,
  tasks: readonly CompiledTask[],
  by: { now: number; actor: string },
): Plan<undefined> {
  const coming = new Set(tasks.map((task) => task.id));
  const events = tasks.flatMap(({ workflow, human, ...task }) => {
    const marks = human === true ? { human } : {};
    return withMark(addTask(view, { ...task, no_place: true }, { ...by, coming }).events, task.id, workflow, marks);
  });
  return { events, result: undefined };
}

/** Events that add a task, which they also mark as a step. */
export function withMark(
  events: readonly EventDraft[],
  id: string,
  workflow: WorkflowMark,
  more: NodeFields = {},
): EventDraft[] {
  const marks = { workflow: { ...workflow }, ...more };
  return events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) =>
      patch.id === id && 'put' in patch ? { ...patch, put: { ...patch.put, ...marks } } : patch,
    ),
  }));
}
