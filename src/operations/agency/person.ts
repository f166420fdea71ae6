import { customDefinition } from '#core/executors/custom-file.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

const PEOPLE: ReadonlySet<string> = new Set(['email', 'matrix', 'shell']);

/** Is whoever is reached by this executor a person? Custom ones say so of themselves. */
export async function isPerson(context: Pick<Context, 'executorFiles'>, executor: string): Promise<boolean> {
  if (PEOPLE.has(executor)) return true;
  try {
    const found = await (await context.executorFiles()).read(executor);
    return found !== undefined && customDefinition(executor, found.value).human;
  } catch (error) {
    if (error instanceof TroupeError) return false; // a file that cannot be read names nobody
    throw error;
  }
}
