import { slugsBefore } from '#core/team/memory-renames.js';
import { refuseWrites, type SquadState } from '#core/team/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Which slug members have now, by each they had before. Of a team whose files cannot be read nothing is known: what is
 * remembered does not depend on it.
 */
export async function formerNames(context: Context): Promise<ReadonlyMap<string, string>> {
  const state = await readable(context, () => false);
  return state ? slugsBefore(state.registry.records) : new Map();
}

/** The same for those who write files of the team. Errors: `layout_conflict`, `migration_required`, `name_clash`. */
export async function namesForWriting(context: Context): Promise<ReadonlyMap<string, string>> {
  const state = await readable(context, (error) => error.code === 'layout_conflict');
  if (!state) return new Map();
  refuseWrites(state);
  return slugsBefore(state.registry.records);
}

async function readable(context: Context, matters: (error: TroupeError) => boolean): Promise<SquadState | undefined> {
  try {
    return await (await context.squad()).read();
  } catch (error) {
    if (error instanceof TroupeError && !matters(error)) return undefined;
    throw error;
  }
}
