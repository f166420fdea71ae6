import {
  gateKind,
  isGate,
  type Workflow,
  type WorkflowFile,
  type WorkflowNode,
  type WorkflowStep,
  workflowSchema,
} from '#core/catalog/workflow.js';
import { workflowFlow } from '#core/catalog/workflow-flow.js';
import { TroupeError } from '#kernel/errors.js';
import { explainIssue, type Issue } from '#kernel/issues.js';
import { cut, inert } from '#kernel/text.js';

/**
 * Converts a parsed workflow file to a `Workflow`. Errors: `workflow_invalid` for unknown keys, unknown nodes, repeated
 * ids and cycles without a gate that leads back, with file and field; `workflow_unsupported` for flows that tasks
 * cannot represent.
 */
export function parseWorkflow(value: unknown, file: string): Workflow {
  const parsed = workflowSchema.safeParse(value);
  if (!parsed.success) {
    const { field, text } = explainIssue(parsed.error.issues[0] as Issue, value);
    refuse(file, field.map(String).join('.'), text);
  }
  const workflow = withNames(parsed.data);
  checkNodes(workflow, file);
  checkReferences(workflow, file);
  checkTrigger(workflow, file);
  workflowFlow(workflow, file);
  return workflow;
}

function withNames(file: WorkflowFile): Workflow {
  return {
    ...file,
    name: file.name ?? wordsOf(file.id),
    description: file.description ?? file.name ?? wordsOf(file.id),
    version: file.version ?? 1,
    nodes: file.nodes.map(({ steps, ...node }) => ({
      ...namedStep(node),
      ...(steps === undefined ? {} : { steps: steps.map((step) => namedStep(step)) }),
    })),
  };
}

interface StepFields {
  readonly id: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly prompt?: string | undefined;
  readonly archetype?: string | string[] | undefined;
  readonly agent?: string | string[] | undefined;
}

function namedStep<Step extends StepFields>(
  step: Step,
): Omit<Step, keyof StepFields> & Omit<WorkflowStep, 'run' | 'timeout'> {
  const { id, prompt, archetype, agent, label = wordsOf(id), description = prompt ?? label, ...rest } = step;
  const who = archetype ?? agent;
  return {
    ...rest,
    id,
    label,
    description,
    ...(prompt === undefined ? {} : { prompt }),
    ...(who === undefined ? {} : { archetype: who }),
  };
}

/** `write-the-draft` → `Write the draft`. */
function wordsOf(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function checkNodes(workflow: Workflow, file: string): void {
  const nodeIds = new Set<string>();
  const taskIds = new Set<string>();
  for (const [index, node] of workflow.nodes.entries()) {
    if (nodeIds.has(node.id)) refuse(file, `nodes.${index}.id`, `“${node.id}” is used twice`);
    nodeIds.add(node.id);
    const problem = nodeProblem(node);
    if (problem) refuse(file, `nodes.${index}.${problem.field}`, problem.text);
    const tasks = [node.id, ...(node.steps ?? []).map((step) => `${node.id}-${step.id}`)];
    if (node.type === 'coordinator_composed') tasks.push(`${node.id}-join`);
    for (const id of tasks) {
      if (taskIds.has(id)) refuse(file, `nodes.${index}.id`, `two steps would become the task “${id}”`);
      taskIds.add(id);
    }
  }
}

function nodeProblem(node: WorkflowNode): { field: string; text: string } | undefined {
  const commanded = node.type === 'run' || (isGate(node) && gateKind(node) === 'command');
  if (commanded && node.run === undefined) return { field: 'run', text: 'this step needs a command' };
  if (node.run !== undefined && !commanded && node.type !== 'fan_in')
    return { field: 'run', text: `a ${node.type} has no command` };
  if (node.type === 'serial' && node.steps === undefined) return { field: 'steps', text: 'a serial node needs steps' };
  if (node.type !== 'serial' && node.steps !== undefined)
    return { field: 'steps', text: `a ${node.type} has no steps` };
  if (node.type !== 'terminal' && node.target !== undefined)
    return { field: 'target', text: 'only a terminal node has a target' };
  if (node.type !== 'check' && node.gate_kind !== undefined)
    return { field: 'gate_kind', text: 'only a check has a kind of gate' };
  if (!isGate(node) && node.branches !== undefined) return { field: 'branches', text: 'only a gate has branches' };
  if (!isGate(node) && node.reviews !== undefined) return { field: 'reviews', text: 'only a gate reviews' };
  if (node.type !== 'run' && node.for_each !== undefined)
    return { field: 'for_each', text: 'only a run node has copies' };
  return undefined;
}

function checkReferences(workflow: Workflow, file: string): void {
  const nodeIds = new Set(workflow.nodes.map((node) => node.id));
  const check = (id: string, field: string) => {
    if (!nodeIds.has(id)) refuse(file, field, `there is no node “${id}”`);
  };
  for (const [index, edge] of workflow.edges.entries()) {
    for (const end of ['from', 'to'] as const) check(edge[end], `edges.${index}.${end}`);
    const from = workflow.nodes.find((node) => node.id === edge.from);
    if (edge.when === undefined || edge.when === 'always' || !from) continue;
    if (!isGate(from)) refuse(file, `edges.${index}.when`, 'only a gate has branches to choose from');
    const labels = Array.isArray(from.branches) ? from.branches : Object.keys(from.branches ?? {});
    if (from.branches !== undefined && !labels.includes(edge.when))
      refuse(file, `edges.${index}.when`, `“${from.id}” has no branch “${edge.when}”`);
  }
  for (const [index, node] of workflow.nodes.entries())
    for (const id of [node.reviews ?? []].flat()) check(id, `nodes.${index}.reviews`);
  for (const [index, stage] of (workflow.stages ?? []).entries())
    for (const id of stage.nodes) check(id, `stages.${index}.nodes`);
  for (const id of Object.keys(workflow.loops ?? {})) check(id, `loops.${id}`);
  if (workflow.start !== undefined) check(workflow.start, 'start');
  const inputs = (workflow.inputs ?? []).map((input) => input.name);
  const twice = inputs.find((name, index) => inputs.indexOf(name) !== index);
  if (twice !== undefined) refuse(file, 'inputs', `“${twice}” appears twice`);
}

function checkTrigger({ trigger }: Workflow, file: string): void {
  if (!trigger) return;
  if ((trigger.type === 'schedule') !== (trigger.every !== undefined))
    refuse(file, 'trigger.every', 'a schedule, and only a schedule, says how often');
  if ((trigger.type === 'event') !== (trigger.event !== undefined))
    refuse(file, 'trigger.event', 'an event, and only an event, says which');
}

function refuse(file: string, field: string, message: string): never {
  throw new TroupeError('workflow_invalid', {
    what: `${file}: ${field === '' ? '' : `${cut(inert(field), 120)}: `}${cut(inert(message), 300)}`,
    details: { file, field },
  });
}
