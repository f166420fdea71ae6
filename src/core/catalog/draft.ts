import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, safeJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';

/** How a draft is called in what is said about it. */
const NAME = 'the draft';

/**
 * A workflow that a blueprint brings along, written by a model or by anybody: as data, and as what it means. It may hold no
 * command and no question to the repository: what is run here comes from files that a person can look at and trust.
 * Errors: `workflow_invalid`, `workflow_unsupported`.
 */
export function parseDraft(value: unknown): Workflow {
  const workflow = parseWorkflow(value, NAME);
  for (const node of workflow.nodes) {
    const commands = [node, ...(node.steps ?? [])].some((step) => step.run !== undefined);
    if (commands || node.type === 'run' || node.gate_kind === 'command')
      refuse(`“${node.id}” wants to run a command: a draft has none`);
    if (node.for_each !== undefined || node.when !== undefined)
      refuse(`“${node.id}” asks about the repository: a draft does not`);
  }
  if (draftText(value).length > LIMITS.catalogFileBytes)
    refuse(`it is larger than a workflow of ${LIMITS.catalogFileBytes} bytes`);
  return workflow;
}

/** The file of a draft: YAML, a node and an edge a line, so that a person can change it. */
export function draftText(value: unknown): string {
  const lines = Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, part]) =>
    Array.isArray(part) && part.length > 0
      ? [`${key}:`, ...part.map((item) => `  - ${safeJson(item)}`)]
      : [`${key}: ${safeJson(part)}`],
  );
  return `# Came with a blueprint. It is yours: change it as you like.\n${lines.join('\n')}\n`;
}

function refuse(what: string): never {
  throw new TroupeError('workflow_invalid', { what: `${NAME}: ${what}.` });
}
