import * as z from 'zod/mini';

/**
 * What a step may depend on: facts the scan of a repository settles. A closed list, so that a workflow file can choose
 * among known questions but never ask one of its own.
 */
export const WORKFLOW_FACTS = ['commands', 'documents', 'manifests', 'history'] as const;
export type WorkflowFact = (typeof WORKFLOW_FACTS)[number];

export const NODE_TYPES = [
  ...(['prompt', 'run', 'peer_review', 'check', 'fan_out', 'fan_in', 'serial'] as const),
  ...(['coordinator_composed', 'merge', 'scribe', 'terminal'] as const),
] as const;
/** What a label of a gate means: go on, do it again, end here. */
export const MEANINGS = ['pass', 'revise', 'stop'] as const;
export type Meaning = (typeof MEANINGS)[number];
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
  /** What a member is asked to do. */
  prompt: z.optional(z.string().check(z.minLength(1), z.maxLength(8_000))),
  /** Who owns the step: one archetype, or several, the first that the team has. `agent` is another word for it. */
  archetype: z.optional(archetypes),
  agent: z.optional(archetypes),
  /** A shell command. It comes from this file only; whatever varies reaches it as environment `IN_<NAME>`. */
  run: z.optional(paragraph),
  timeout: z.optional(duration),
};

const stepSchema = z.strictObject(doing);

const nodeSchema = z.strictObject({
  ...doing,
  type: z.enum(NODE_TYPES),
  /** What holds for whoever does this step, beside their own charter. */
  charter: z.optional(paragraph),
  /** The nodes whose work a gate judges; all that comes before it when nothing is said. */
  reviews: z.optional(z.union([identifier, z.array(identifier).check(z.minLength(1), z.maxLength(50))])),
  /** The steps of a `serial` node. */
  steps: z.optional(z.array(stepSchema).check(z.minLength(1), z.maxLength(50))),
  /** How a `terminal` node ends the flow. */
  target: z.optional(z.enum(['success', 'declined', 'failed'])),
  gate_kind: z.optional(z.enum(GATE_KINDS)),
  /** A gate's labels, with what they mean where that does not follow from where their edges lead. */
  branches: z.optional(
    z.union([z.record(label, z.enum(MEANINGS)), z.array(label).check(z.minLength(1), z.maxLength(20))]),
  ),
  when: z.optional(z.enum(WORKFLOW_FACTS)),
  /** One task for every command the repository is known to have, instead of one. */
  for_each: z.optional(z.literal('repository-commands')),
});

const edgeSchema = z.strictObject({
  from: identifier,
  to: identifier,
  /** `always`: the next step runs however this one ended; else a label of the gate it comes from. */
  when: z.optional(label),
});

const inputSchema = z.strictObject({
  name: inputName,
  description: z.optional(sentence),
  default: z.optional(z.string().check(z.maxLength(2_000))),
});

const triggerSchema = z.strictObject({
  type: z.enum(['manual', 'schedule', 'event', 'heartbeat']),
  /** For `schedule`. */
  every: z.optional(
    z.string().check(z.regex(/^(?:daily|weekly:(?:mon|tue|wed|thu|fri|sat|sun))$/, 'write daily or weekly:mon')),
  ),
  /** For `event`. */
  event: z.optional(z.literal('task-added-to-ready')),
});

export const workflowSchema = z.strictObject({
  id: identifier,
  name: z.optional(sentence),
  description: z.optional(paragraph),
  version: z.optional(z.number().check(z.int(), z.gte(1))),
  /** What kind of work it is for: by this it is found when a blueprint is made. */
  process: z.optional(
    z.strictObject({ kind: z.optional(identifier), keywords: z.optional(z.array(z.string().check(z.maxLength(60)))) }),
  ),
  inputs: z.optional(z.array(inputSchema).check(z.maxLength(20))),
  /** Names for parts of the flow, for those who look at it. */
  stages: z.optional(
    z
      .array(z.strictObject({ name: sentence, nodes: z.array(identifier).check(z.minLength(1)) }))
      .check(z.maxLength(20)),
  ),
  trigger: z.optional(triggerSchema),
  /** What the ids of its tasks begin with; the workflow's own id if not said. */
  prefix: z.optional(identifier),
  start: z.optional(identifier),
  nodes: z.array(nodeSchema).check(z.minLength(1), z.maxLength(100)),
  edges: z.array(edgeSchema).check(z.maxLength(1_000)),
  /** How often a cycle may go round again, by the node it begins with. */
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
/** A workflow with what its file may leave out put in. */
export type Workflow = Omit<WorkflowFile, 'nodes' | 'name' | 'description' | 'version'> & {
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly nodes: readonly WorkflowNode[];
};

export function isGate(node: WorkflowNode): boolean {
  return node.type === 'peer_review' || node.type === 'check';
}

/** What kind of gate a `check` is: by its own word, else a command if it has one, else a person. */
export function gateKind(node: WorkflowNode): 'safety' | 'human-review' | 'rubberduck' | 'command' | 'peer-review' {
  if (node.type === 'peer_review') return 'peer-review';
  if (node.gate_kind === 'rai') return 'safety';
  return node.gate_kind ?? (node.run === undefined ? 'human-review' : 'command');
}
