import * as z from 'zod/mini';
import type { GraphView } from '#core/graph/view.js';
import { allows, type ProjectChoice } from '#core/playbooks/project-choice.js';
import {
  OBSTACLES,
  type Obstacle,
  type TriggeredWorkflow,
  triggerStanding,
  triggerText,
} from '#core/playbooks/triggered.js';
import { timestamp } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { byId } from '#kernel/order.js';
import type { FilesContext, MachineContext, ProjectContext, TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { choiceOf } from './policy.js';
import { commandsOf, projectWorkflows, type SourcedWorkflow } from './workflow-source.js';

/** Name of the input that receives the task id in a run triggered by a task. */
export const TASK_INPUT = 'task';

/** Time zone of this machine, for the start of days. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Triggered workflows of the project, sorted by id. Invalid files are skipped. */
export async function triggeredWorkflows(
  context: TeamContext & FilesContext & MachineContext,
): Promise<readonly TriggeredWorkflow[]> {
  const workflows = (await projectWorkflows(context)).flatMap((one) => ('error' in one ? [] : [one]));
  const own = workflows.filter(({ workflow: { trigger } }) => trigger !== undefined && trigger.type !== 'manual');
  if (own.length === 0) return [];
  const choice = await readableChoice(context);
  return own.map((one) => triggeredOf(one, choice)).sort(byId);
}

async function readableChoice(context: Pick<Context, 'squad'>): Promise<ProjectChoice | TroupeError> {
  try {
    return await choiceOf(context);
  } catch (error) {
    if (error instanceof TroupeError) return error;
    throw error;
  }
}

function triggeredOf(entry: SourcedWorkflow, choice: ProjectChoice | TroupeError): TriggeredWorkflow {
  const { id, prefix, trigger = { type: 'manual' as const } } = entry.workflow;
  const blocked = obstacleOf(entry, choice);
  return {
    id,
    base: prefix ?? id,
    trigger,
    since: entry.changedAt ?? 0,
    ...(blocked === undefined ? {} : { blocked }),
  };
}

/**
 * Obstacle to an automatic start. No person is present to answer questions then, so missing inputs and missing consent
 * prevent it.
 */
function obstacleOf({ workflow, trusted }: SourcedWorkflow, choice: ProjectChoice | TroupeError): Obstacle | undefined {
  const { id, inputs = [], trigger } = workflow;
  if (choice instanceof TroupeError) return { cause: 'other', text: choice.message };
  if (!allows(choice, id)) return { cause: 'other', text: 'The project does not allow it.' };
  if (!trusted && commandsOf(workflow).length > 0)
    return { cause: 'trust', text: 'Its commands are not trusted here.' };
  const missingInputs = inputs.filter(
    ({ name, default: otherwise }) => otherwise === undefined && !(name === TASK_INPUT && trigger?.type === 'event'),
  );
  return missingInputs.length === 0
    ? undefined
    : { cause: 'other', text: `It needs a value for ${missingInputs.map(({ name }) => name).join(', ')}.` };
}

export const triggerShape = z.object({
  /** As written in its file. */
  trigger: z.string(),
  /** Time of the next start if it has a schedule; the current time if it is due. */
  next: z.nullable(z.string()),
  due: z.boolean(),
  last_run: z.nullable(z.string()),
  /** Reason why it does not start. */
  held: z.nullable(z.string()),
  held_by: z.nullable(z.enum(OBSTACLES)),
});
export type StandingRow = z.infer<typeof triggerShape>;

/** Status of all triggered workflows, by id. Empty without a graph. */
export async function triggerStandings(context: ProjectContext): Promise<ReadonlyMap<string, StandingRow>> {
  const workflows = await triggeredWorkflows(context);
  const view = workflows.length === 0 ? undefined : await viewIfAny(context);
  if (!view) return new Map();
  const now = context.clock.now();
  const refused = context.coordinator?.().notBegun;
  return new Map(
    workflows.map((workflow) => {
      const { next, due, last, held: obstacle } = triggerStanding(view, workflow, now, localZone());
      const refusal = refused?.get(workflow.id);
      const held = obstacle ?? (refusal === undefined ? undefined : { cause: 'other' as const, text: refusal });
      const row = {
        trigger: triggerText(workflow.trigger),
        next: next === undefined ? null : timestamp(next),
        due,
        last_run: last ?? null,
        held: held?.text ?? null,
        held_by: held?.cause ?? null,
      };
      return [workflow.id, row];
    }),
  );
}

async function viewIfAny(context: Pick<Context, 'graph'>): Promise<GraphView | undefined> {
  try {
    return await (await context.graph()).view();
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}
