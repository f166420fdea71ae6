import { isRefusal } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Context } from './operation.js';

/** The graph of the project; undefined where there is none: the agency and the team do without. */
export async function graphIfAny(context: Pick<Context, 'graph'>): Promise<GraphStore | undefined> {
  try {
    return await context.graph();
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}
