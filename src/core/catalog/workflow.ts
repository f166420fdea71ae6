import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';

/**
 * What a step may depend on: facts the scan of a repository settles. A closed list, so that a workflow file can choose
 * among known questions but never ask one of its own.
 */
export const WORKFLOW_FACTS = ['commands', 'documents', 'manifests', 'history'] as const;
export type WorkflowFact = (typeof WORKFLOW_FACTS)[number];

const NODE_TYPES = ['run', 'fan_in', 'check'] as const;
const identifier = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'use a-z, 0-9 and -, at most 40 characters'));
const sentence = z.string().check(z.minLength(1), z.maxLength(300));

const nodeSchema = z.strictObject({
  id: identifier,
  type: z.enum(NODE_TYPES),
  label: sentence,
  description: z.string().check(z.minLength(1), z.maxLength(2_000)),
  /** Who owns the step: one archetype, or several, the first that the team has. A `check` belongs to the leader. */
  archetype: z.optional(z.union([identifier, z.array(identifier).check(z.minLength(1), z.maxLength(10))])),
  /** A shell command. It comes from this file only; whatever varies reaches it as environment `IN_<NAME>`. */
  run: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  timeout: z.optional(z.string().check(z.regex(/^\d{1,6}[smhd]$/, 'write a duration such as 90s or 5m'))),
  when: z.optional(z.enum(WORKFLOW_FACTS)),
  /** One task for every command the repository is known to have, instead of one. */
  for_each: z.optional(z.literal('repository-commands')),
});

const edgeSchema = z.strictObject({
  from: identifier,
  to: identifier,
  /** `always`: the next step runs however this one ended. Without it, only after success. */
  when: z.optional(z.literal('always')),
});

export const workflowSchema = z.strictObject({
  id: identifier,
  name: sentence,
  description: z.string().check(z.minLength(1), z.maxLength(2_000)),
  version: z.number().check(z.int(), z.gte(1)),
  /** What the ids of its tasks begin with; the workflow's own id if not said. */
  prefix: z.optional(identifier),
  start: z.optional(identifier),
  nodes: z.array(nodeSchema).check(z.minLength(1), z.maxLength(100)),
  edges: z.array(edgeSchema).check(z.maxLength(1_000)),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type WorkflowNode = Workflow['nodes'][number];

/**
 * A workflow file, already read as data, made a `Workflow`. Unknown keys, unknown nodes in edges, repeated ids and
 * circles are refused with `workflow_invalid`, naming the file and the field.
 */
export function parseWorkflow(value: unknown, file: string): Workflow {
  const parsed = workflowSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue ? issue.path.map(String).join('.') : '';
    refuse(file, field, issue?.message ?? 'not a workflow');
  }
  const workflow = parsed.data;
  const known = new Set<string>();
  for (const [index, node] of workflow.nodes.entries()) {
    if (known.has(node.id)) refuse(file, `nodes.${index}.id`, `“${node.id}” is used twice`);
    known.add(node.id);
    if (node.run === undefined && node.type !== 'fan_in')
      refuse(file, `nodes.${index}.run`, 'this step needs a command');
  }
  for (const [index, edge] of workflow.edges.entries()) {
    for (const end of ['from', 'to'] as const) {
      if (!known.has(edge[end])) refuse(file, `edges.${index}.${end}`, `there is no node “${edge[end]}”`);
    }
  }
  if (workflow.start !== undefined && !known.has(workflow.start)) {
    refuse(file, 'start', `there is no node “${workflow.start}”`);
  }
  const circle = circleIn(workflow);
  if (circle !== undefined) refuse(file, 'edges', `node “${circle}” comes before itself`);
  return workflow;
}

function refuse(file: string, field: string, message: string): never {
  throw new TroupeError('workflow_invalid', {
    what: `${file}: ${field === '' ? '' : `${field}: `}${message}`,
    details: { file, field },
  });
}

/** A node that can be reached from itself, by taking away what has no predecessor until nothing moves. */
function circleIn(workflow: Workflow): string | undefined {
  let left = new Set(workflow.nodes.map((node) => node.id));
  for (;;) {
    const held = new Set(
      workflow.edges.filter((edge) => left.has(edge.from) && left.has(edge.to)).map((edge) => edge.to),
    );
    const next = new Set([...left].filter((id) => held.has(id)));
    if (next.size === 0) return undefined;
    if (next.size === left.size) return [...next].sort()[0];
    left = next;
  }
}
