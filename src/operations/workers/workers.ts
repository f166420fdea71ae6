import * as z from 'zod/mini';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { databaseInUse } from '#operations/workers/database.js';
import type { ListedWorker } from '#ports/storage.js';

/** A worker in results of commands. */
export const workerShape = {
  name: z.string(),
  at: z.string(),
  version: z.string(),
  state: z.enum(['idle', 'working', 'draining', 'stopping', 'unagreed', 'silent']),
  slots: z.number(),
  used: z.number(),
  labels: z.readonly(z.array(z.string())),
  executors: z.readonly(z.array(z.string())),
  runs: z.readonly(z.array(z.object({ run: z.string(), task: z.string() }))),
  last_heard: z.string(),
};

const leaderShape = { key: z.string(), name: z.string(), at: z.string(), leads: z.boolean(), here: z.boolean() };

/** All workers of the project by name, and the machines that may lead them. */
export const workers = operation({
  name: 'worker.list',
  command: 'worker list',
  group: 'Service',
  kind: 'read',
  where: 'caller',
  instead: 'machines --workers',
  summary: 'Show every worker, its runs, and when it was last heard of',
  examples: ['troupe machines --workers', 'troupe machines --workers --json'],
  input: z.strictObject({}),
  output: z.object({
    project: z.string(),
    workers: z.readonly(z.array(z.object(workerShape))),
    leaders: z.readonly(z.array(z.object(leaderShape))),
  }),
  async run(context: GraphContext) {
    const { project, database } = await databaseInUse(await context.storages());
    return { project, workers: (await database.workers()).map(workerRow), leaders: await database.leaders() };
  },
});

const asked = {
  input: z.strictObject({ name: argument('The name of the worker', z.string()) }),
  output: z.object({ worker: z.string() }),
};

/** Asks a worker to take no new attempts and to exit when its runs have ended. */
export const drain = operation({
  name: 'worker.drain',
  command: 'worker drain',
  group: 'Service',
  kind: 'write',
  where: 'caller',
  summary: 'Let a worker finish its runs, take nothing new, and go',
  examples: ['troupe worker drain box-2', 'troupe worker drain box-2 --json'],
  ...asked,
  run: async (context: GraphContext, { name }) => await ask(context, name, 'drain'),
});

/** Asks a worker to end its runs and exit; a silent one is removed from the list. */
export const stop = operation({
  name: 'worker.stop',
  command: 'worker stop',
  group: 'Service',
  kind: 'write',
  where: 'caller',
  summary: 'End the runs of a worker, publish what they made, and let it go',
  examples: ['troupe worker stop box-2', 'troupe worker stop box-2 --json'],
  ...asked,
  run: async (context: GraphContext, { name }) => await ask(context, name, 'stop'),
});

async function ask(
  context: Pick<Context, 'storages'>,
  name: string,
  what: 'drain' | 'stop',
): Promise<{ worker: string }> {
  const { database } = await databaseInUse(await context.storages());
  if (await database.askWorker(name, what)) return { worker: name };
  throw new TroupeError('not_found', {
    what: `There is no worker ${inert(name).slice(0, 64)}.`,
    hint: '`troupe machines --workers` shows them.',
  });
}

export function workerRow({ seenAt, silent, unagreed, asked: wanted, attempts, ...card }: ListedWorker) {
  const busy = attempts.length > 0 ? ('working' as const) : ('idle' as const);
  const state = silent
    ? ('silent' as const)
    : { work: unagreed ? ('unagreed' as const) : busy, drain: 'draining' as const, stop: 'stopping' as const }[wanted];
  return {
    name: card.name,
    at: card.at,
    version: card.version,
    slots: card.slots,
    labels: card.labels,
    executors: card.executors,
    state,
    used: attempts.length,
    runs: attempts.map(({ run, taskId }) => ({ run, task: taskId })),
    last_heard: timestamp(seenAt),
  };
}
