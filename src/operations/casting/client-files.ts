import type { ClientFiles } from '#core/casting/outputs.js';
import type { Context } from '#operations/operation.js';
import { loadSettings } from '#operations/settings/load.js';

/** Whether files for clients are written: as was said with the call, else as `casting.client_files` says, else as before. */
export async function clientFilesOf(context: Context, said?: boolean): Promise<ClientFiles> {
  const wanted = said ?? (await loadSettings(context)).settings.casting.client_files;
  return wanted === undefined ? 'configured' : wanted ? 'wanted' : 'untouched';
}
