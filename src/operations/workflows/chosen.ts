import { allows } from '#core/workflows/project-choice.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { choiceOf } from './policy.js';
import { findWorkflow, type SourcedWorkflow } from './workflow-source.js';

interface WorkflowWish {
  /** Without it: the one the project begins with. */
  readonly id?: string | undefined;
  /** A person says so: what the project allows is a rule for those who do not look, not a lock. */
  readonly override?: boolean | undefined;
}

/**
 * The workflow that shall run. Errors: those of `findWorkflow`; `bad_input` when none is named and none was chosen;
 * `workflow_not_allowed`.
 */
export async function chosenWorkflow(context: Context, wish: WorkflowWish): Promise<SourcedWorkflow> {
  const choice = await choiceOf(context);
  const id = wish.id ?? choice.default_workflow;
  if (id === undefined) {
    throw new TroupeError('bad_input', {
      what: 'No workflow is named, and the project has chosen none.',
      hint: 'Name one: `troupe workflow list` shows them. A blueprint chooses one for the project.',
    });
  }
  const found = await findWorkflow(context, id);
  if (wish.override !== true && !allows(choice, id)) {
    throw new TroupeError('workflow_not_allowed', {
      what: `This project does not allow ${id}.`,
      hint: `Run it this once with --override, or add it to allowed_workflows in .squad/config.json. Allowed: ${choice.allowed_workflows?.join(', ') || 'none'}.`,
      details: { workflow: id, allowed: choice.allowed_workflows ?? null },
    });
  }
  return found;
}
