import type { ClientFiles } from '#core/team/outputs.js';
import { TroupeError } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

/** Whether files for clients are written: as was said with the call, else as `casting.client_files` says, else as before. */
export async function clientFilesOf(context: Context, said?: boolean): Promise<ClientFiles> {
  const wanted = said ?? (await settingOf(context));
  return wanted === undefined ? 'configured' : wanted ? 'wanted' : 'untouched';
}

/** A team may be without a graph, and so without settings. */
async function settingOf(context: Context): Promise<boolean | undefined> {
  try {
    return (await loadSettings(context)).settings.casting.client_files;
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'not_initialized') return undefined;
    throw error;
  }
}
