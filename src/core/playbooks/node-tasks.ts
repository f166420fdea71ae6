import { gateKind, isGate, type WorkflowNode, type WorkflowStep } from '#core/catalog/workflow.js';
import type { CompileInput, WorkflowMark } from './compiled.js';

/**
 * Part of a node, before it has edges and an owner. The parts of a node form a chain; the first follows the
 * predecessors of the node.
 */
export interface NodePiece {
  /** Unique in the workflow; suffix of the task id. */
  readonly node: string;
  readonly title: string;
  readonly description: string;
  readonly exec?: string;
  readonly timeout?: string;
  readonly tags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly role?: WorkflowMark['role'];
  /** The step of a `serial` node. */
  readonly step?: WorkflowStep;
}

/**
 * Pieces of a node: those of one copy in sequence, copies in parallel. Empty for a node that only joins edges, or whose
 * fact is false.
 */
export function piecesOf(node: WorkflowNode, input: CompileInput): readonly (readonly NodePiece[])[] {
  if (node.when !== undefined && !input.facts.includes(node.when)) return [];
  if (node.type === 'fan_out' || node.type === 'terminal') return [];
  if (node.type === 'serial') return [(node.steps ?? []).map((step) => stepPiece(node, step, input))];
  if (node.type === 'coordinator_composed') return [[seed(node, input), join(node)]];
  if (node.for_each === undefined) return [[single(node, input, node.id, node.label, {})]];
  return input.commands.map((command) => [
    single(node, input, `${node.id}-${command.id}`, command.title, { IN_COMMAND: command.id }),
  ]);
}

/** Whether members do the work of a node, so that it must be reviewed by others. */
export function isWork(node: WorkflowNode): boolean {
  return node.type === 'prompt' || node.type === 'serial' || node.type === 'coordinator_composed';
}

function single(
  node: WorkflowNode,
  input: CompileInput,
  id: string,
  title: string,
  more: Readonly<Record<string, string>>,
): NodePiece {
  const command = node.run ?? (node.type === 'fan_in' ? 'true' : undefined);
  const role = roleOf(node);
  return {
    node: id,
    title,
    description: command === undefined ? descriptionOf(textOf(node), node.charter, input) : node.description,
    ...(command === undefined ? {} : { exec: command, environment: { ...input.environment, IN_NODE: id, ...more } }),
    ...(node.timeout === undefined ? {} : { timeout: node.timeout }),
    tags: tagsOf(node),
    ...(role === undefined ? {} : { role }),
  };
}

function stepPiece(node: WorkflowNode, step: WorkflowStep, input: CompileInput): NodePiece {
  const id = `${node.id}-${step.id}`;
  return {
    node: id,
    title: step.label,
    description:
      step.run === undefined ? descriptionOf(step.prompt ?? step.description, node.charter, input) : step.description,
    ...(step.run === undefined ? {} : { exec: step.run, environment: { ...input.environment, IN_NODE: id } }),
    ...(step.timeout === undefined ? {} : { timeout: step.timeout }),
    tags: [],
    step,
  };
}

function seed(node: WorkflowNode, input: CompileInput): NodePiece {
  const how = [
    `Divide this into tasks that others can do in parallel. Add each with \`--after ${input.prefix}-${node.id}\` and`,
    `\`--place-before ${input.prefix}-${node.id}-join\`: nothing goes on before all of them are done.`,
  ].join(' ');
  return {
    node: node.id,
    title: node.label,
    description: descriptionOf(`${node.prompt ?? node.description}\n\n${how}`, node.charter, input),
    tags: [],
  };
}

function join(node: WorkflowNode): NodePiece {
  const id = `${node.id}-join`;
  return {
    node: id,
    title: `${node.label}: all parts are done`,
    description: 'Waits for the parts.',
    exec: 'true',
    tags: [],
  };
}

function roleOf(node: WorkflowNode): WorkflowMark['role'] {
  if (isGate(node)) return gateKind(node) === 'rubberduck' ? 'advice' : 'gate';
  return node.type === 'merge' ? 'merge' : undefined;
}

function tagsOf(node: WorkflowNode): string[] {
  if (node.type === 'merge') return ['merge'];
  return isGate(node) ? [gateKind(node)] : [];
}

const MERGING =
  'Bring the accepted work together on the branch it belongs to. Done means merged; if something stands in the way, fail and say what.';
const JUDGING =
  'Judge the work, change nothing of it. Done: accepted. Fail: it has to be done again, and the reason says what is missing. Abandon: it is not to be done at all.';
const ADVISING = 'Say what is not plain, then succeed: nothing waits for a verdict.';
const RECORDING = 'Write down what was decided and learned, so that the team finds it again.';

function textOf(node: WorkflowNode): string {
  const own = node.prompt ?? node.description;
  if (isGate(node)) return `${own}\n\n${gateKind(node) === 'rubberduck' ? ADVISING : JUDGING}`;
  if (node.type === 'merge') return `${own}\n\n${MERGING}`;
  return node.type === 'scribe' ? `${own}\n\n${RECORDING}` : own;
}

function descriptionOf(text: string, charter: string | undefined, { goal }: CompileInput): string {
  return [text, charter, goal === undefined ? undefined : `Goal of this run:\n${goal}`].filter(Boolean).join('\n\n');
}
