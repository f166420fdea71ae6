import type { Workflow } from '#core/catalog/workflow.js';
import type { PolicyStep } from './compiled.js';
import { compileWorkflow } from './workflow.js';

/**
 * Whether a draft becomes tasks for a team of these archetypes and under this policy. Errors: `workflow_invalid`,
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
