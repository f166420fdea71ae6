import { LIMITS } from '#kernel/limits.js';
import { OPERATIONS } from '#operations/table.js';
import { clientWishes } from '../client-wishes.js';
import type { Host } from '../host.js';
import type { Invocation } from '../invocation.js';
import { type Review, watchReview } from '../review-run.js';
import { wholeNumber } from '../whole-number.js';

/** The real thing: team and graph are kept in the project. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, folder, input } = invocation;
  const projectFolder = host.findProject(folder) ?? (await host.repositoryTop(folder));
  await host.repositoryTop(projectFolder);
  await callNamed(host, 'project.init', {}, projectFolder);
  return watchReview(invocation, projectFolder, reviewOf(input, undefined));
}

/** The fields of a review, from the words of the command. */
export function reviewOf(input: Readonly<Record<string, unknown>>, dependenciesFrom: string | undefined): Review {
  const wishes = clientWishes(input);
  return {
    workflow: typeof input['workflow'] === 'string' ? input['workflow'] : 'repository-review',
    run: typeof input['run'] === 'string' ? input['run'] : 'fast',
    maxAgents: wholeNumber(input['max_agents'], LIMITS.agentsDefault, 'max-agents', LIMITS.agentsMost),
    resume: input['resume'] === true,
    exit: input['exit'] === true,
    clients: Object.keys(wishes).length > 0 ? wishes : { executor: 'shell' },
    ...(dependenciesFrom === undefined ? {} : { dependenciesFrom }),
  };
}

/** Calls an operation by its name. */
export function callNamed(host: Host, name: string, input: unknown, folder: string): Promise<unknown> {
  const face = OPERATIONS.find((candidate) => candidate.name === name);
  if (!face) throw new Error(`There is no operation ${name}`);
  return host.call(face, input, folder);
}
