/**
 * Commands that are more than one operation: `run`, `trial`, `dashboard`, `service …`.
 * @packageDocumentation
 */
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { clientWishes } from '../client-wishes.js';
import type { Invocation } from '../invocation.js';
import type { Run } from '../render/workflows.js';
import { ensureTeam, type Review, watchReview } from '../review-run.js';
import { runMode } from '../run-mode.js';
import { wholeNumber } from '../whole-number.js';
import { startRun, watchWorkflow } from '../workflow-run.js';
import { agreeToChecks } from './agree-to-checks.js';
import { callNamed } from './call-named.js';
import { runBlueprint, watchOptions } from './run-blueprint.js';

/** The real thing: team and graph are kept in the project. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, folder, input } = invocation;
  // Only a review needs a repository: else, where there is none, the folder itself becomes the project.
  const place = async () => host.findProject(folder) ?? (await host.repositoryTop(folder).catch((): string => folder));
  if (input['blueprint'] !== undefined) {
    if (input['resume'] === true) {
      throw new TroupeError('usage', {
        what: 'A blueprint begins a run: there is nothing to go on with.',
        hint: 'Leave out --blueprint to go on with what was begun.',
      });
    }
    return await runBlueprint(invocation, await place());
  }
  const { workflow } = input;
  if (typeof workflow === 'string' && workflow !== REVIEW && input['resume'] !== true)
    return await runWorkflow(invocation, await place(), workflow);
  const projectFolder = host.findProject(folder) ?? (await host.repositoryTop(folder));
  const open = input['resume'] === true ? await openRun(invocation, projectFolder) : undefined;
  if (open !== undefined && open.workflow !== REVIEW) {
    invocation.screen.aside(`Going on with ${inert(open.run)}.`);
    return await watchWorkflow(invocation, projectFolder, { ...watchOptions(input), begin: async () => open.run });
  }
  await host.repositoryTop(projectFolder);
  if (input['resume'] !== true && !(await agreeToChecks(invocation, projectFolder))) return 1;
  await callNamed(host, 'project.init', {}, projectFolder);
  return watchReview(invocation, projectFolder, reviewOf(input, undefined));
}

const REVIEW = 'repository-review';

/** A workflow by its name, done by the team there is, else by one cast for it. */
async function runWorkflow(invocation: Invocation, projectFolder: string, id: string): Promise<number> {
  await callNamed(invocation.host, 'project.init', {}, projectFolder);
  return await watchWorkflow(invocation, projectFolder, {
    ...watchOptions(invocation.input),
    begin: async (session) => {
      await ensureTeam(invocation, session, id);
      return await startRun(invocation, session, { id, override: true });
    },
  });
}

/** The run of a workflow that was begun last and has not come to its end. */
async function openRun({ host }: Invocation, projectFolder: string): Promise<Run | undefined> {
  if (host.findProject(projectFolder) === undefined) return undefined;
  const { runs } = await callNamed(host, 'workflow.status', {}, projectFolder);
  return runs.filter((run) => run.outcome === 'running').at(-1);
}

/** The fields of a review, from the words of the command. */
export function reviewOf(input: Readonly<Record<string, unknown>>, dependenciesFrom: string | undefined): Review {
  const wishes = clientWishes(input);
  return {
    workflow: typeof input['workflow'] === 'string' ? input['workflow'] : REVIEW,
    run: runMode(input['run']),
    maxAgents: wholeNumber(input['max_agents'], LIMITS.agentsDefault, 'max-agents', LIMITS.agentsMost),
    resume: input['resume'] === true,
    exit: input['exit'] === true,
    clients: Object.keys(wishes).length > 0 ? wishes : { executor: 'shell' },
    ...(dependenciesFrom === undefined ? {} : { dependenciesFrom }),
  };
}
