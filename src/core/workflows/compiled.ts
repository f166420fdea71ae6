import type { WorkflowFact, WorkflowNode } from '#core/catalog/workflow.js';
import { addTask } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** A task as a compiler writes it: all the graph needs but status and times, which the commit adds. */
export interface CompiledTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** A command; without it, and with `exec_mode: shell`, nothing can be started. */
  readonly exec?: string;
  readonly exec_mode?: 'shell' | 'light';
  readonly timeout?: string;
  /** Name of the team member who owns it; nobody yet where nobody fits. */
  readonly member?: string;
  /** What whoever takes it should be able to do, where nobody owns it. */
  readonly skills?: readonly string[];
  readonly tags: readonly string[];
  readonly after?: readonly string[];
  readonly after_success?: readonly string[];
  readonly max_iterations?: number;
  readonly cycle_guard?: string;
  readonly max_failure_restarts?: number;
  /** `IN_<NAME>` only: the way in which anything that varies reaches the command. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly deliverables?: readonly string[];
  /** A person does it; it is never given to a run. */
  readonly human?: true;
  readonly workflow: WorkflowMark;
}

/** What a task says of the workflow it is a step of. */
export interface WorkflowMark {
  readonly id: string;
  readonly run: string;
  readonly node: string;
  readonly role?: 'gate' | 'advice' | 'merge' | 'end';
  /** A command that nobody trusts yet: kept aside, so that nothing can start it. */
  readonly held?: string;
  /** Of the definition with its commands, where those need trust. */
  readonly sha256?: string;
}

/** Which task came from which node. `node` is unique also where one node became several tasks. */
export interface CompiledStep {
  readonly node: string;
  readonly task_id: string;
  readonly type: WorkflowNode['type'];
}

/** What the compiler must know of a team; any richer team will do. */
export interface Seats {
  readonly leader: string;
  readonly members: readonly { readonly name: string; readonly archetypeId: string; readonly status: string }[];
}

/** A step that a review policy asks for. */
export type PolicyStep = 'safety' | 'peer-review' | 'rubberduck' | 'human-review';

export interface CompileInput {
  readonly facts: readonly WorkflowFact[];
  /** One task each for a node with `for_each: repository-commands`. */
  readonly commands: readonly { readonly id: string; readonly title: string }[];
  /** Nobody, where no team was cast: then steps belong to nobody, and people judge. */
  readonly team: Seats;
  /** Begins every task id and names the run: `review`, `review-2`. */
  readonly prefix: string;
  /** Given to every command; names begin with `IN_`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where a `run` step leaves its evidence, for the task's deliverables. */
  readonly deliverable?: (node: string) => string;
  /** What members of an archetype are able to do. */
  readonly capabilities?: (archetype: string) => readonly string[];
  /** What the run is for, said with every step that a member does. */
  readonly goal?: string | undefined;
  /** The same in a line, for their titles. */
  readonly subject?: string | undefined;
  /** Gates that must stand before the end, in this order. */
  readonly policy?: readonly PolicyStep[];
  /** Fingerprint of a definition whose commands nobody trusts. */
  readonly untrusted?: string | undefined;
}

export interface CompiledWorkflow {
  readonly tasks: readonly CompiledTask[];
  readonly steps: readonly CompiledStep[];
  readonly warnings: readonly string[];
}

/** All tasks of a compilation, together: those that come before may stand behind in the list, as in a cycle. */
export function addCompiled(
  view: GraphView,
  tasks: readonly CompiledTask[],
  by: { now: number; actor: string },
): Plan<undefined> {
  const coming = new Set(tasks.map((task) => task.id));
  const events = tasks.flatMap(({ workflow, human, ...task }) => {
    const marks = { workflow: { ...workflow }, ...(human === true ? { human: true } : {}) } as NodeFields;
    return addTask(view, { ...task, no_place: true }, { ...by, coming }).events.map((event) => ({
      ...event,
      patch: event.patch.map((patch) =>
        patch.id === task.id && 'put' in patch ? { ...patch, put: { ...patch.put, ...marks } } : patch,
      ),
    }));
  });
  return { events, result: undefined };
}
