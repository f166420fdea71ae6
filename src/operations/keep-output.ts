import { refuseImpostor } from './calls-of-runs.js';
import type { Context } from './operation.js';

type Asker = Pick<Context, 'caller' | 'runs' | 'outputs'>;

/**
 * Writes a file that the caller named: the one way to do so, for every operation. A run writes below its own worktree or its
 * own folder; nobody writes over what is there and was not written so, unless they insist. Answers the absolute path.
 */
export async function keepOutput(
  context: Asker,
  named: string,
  content: string | Uint8Array,
  { force }: { readonly force?: boolean | undefined },
): Promise<string> {
  const files = await context.outputs();
  return files.write(named, content, { replace: force === true, within: await ownPlaces(context) });
}

/** The same rule for a file that is written another way. */
export async function refuseForeignPlace(context: Asker, named: string): Promise<void> {
  await (await context.outputs()).refuse(named, await ownPlaces(context));
}

/** Undefined for a person: theirs is what they may write. */
async function ownPlaces({ caller, runs }: Asker): Promise<readonly string[] | undefined> {
  if (caller.kind !== 'run') return undefined;
  const folders = await runs();
  await refuseImpostor(folders, caller);
  return folders.places(caller.name);
}
