import type { Agency } from '#core/agency/agency.js';
import { customDefinition } from '#core/runs/custom-executor.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { refuseUnknownExecutor } from '#operations/settings/usable-executors.js';

const PEOPLE: ReadonlySet<string> = new Set(['email', 'matrix', 'shell']);

/** Whether this executor reaches a person. Custom executors declare it in their file. */
export async function isPerson(context: Pick<Context, 'executorFiles'>, executor: string): Promise<boolean> {
  if (PEOPLE.has(executor)) return true;
  try {
    const file = await (await context.executorFiles()).read(executor);
    return file !== undefined && customDefinition(executor, file.value).human;
  } catch (error) {
    if (error instanceof TroupeError) return false; // an unreadable file declares no person
    throw error;
  }
}

/** Errors: `unknown_executor` for a word that is neither a contact type nor an executor. */
export async function refuseUnknownAssignee(context: Pick<Context, 'executorFiles'>, executor: string): Promise<void> {
  if (!PEOPLE.has(executor)) await refuseUnknownExecutor(context, executor, PEOPLE);
}

/** Ids of all agents that are people, including retired ones. */
export async function peopleOf(context: Pick<Context, 'executorFiles'>, agency: Agency): Promise<ReadonlySet<string>> {
  const agents = [...agency.all('agent'), ...agency.all('agent', true)];
  const executors = [...new Set(agents.map(({ executor }) => executor))];
  const people = await Promise.all(
    executors.map(async (executor) => ((await isPerson(context, executor)) ? executor : '')),
  );
  return new Set(agents.filter(({ executor }) => people.includes(executor)).map(({ id }) => id));
}
