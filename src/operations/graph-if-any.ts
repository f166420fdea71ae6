import { isRefusal } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Context } from './operation.js';

/** Graph of the project; undefined if there is none, because the agency and the team work without one. */
export async function graphIfAny(context: Pick<Context, 'graph'>): Promise<GraphStore | undefined> {
  try {
    return await context.graph();
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}
