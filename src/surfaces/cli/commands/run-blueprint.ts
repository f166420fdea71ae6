import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { Input } from '#operations/map.js';
import { clientWishes } from '../client-wishes.js';
import type { WatchOptions } from '../foreground-run.js';
import type { Session } from '../host.js';
import type { Invocation } from '../invocation.js';
import { callNamingFiles, writtenFiles } from '../outside-files.js';
import { wholeNumber } from '../whole-number.js';
import { startRun, watchWorkflow } from '../workflow-run.js';
import { callNamed } from './call-named.js';

/** Casts the team of a blueprint, and has its first workflow run for a goal. Needs no repository. */
export async function runBlueprint(invocation: Invocation, projectFolder: string): Promise<number> {
  const { host, screen, input } = invocation;
  const blueprint = String(input['blueprint']);
  const goal = typeof input['workflow'] === 'string' ? input['workflow'].trim() : '';
  if (goal === '' || [...goal].length > LIMITS.goalCharacters) {
    throw new TroupeError('usage', {
      what: goal === '' ? 'There is no goal.' : `The goal is longer than ${LIMITS.goalCharacters} characters.`,
      hint: 'Say what the team shall do: `troupe run --blueprint support "answer the open mails"`.',
    });
  }
  await callNamed(host, 'project.init', {}, projectFolder);
  const which = path.isAbsolute(blueprint) ? { file: blueprint } : { id: blueprint };
  const intent = typeof input['intent'] === 'string' ? { intent: input['intent'] } : {};
  // Files for clients are for the person to ask for, not for what runs next.
  const applied = await callNamingFiles(invocation, { ...which, ...intent, clients: false }, (wish) =>
    callNamed(host, 'blueprint.apply', wish, projectFolder),
  );
  const leader = screen.colour.bold(inert(applied.leader));
  screen.aside(`Cast ${applied.added.length} members from ${inert(applied.universe)}, led by ${leader}.`);
  screen.aside(writtenFiles(applied.outside));
  return await watchWorkflow(invocation, projectFolder, {
    ...watchOptions(input),
    begin: async (session) => {
      const id = applied.default_workflow;
      return await startRun(invocation, session, { id, ...(await withGoal(session, id, goal)) });
    },
  });
}

/** What was said about watching and clients. */
export function watchOptions(input: Invocation['input']): WatchOptions {
  return {
    maxAgents: wholeNumber(input['max_agents'], LIMITS.agentsDefault, 'max-agents', LIMITS.agentsMost),
    exit: input['exit'] === true,
    clients: clientWishes(input),
  };
}

/** The goal as the inputs of that name and those that must be given; else as what the run is for. */
async function withGoal(
  session: Session,
  id: string,
  goal: string,
): Promise<Pick<Input<'workflow.run'>, 'goal' | 'inputs'>> {
  const { inputs } = await session.call('workflow.show', { id });
  const asked = inputs.filter((input) => input.name === 'goal' || input.default === undefined);
  return asked.length === 0 ? { goal } : { inputs: asked.map((input) => `${input.name}=${goal}`) };
}
