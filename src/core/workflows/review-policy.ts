import { gateKind, isGate, type Workflow, type WorkflowNode } from '#core/catalog/workflow.js';
import { flowOf, reachable } from '#core/catalog/workflow-flow.js';
import type { PolicyStep } from './compiled.js';

const WORDS: Readonly<Record<PolicyStep, { label: string; description: string }>> = {
  safety: {
    label: 'Check that it is safe',
    description: 'Looks at the finished work for harm it could do: to people, to their data, to their rights.',
  },
  'peer-review': {
    label: 'Review by a colleague',
    description: 'Somebody who did none of the work reads it and says whether it does what was asked.',
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
 * The workflow with the gates of a review policy before its end: before every merge, else before success. A gate that stands
 * on every way there already is enough.
 */
export function withPolicy(workflow: Workflow, steps: readonly PolicyStep[]): Workflow {
  const merges = workflow.nodes.filter((node) => node.type === 'merge');
  const ends = workflow.nodes.filter((node) => node.type === 'terminal' && (node.target ?? 'success') === 'success');
  return (merges.length > 0 ? merges : ends).reduce((made, end) => guarded(made, end.id, steps), workflow);
}

function guarded(workflow: Workflow, end: string, steps: readonly PolicyStep[]): Workflow {
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
  const flow = flowOf(workflow);
  const leads = (edge: Workflow['edges'][number]) =>
    edge.to === end && flow.forward.some((each) => each.from === edge.from && each.to === end);
  const edges = workflow.edges.map((edge) => (leads(edge) ? { ...edge, to: chain[0] ?? end } : edge));
  for (const [index, from] of chain.entries()) edges.push({ from, to: chain[index + 1] ?? end });
  return { ...workflow, nodes, edges };
}

function onEveryWay(workflow: Workflow, end: string, step: PolicyStep): boolean {
  const guards = new Set(workflow.nodes.filter((node) => isGate(node) && gateKind(node) === step).map(({ id }) => id));
  const forward = flowOf(workflow).forward;
  const open = forward.filter((edge) => !guards.has(edge.from) && !guards.has(edge.to));
  const entries = workflow.nodes.filter((node) => !forward.some((edge) => edge.to === node.id) && !guards.has(node.id));
  return entries.every((entry) => !reachable(open, entry.id).has(end));
}

function freeId(nodes: readonly WorkflowNode[], wanted: string): string {
  const taken = new Set(nodes.map((node) => node.id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(id)) return id;
  }
}
