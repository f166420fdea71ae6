/**
 * Playbooks, which turn a goal into tasks: workflows, compiled and triggered; functions, extracted from done tasks and
 * applied; crews, panels and sweeps, whose line-up a person accepts. Their runs: state, steering, end.
 * @packageDocumentation
 */
import { gateKind, isGate, type Workflow, type WorkflowNode } from '#core/catalog/workflow.js';
import { type Loop, reachable, type WorkflowFlow, workflowFlow } from '#core/catalog/workflow-flow.js';
import { TroupeError } from '#kernel/errors.js';
import { cut } from '#kernel/text.js';
import type { CompiledStep, CompiledTask, CompiledWorkflow, CompileInput, PolicyStep } from './compiled.js';
import { isWork, type NodePiece, piecesOf } from './node-tasks.js';
import { Owners } from './owners.js';

interface Before {
  readonly id: string;
  readonly always: boolean;
}

/** Context shared by all steps of one compilation. */
interface Compilation {
  readonly workflow: Workflow;
  readonly flow: WorkflowFlow;
  readonly input: CompileInput;
  readonly pieces: ReadonlyMap<string, readonly (readonly NodePiece[])[]>;
  readonly nodes: ReadonlyMap<string, WorkflowNode>;
}

/**
 * Compiles a workflow, facts about a repository and a team to tasks. Pure and deterministic: equal inputs give equal
 * tasks in equal order. Steps whose fact is false are left out, and their dependents come after their predecessors.
 * Errors: `workflow_invalid`, `workflow_unsupported`.
 */
export function compileWorkflow(original: Workflow, input: CompileInput): CompiledWorkflow {
  checkEnvironment(input.environment);
  const workflow = input.policy === undefined ? original : withPolicy(original, input.policy);
  const flow = workflowFlow(workflow);
  const pieces = new Map(workflow.nodes.map((node) => [node.id, piecesOf(node, input)]));
  const nodes = new Map(workflow.nodes.map((node) => [node.id, node]));
  const compilation: Compilation = { workflow, flow, input, pieces, nodes };
  const owners = new Owners(input);
  const heldIds: string[] = [];
  // Gates are assigned last, because a reviewer must have done none of the work.
  const ownership = new Map(
    [...workflow.nodes.filter((node) => !isGate(node)), ...workflow.nodes.filter(isGate)].map((node) => [
      node.id,
      ownersOf(node, compilation, owners),
    ]),
  );
  const tasks: CompiledTask[] = [];
  const steps: CompiledStep[] = [];
  for (const node of workflow.nodes) {
    for (const [row, chain] of (pieces.get(node.id) ?? []).entries()) {
      for (const [index, piece] of chain.entries()) {
        const previous = chain[index - 1];
        const before = previous ? [{ id: previous.node, always: false }] : predecessors(compilation, node.id);
        const loop = index === 0 ? loopAt(compilation, node.id) : undefined;
        const owner = ownership.get(node.id)?.[row]?.[index] ?? {};
        const task = taskOf(compilation, node, piece, { ...edgesOf(compilation, before, loop), ...owner });
        if (task.workflow.held !== undefined) heldIds.push(task.id);
        tasks.push(task);
        steps.push({ node: piece.node, task_id: task.id, type: node.type });
      }
    }
  }
  const warnings = [...flow.warnings, ...owners.warnings];
  if (heldIds.length > 0)
    warnings.push(
      `The commands of this workflow are not trusted here: ${heldIds.join(', ')} will not start until you run \`troupe trust workflow ${workflow.id}\`.`,
    );
  return { tasks, steps, warnings };
}

function checkEnvironment(environment: CompileInput['environment']): void {
  for (const name of Object.keys(environment)) {
    if (/^IN_[A-Z][A-Z0-9_]*$/.test(name)) continue;
    throw new TroupeError('workflow_invalid', {
      what: `“${name}” is not the name of a workflow input.`,
      hint: 'Inputs are called IN_<NAME>.',
    });
  }
}

function ownersOf(node: WorkflowNode, compilation: Compilation, owners: Owners) {
  const reviewed = isGate(node) ? reviewedBy(compilation, node) : [];
  return (compilation.pieces.get(node.id) ?? []).map((chain) => {
    if (node.type === 'coordinator_composed') return [owners.of(node, []), {}];
    return chain.map(({ step }) => (step ? owners.worker(node.id, step) : owners.of(node, reviewed)));
  });
}

/** Nodes that a gate reviews: those it names, otherwise all work before it. */
function reviewedBy({ workflow, flow }: Compilation, gate: WorkflowNode): string[] {
  if (gate.reviews !== undefined) return [gate.reviews].flat();
  return workflow.nodes
    .filter((node) => isWork(node) && reachable(flow.forward, node.id).has(gate.id))
    .map((node) => node.id);
}

/** Pieces that must end before those of `id`; nodes without pieces are replaced by their own predecessors. */
function predecessors(compilation: Compilation, id: string): Before[] {
  return compilation.flow.forward
    .filter((edge) => edge.to === id)
    .flatMap((edge): Before[] => {
      const node = compilation.nodes.get(edge.from);
      const advice = node !== undefined && isGate(node) && gateKind(node) === 'rubberduck';
      const always = edge.always || advice;
      const last = (compilation.pieces.get(edge.from) ?? []).flatMap((chain) => chain.at(-1) ?? []);
      if (last.length > 0) return last.map((piece) => ({ id: piece.node, always }));
      // A left-out step cannot fail, so only the condition of its own predecessors remains.
      return predecessors(compilation, edge.from).map((before) => ({ id: before.id, always: always || before.always }));
    });
}

function loopAt(compilation: Compilation, id: string): Loop | undefined {
  const loop = compilation.flow.loops.find((each) => each.header === id);
  if (!loop) return undefined;
  for (const node of [loop.header, ...loop.gates]) {
    if (compilation.pieces.get(node)?.length === 1) continue;
    throw new TroupeError('workflow_unsupported', {
      what: `${compilation.workflow.id}: a cycle starts and ends with one task; “${node}” is not a task.`,
    });
  }
  return loop;
}

function edgesOf({ input }: Compilation, before: readonly Before[], loop: Loop | undefined): Partial<CompiledTask> {
  const named = (ids: readonly string[]) => [...new Set(ids)].sort().map((id) => `${input.prefix}-${id}`);
  const after = named([...before.map((edge) => edge.id), ...(loop?.gates ?? [])]);
  // Of two paths to the same task, the one that requires success prevails.
  const success = named(before.filter((edge) => !edge.always).map((edge) => edge.id));
  const last = loop?.gates.at(-1);
  return {
    ...(after.length === 0 ? {} : { after }),
    ...(success.length === 0 ? {} : { after_success: success }),
    ...(loop === undefined || last === undefined
      ? {}
      : { max_iterations: loop.max, cycle_guard: `task:${input.prefix}-${last}=failed` }),
    ...(loop !== undefined && loop.gates.length > 1 ? { max_failure_restarts: loop.max } : {}),
  };
}

/** Title of a step with the subject of the run. Commands get none, because they do the same for any goal. */
function titleOf({ title, exec }: NodePiece, { subject }: CompileInput): string {
  const [line = ''] = subject?.trim().split('\n') ?? [];
  return exec !== undefined || line === '' ? title : `${title}: ${cut(line, SUBJECT_CHARACTERS)}`;
}

/** Maximum characters of the subject in a title of the task list. */
const SUBJECT_CHARACTERS = 60;

function taskOf(
  compilation: Compilation,
  node: WorkflowNode,
  piece: NodePiece,
  more: Partial<CompiledTask>,
): CompiledTask {
  const { input, workflow, flow } = compilation;
  const deliverable = node.type === 'run' ? input.deliverable?.(piece.node) : undefined;
  const isHeld = piece.exec !== undefined && piece.exec !== 'true' && input.untrusted !== undefined;
  const end = !flow.forward.some(
    (edge) => edge.from === node.id && compilation.nodes.get(edge.to)?.type !== 'terminal',
  );
  const role = piece.role ?? (end ? 'end' : undefined);
  return {
    id: `${input.prefix}-${piece.node}`,
    title: titleOf(piece, input),
    description: piece.description,
    ...(piece.exec === undefined || isHeld ? {} : { exec: piece.exec }),
    ...(piece.exec !== undefined ? { exec_mode: 'shell' } : isGate(node) ? { exec_mode: 'light' } : {}),
    ...(piece.timeout === undefined ? {} : { timeout: piece.timeout }),
    ...more,
    tags: [`wf:${input.prefix}`, ...piece.tags],
    ...(piece.environment === undefined ? {} : { environment: piece.environment }),
    ...(deliverable === undefined ? {} : { deliverables: [deliverable] }),
    workflow: {
      id: workflow.id,
      run: input.prefix,
      node: piece.node,
      ...(role === undefined ? {} : { role }),
      ...(isHeld ? { held: piece.exec, sha256: input.untrusted } : {}),
    },
  };
}

/**
 * Checks that a draft compiles for a team of these archetypes under this policy. Errors: `workflow_invalid`,
 * `workflow_unsupported`.
 */
export function checkCompiles(draft: Workflow, roster: readonly string[], policy: readonly PolicyStep[]): void {
  const members = [...roster.entries()].map(([index, archetypeId]) => ({
    name: `Member ${index + 1}`,
    archetypeId,
    status: 'Active',
  }));
  const team = { leader: members[0]?.name ?? '', members };
  compileWorkflow(draft, { facts: [], commands: [], team, prefix: draft.id, environment: {}, policy });
}

const WORDS: Readonly<Record<PolicyStep, { label: string; description: string }>> = {
  safety: {
    label: 'Check that it is safe',
    description: 'Looks at the finished work for harm it could do: to people, to their data, to their rights.',
  },
  'peer-review': {
    label: 'Review by a colleague',
    description: 'Someone who did none of the work checks whether it does what was asked.',
  },
  rubberduck: {
    label: 'Think it through aloud',
    description:
      'Goes through the work step by step and notes what is not plain. Advice: nothing waits for its verdict.',
  },
  'human-review': {
    label: 'A person decides',
    description: 'A person looks at the work and accepts it, sends it back or ends it.',
  },
};

/**
 * Adds the gates of a review policy: before every merge, otherwise before the successful end. A gate that is already on
 * every path is sufficient.
 */
function withPolicy(workflow: Workflow, steps: readonly PolicyStep[]): Workflow {
  const merges = workflow.nodes.filter((node) => node.type === 'merge');
  const ends = workflow.nodes.filter((node) => node.type === 'terminal' && (node.target ?? 'success') === 'success');
  return (merges.length > 0 ? merges : ends).reduce((current, end) => addGuard(current, end.id, steps), workflow);
}

function addGuard(workflow: Workflow, end: string, steps: readonly PolicyStep[]): Workflow {
  const missing = [...new Set(steps)].filter((step) => !onEveryWay(workflow, end, step));
  if (missing.length === 0) return workflow;
  const nodes = [...workflow.nodes];
  const chain = missing.map((step) => {
    const node: WorkflowNode = {
      id: freeId(nodes, `policy-${step}`),
      ...WORDS[step],
      ...(step === 'peer-review' ? { type: 'peer_review' } : { type: 'check', gate_kind: step }),
    };
    nodes.splice(
      nodes.findIndex((each) => each.id === end),
      0,
      node,
    );
    return node.id;
  });
  const flow = workflowFlow(workflow);
  const leads = (edge: Workflow['edges'][number]) =>
    edge.to === end && flow.forward.some((each) => each.from === edge.from && each.to === end);
  const edges = workflow.edges.map((edge) => (leads(edge) ? { ...edge, to: chain[0] ?? end } : edge));
  for (const [index, from] of chain.entries()) edges.push({ from, to: chain[index + 1] ?? end });
  return { ...workflow, nodes, edges };
}

function onEveryWay(workflow: Workflow, end: string, step: PolicyStep): boolean {
  const guards = new Set(workflow.nodes.filter((node) => isGate(node) && gateKind(node) === step).map(({ id }) => id));
  const forward = workflowFlow(workflow).forward;
  const open = forward.filter((edge) => !guards.has(edge.from) && !guards.has(edge.to));
  const entries = workflow.nodes.filter((node) => !forward.some((edge) => edge.to === node.id) && !guards.has(node.id));
  return entries.every((entry) => !reachable(open, entry.id).has(end));
}

function freeId(nodes: readonly WorkflowNode[], base: string): string {
  const ids = new Set(nodes.map((node) => node.id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!ids.has(id)) return id;
  }
}
