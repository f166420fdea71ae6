import type { Workflow, WorkflowFact, WorkflowNode } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';

/** A task as a compiler writes it: all the graph needs but status and times, which the commit adds. */
export interface CompiledTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly exec: string;
  readonly exec_mode: 'shell';
  readonly timeout?: string;
  /** Name of the team member who owns it. */
  readonly member: string;
  readonly tags: readonly string[];
  readonly after?: readonly string[];
  readonly after_success?: readonly string[];
  /** `IN_<NAME>` only: the way in which anything that varies reaches the command. */
  readonly environment: Readonly<Record<string, string>>;
  readonly deliverables?: readonly string[];
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

export interface CompileInput {
  readonly facts: readonly WorkflowFact[];
  /** One task each for a node with `for_each: repository-commands`. */
  readonly commands: readonly { readonly id: string; readonly title: string }[];
  readonly team: Seats;
  /** Begins every task id and names the run: `review`, `review-2`. */
  readonly prefix: string;
  /** Given to every task; names begin with `IN_`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where a `run` step leaves its evidence, for the task's deliverables. */
  readonly deliverable?: (node: string) => string;
}

export interface CompiledWorkflow {
  readonly tasks: readonly CompiledTask[];
  readonly steps: readonly CompiledStep[];
  readonly warnings: readonly string[];
}

interface Before {
  readonly id: string;
  readonly always: boolean;
}

/**
 * A workflow, the facts about a repository and a team, made tasks. Pure and byte-stable: equal inputs give equal
 * tasks in equal order. Steps whose fact does not hold are left out, and what came after them comes after what came
 * before them.
 */
export function compileWorkflow(workflow: Workflow, input: CompileInput): CompiledWorkflow {
  for (const name of Object.keys(input.environment)) {
    if (!/^IN_[A-Z][A-Z0-9_]*$/.test(name)) {
      throw new TroupeError('workflow_invalid', {
        what: `“${name}” is no name of a workflow input.`,
        hint: 'Inputs are called IN_<NAME>.',
      });
    }
  }
  const owners = new Owners(input.team);
  const copies = new Map(workflow.nodes.map((node) => [node.id, copiesOf(node, input)]));
  const tasks: CompiledTask[] = [];
  const steps: CompiledStep[] = [];
  for (const node of workflow.nodes) {
    const before = predecessors(workflow, node.id, copies);
    const after = [...new Set(before.map((edge) => edge.id))].sort().map((id) => `${input.prefix}-${id}`);
    // Two ways to the same task, one of which asks for success: success is asked for.
    const success = [...new Set(before.filter((edge) => !edge.always).map((edge) => edge.id))].sort();
    for (const copy of copies.get(node.id) ?? []) {
      const id = `${input.prefix}-${copy.node}`;
      const deliverable = node.type === 'run' ? input.deliverable?.(copy.node) : undefined;
      tasks.push({
        id,
        title: copy.title,
        description: node.description,
        exec: node.run ?? 'true',
        exec_mode: 'shell',
        ...(node.timeout === undefined ? {} : { timeout: node.timeout }),
        member: owners.of(node),
        tags: [`wf:${input.prefix}`],
        ...(after.length === 0 ? {} : { after }),
        ...(success.length === 0 ? {} : { after_success: success.map((name) => `${input.prefix}-${name}`) }),
        environment: { ...input.environment, ...copy.environment },
        ...(deliverable === undefined ? {} : { deliverables: [deliverable] }),
      });
      steps.push({ node: copy.node, task_id: id, type: node.type });
    }
  }
  return { tasks, steps, warnings: owners.warnings };
}

interface Copy {
  readonly node: string;
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
}

function copiesOf(node: WorkflowNode, input: CompileInput): Copy[] {
  if (node.when !== undefined && !input.facts.includes(node.when)) return [];
  if (node.for_each === undefined) return [{ node: node.id, title: node.label, environment: { IN_NODE: node.id } }];
  return input.commands.map((command) => {
    const id = `${node.id}-${command.id}`;
    return { node: id, title: command.title, environment: { IN_NODE: id, IN_COMMAND: command.id } };
  });
}

/** The tasks that must end before those of `id`; through nodes that were left out, to the ones before them. */
function predecessors(workflow: Workflow, id: string, copies: ReadonlyMap<string, readonly Copy[]>): Before[] {
  return workflow.edges
    .filter((edge) => edge.to === id)
    .flatMap((edge): Before[] => {
      const always = edge.when === 'always';
      const present = copies.get(edge.from) ?? [];
      if (present.length > 0) return present.map((copy) => ({ id: copy.node, always }));
      // A step that does not exist cannot fail: only its own predecessors' condition is left.
      return predecessors(workflow, edge.from, copies).map((before) => ({
        id: before.id,
        always: always || before.always,
      }));
    });
}

/** Hands out steps to members: round robin within an archetype, gates to the leader, and the leader for want of others. */
class Owners {
  readonly warnings: string[] = [];
  private readonly team: Seats;
  private readonly turns = new Map<string, number>();

  constructor(team: Seats) {
    this.team = team;
  }

  of(node: WorkflowNode): string {
    if (node.type === 'check') return this.team.leader;
    const wanted = node.archetype === undefined ? [] : [node.archetype].flat();
    for (const archetype of wanted) {
      const able = this.team.members.filter((member) => member.archetypeId === archetype && member.status === 'Active');
      const turn = this.turns.get(archetype) ?? 0;
      const member = able[turn % Math.max(1, able.length)];
      if (member) {
        this.turns.set(archetype, turn + 1);
        return member.name;
      }
    }
    if (wanted.length > 0) {
      const warning = `Nobody on the team is ${wanted.join(' or ')}: ${this.team.leader} takes “${node.label}”.`;
      if (!this.warnings.includes(warning)) this.warnings.push(warning);
    }
    return this.team.leader;
  }
}
