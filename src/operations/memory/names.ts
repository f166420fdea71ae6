import { slugsBefore } from '#core/memory/renamed.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Which slug members have now, by each they had before. Of a team whose files cannot be read nothing is known: what is
 * remembered does not depend on it. Errors: `layout_conflict`.
 */
export async function formerNames(context: Context): Promise<ReadonlyMap<string, string>> {
  try {
    return slugsBefore((await (await context.squad()).read()).registry.records);
  } catch (error) {
    if (error instanceof TroupeError && error.code !== 'layout_conflict') return new Map();
    throw error;
  }
}
