import * as z from 'zod/mini';

/**
 * Facts about a repository, determined by a scan, that a step may depend on. The list is closed: a workflow file can
 * choose known facts but cannot define its own.
 */
export const WORKFLOW_FACTS = ['commands', 'documents', 'manifests', 'history'] as const;
export type WorkflowFact = (typeof WORKFLOW_FACTS)[number];

export const NODE_TYPES = [
  ...(['prompt', 'run', 'peer_review', 'check', 'fan_out', 'fan_in', 'serial'] as const),
  ...(['coordinator_composed', 'merge', 'scribe', 'terminal'] as const),
] as const;
/** Meaning of a gate's label: continue, repeat, or end here. */
export const BRANCH_MEANINGS = ['pass', 'revise', 'stop'] as const;
export type Meaning = (typeof BRANCH_MEANINGS)[number];
const GATE_KINDS = ['safety', 'rai', 'human-review', 'rubberduck', 'command'] as const;

const identifier = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'use a-z, 0-9 and -, at most 40 characters'));
const sentence = z.string().check(z.minLength(1), z.maxLength(300));
const paragraph = z.string().check(z.minLength(1), z.maxLength(2_000));
const duration = z.string().check(z.regex(/^\d{1,6}[smhd]$/, 'write a duration such as 90s or 5m'));
const archetypes = z.union([identifier, z.array(identifier).check(z.minLength(1), z.maxLength(10))]);
const label = z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'use a-z, 0-9, - and _, at most 40 characters'));
const inputName = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'use a-z, 0-9 and _, at most 40 characters'));

const doing = {
  id: identifier,
  label: z.optional(sentence),
  description: z.optional(paragraph),
  /** Instructions for the member. */
  prompt: z.optional(z.string().check(z.minLength(1), z.maxLength(8_000))),
  /** Owner of the step: one archetype, or several, of which the first on the team is used. `agent` is an alias. */
  archetype: z.optional(archetypes),
  agent: z.optional(archetypes),
  /** Shell command. It comes only from this file; variable values are passed as environment variables `IN_<NAME>`. */
  run: z.optional(paragraph),
  timeout: z.optional(duration),
};

const stepSchema = z.strictObject(doing);

const nodeSchema = z.strictObject({
  ...doing,
  type: z.enum(NODE_TYPES),
  /** Additional instructions for the owner of this step, besides the member's own charter. */
  charter: z.optional(paragraph),
  /** Nodes whose work a gate judges; default: all its predecessors. */
  reviews: z.optional(z.union([identifier, z.array(identifier).check(z.minLength(1), z.maxLength(50))])),
  /** Steps of a `serial` node. */
  steps: z.optional(z.array(stepSchema).check(z.minLength(1), z.maxLength(50))),
  /** Outcome of a flow that ends at a `terminal` node. */
  target: z.optional(z.enum(['success', 'declined', 'failed'])),
  gate_kind: z.optional(z.enum(GATE_KINDS)),
  /** Labels of a gate, with their meanings if these do not follow from the targets of the edges. */
  branches: z.optional(
    z.union([z.record(label, z.enum(BRANCH_MEANINGS)), z.array(label).check(z.minLength(1), z.maxLength(20))]),
  ),
  when: z.optional(z.enum(WORKFLOW_FACTS)),
  /** Creates one task for every known command of the repository instead of a single task. */
  for_each: z.optional(z.literal('repository-commands')),
});

const edgeSchema = z.strictObject({
  from: identifier,
  to: identifier,
  /** `always`: the next step runs regardless of the outcome of this one; otherwise a label of the gate at `from`. */
  when: z.optional(label),
});

const inputSchema = z.strictObject({
  name: inputName,
  description: z.optional(sentence),
  default: z.optional(z.string().check(z.maxLength(2_000))),
});

const triggerSchema = z.strictObject({
  type: z.enum(['manual', 'schedule', 'event', 'heartbeat']),
  /** Interval for `schedule`. */
  every: z.optional(
    z.string().check(z.regex(/^(?:daily|weekly:(?:mon|tue|wed|thu|fri|sat|sun))$/, 'write daily or weekly:mon')),
  ),
  /** Event name for `event`. */
  event: z.optional(z.literal('task-added-to-ready')),
});

export const workflowSchema = z.strictObject({
  id: identifier,
  name: z.optional(sentence),
  description: z.optional(paragraph),
  version: z.optional(z.number().check(z.int(), z.gte(1))),
  /** Kind of work, used to find the workflow when a blueprint is generated. */
  process: z.optional(
    z.strictObject({ kind: z.optional(identifier), keywords: z.optional(z.array(z.string().check(z.maxLength(60)))) }),
  ),
  inputs: z.optional(z.array(inputSchema).check(z.maxLength(20))),
  /** Named parts of the flow, for display. */
  stages: z.optional(
    z
      .array(z.strictObject({ name: sentence, nodes: z.array(identifier).check(z.minLength(1)) }))
      .check(z.maxLength(20)),
  ),
  trigger: z.optional(triggerSchema),
  /** Prefix of its task ids; default: the workflow's id. */
  prefix: z.optional(identifier),
  start: z.optional(identifier),
  nodes: z.array(nodeSchema).check(z.minLength(1), z.maxLength(100)),
  edges: z.array(edgeSchema).check(z.maxLength(1_000)),
  /** Maximum number of repetitions per loop, by entry node. */
  loops: z.optional(z.record(identifier, z.strictObject({ max: z.number().check(z.int(), z.gte(1), z.lte(100)) }))),
});

export type WorkflowFile = z.infer<typeof workflowSchema>;
type Named<Step> = Omit<Step, 'label' | 'description' | 'agent'> & {
  readonly label: string;
  readonly description: string;
};
export type WorkflowStep = Named<z.infer<typeof stepSchema>>;
export type WorkflowNode = Named<Omit<WorkflowFile['nodes'][number], 'steps'>> & {
  readonly steps?: readonly WorkflowStep[] | undefined;
};
/** Workflow with the defaults of omitted fields filled in. */
export type Workflow = Omit<WorkflowFile, 'nodes' | 'name' | 'description' | 'version'> & {
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly nodes: readonly WorkflowNode[];
};

export function isGate(node: WorkflowNode): boolean {
  return node.type === 'peer_review' || node.type === 'check';
}

/** Returns the kind of a gate: its explicit kind, otherwise `command` if it has a command, otherwise `human-review`. */
export function gateKind(node: WorkflowNode): 'safety' | 'human-review' | 'rubberduck' | 'command' | 'peer-review' {
  if (node.type === 'peer_review') return 'peer-review';
  if (node.gate_kind === 'rai') return 'safety';
  return node.gate_kind ?? (node.run === undefined ? 'human-review' : 'command');
}
