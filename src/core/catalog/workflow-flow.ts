import { isGate, type Meaning, type Workflow, type WorkflowNode } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';

export interface ForwardEdge {
  readonly from: string;
  readonly to: string;
  /** Whether the next step starts regardless of the outcome of this one. */
  readonly always: boolean;
}

/** Loop of a flow: its entry node, and the gates that lead back to it, in topological order. */
export interface Loop {
  readonly header: string;
  readonly gates: readonly string[];
  /** Maximum number of repetitions. */
  readonly max: number;
}

/** Interpreted edges of a workflow: an acyclic graph, and the loops. */
export interface WorkflowFlow {
  /** All nodes in topological order; ties in file order. */
  readonly order: readonly string[];
  readonly forward: readonly ForwardEdge[];
  readonly loops: readonly Loop[];
  readonly warnings: readonly string[];
}

const ROUNDS = 3;

/**
 * Interprets the edges of a workflow. Errors: `workflow_invalid` for cycles without a gate, `workflow_unsupported` for
 * branches that tasks cannot represent.
 */
export function workflowFlow(workflow: Workflow, file = workflow.id): WorkflowFlow {
  const nodes = new Map(workflow.nodes.map((node) => [node.id, node]));
  const back = backEdges(workflow);
  const warnings: string[] = [];
  const forward: ForwardEdge[] = [];
  const revise: { from: string; to: string }[] = [];
  for (const edge of workflow.edges) {
    const meaning = meaningOf(edge, nodes, back);
    if (meaning === 'revise') revise.push({ from: edge.from, to: edge.to });
    else if (meaning === 'stop') {
      if (nodes.get(edge.to)?.type !== 'terminal')
        unsupported(file, `after “${edge.from}” was declined nothing can follow, and “${edge.to}” would`);
    } else forward.push({ from: edge.from, to: edge.to, always: meaning === 'always' });
  }
  const edges = withoutSkips(workflow, forward, nodes, warnings, file);
  const order = inOrder(workflow, edges, file);
  return {
    order,
    forward: edges,
    loops: loopsOf({ workflow, forward: edges, revise, order, warnings, file }),
    warnings,
  };
}

function meaningOf(
  edge: Workflow['edges'][number],
  nodes: ReadonlyMap<string, WorkflowNode>,
  back: ReadonlySet<string>,
): Meaning | 'always' {
  if (edge.when === 'always') return 'always';
  const from = nodes.get(edge.from);
  if (!from || !isGate(from)) return 'pass';
  const { branches } = from;
  const meaning = branches && !Array.isArray(branches) && edge.when !== undefined ? branches[edge.when] : undefined;
  if (meaning) return meaning;
  if (back.has(`${edge.from} ${edge.to}`)) return 'revise';
  const to = nodes.get(edge.to);
  return to?.type === 'terminal' && (to.target ?? 'success') !== 'success' ? 'stop' : 'pass';
}

/** Returns the back edges, found by a depth-first search from the start. */
function backEdges(workflow: Workflow): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const edge of workflow.edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  const state = new Map<string, 'open' | 'closed'>();
  const back = new Set<string>();
  const roots = [...(workflow.start === undefined ? [] : [workflow.start]), ...workflow.nodes.map((node) => node.id)];
  const visit = (id: string) => {
    state.set(id, 'open'); // at most 100 nodes deep
    for (const to of next.get(id) ?? []) {
      if (state.get(to) === 'open') back.add(`${id} ${to}`);
      else if (!state.has(to)) visit(to);
    }
    state.set(id, 'closed');
  };
  for (const root of roots) if (!state.has(root)) visit(root);
  return back;
}

/**
 * Removes pass edges of a gate that only skip steps, with a warning. Rejects a gate that chooses between alternatives,
 * which tasks cannot represent.
 */
function withoutSkips(
  workflow: Workflow,
  forward: readonly ForwardEdge[],
  nodes: ReadonlyMap<string, WorkflowNode>,
  warnings: string[],
  file: string,
): ForwardEdge[] {
  let edges = [...forward];
  for (const gate of workflow.nodes.filter(isGate)) {
    const passes = edges.filter(
      (edge) => edge.from === gate.id && !edge.always && nodes.get(edge.to)?.type !== 'terminal',
    );
    for (const edge of passes) {
      const others = edges.filter((other) => passes.includes(other) && other !== edge);
      if (!others.some((other) => reaches(edges, other.to, edge.to))) continue;
      edges = edges.filter((other) => other !== edge);
      warnings.push(`“${gate.id}” cannot skip to “${edge.to}”: the steps between always run.`);
    }
    const alternatives = edges.filter((edge) => passes.includes(edge));
    if (alternatives.length > 1) {
      const targets = alternatives.map((edge) => `“${edge.to}”`).join(' and ');
      unsupported(file, `“${gate.id}” chooses between ${targets}; tasks cannot choose, use fan_out for both`);
    }
  }
  return edges;
}

export function reaches(edges: readonly { from: string; to: string }[], from: string, to: string): boolean {
  return reachable(edges, from).has(to);
}

/** Returns all nodes reachable from `start`, including itself. */
export function reachable(edges: readonly { from: string; to: string }[], start: string): ReadonlySet<string> {
  const nodes = new Set([start]);
  for (const id of nodes) for (const edge of edges) if (edge.from === id) nodes.add(edge.to);
  return nodes;
}

function inOrder(workflow: Workflow, forward: readonly ForwardEdge[], file: string): string[] {
  const order: string[] = [];
  let remaining = workflow.nodes.map((node) => node.id);
  while (remaining.length > 0) {
    const waiting = new Set(remaining);
    const next = remaining.find((id) => !forward.some((edge) => edge.to === id && waiting.has(edge.from)));
    if (next === undefined) {
      const id = remaining.find((each) =>
        forward.some((edge) => edge.from === each && reaches(forward, edge.to, each)),
      );
      throw new TroupeError('workflow_invalid', {
        what: `${file}: edges: node “${id ?? remaining[0]}” comes before itself`,
        details: { file, field: 'edges' },
      });
    }
    order.push(next);
    remaining = remaining.filter((id) => id !== next);
  }
  return order;
}

interface FlowParts {
  readonly workflow: Workflow;
  readonly forward: readonly ForwardEdge[];
  readonly revise: readonly { from: string; to: string }[];
  readonly order: readonly string[];
  readonly warnings: string[];
  readonly file: string;
}

/** Merges overlapping back edges into one loop, which starts at the earliest target. */
function loopsOf({ workflow, forward, revise, order, warnings, file }: FlowParts): Loop[] {
  const place = (id: string) => order.indexOf(id);
  for (const { from, to } of revise) {
    if (!reaches(forward, to, from))
      unsupported(file, `“${from}” sends the work on to “${to}”, which is not an earlier step`);
  }
  const all = [...forward, ...revise];
  const together = (left: string, right: string) => reaches(all, left, right) && reaches(all, right, left);
  const groups: { from: string; to: string }[][] = [];
  for (const edge of revise) {
    const group = groups.find((others) => others.some((other) => together(other.to, edge.to)));
    if (group) group.push(edge);
    else groups.push([edge]);
  }
  return groups.map((group) => {
    const [header = ''] = group.map((edge) => edge.to).sort((left, right) => place(left) - place(right));
    const gates = [...new Set(group.map((edge) => edge.from))].sort((left, right) => place(left) - place(right));
    for (const edge of group) {
      if (edge.to === header) continue;
      if (!reaches(forward, header, edge.from))
        unsupported(file, `“${edge.from}” and others go back into one cycle with two entry points`);
      warnings.push(`“${edge.from}” leads back to “${header}” instead of “${edge.to}”: a cycle has one entry point.`);
    }
    return { header, gates, max: workflow.loops?.[header]?.max ?? ROUNDS };
  });
}

function unsupported(file: string, what: string): never {
  throw new TroupeError('workflow_unsupported', { what: `${file}: ${what}.`, details: { file } });
}
