import { ALWAYS_ESCALATE, type Escalation, escalationOf, USUAL_ESCALATION } from '#core/mail/gates.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Escalation rule of this project, from its present `project.yaml`. If it cannot be read, every decision is escalated
 * to a person.
 */
export async function projectEscalation(context: Pick<Context, 'rosterConfig' | 'projectFolder'>): Promise<Escalation> {
  const { projectFolder: folder } = context;
  try {
    return escalationOf((await (await context.rosterConfig()).project(folder, { from: folder })).escalation);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return error.code === 'config_not_found' ? USUAL_ESCALATION : ALWAYS_ESCALATE;
  }
}
