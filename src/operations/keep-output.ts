import { authenticateRun } from './calls-of-runs.js';
import type { FilesContext, GraphContext } from './contexts.js';
import type { Context } from './operation.js';

/**
 * Writes a file named by the caller and returns its absolute path. All operations write such files through this
 * function. A run may write only below its own worktree or folder; an existing file is replaced only if it is an
 * unchanged earlier output, or with `force`.
 */
export async function keepOutput(
  context: GraphContext & FilesContext,
  named: string,
  content: string | Uint8Array,
  { force }: { readonly force?: boolean | undefined },
): Promise<string> {
  const files = await context.outputs();
  return files.write(named, content, { replace: force === true, within: await ownPlaces(context) });
}

/** Applies the same rule to a file that is written by other means. */
export async function refuseForeignPlace(context: GraphContext & FilesContext, named: string): Promise<void> {
  await (await context.outputs()).refuse(named, await ownPlaces(context));
}

/** Folders that a run may write to; undefined for a person, who is not restricted. */
async function ownPlaces({ caller, runs }: Pick<Context, 'caller' | 'runs'>): Promise<readonly string[] | undefined> {
  if (caller.kind !== 'run') return undefined;
  const folders = await runs();
  await authenticateRun(folders, caller);
  return folders.places(caller.name);
}
