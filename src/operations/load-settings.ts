import { guardedFingerprint, type ReadSettings, settingsFrom, withoutGuarded } from '#core/settings/settings.js';
import type { Context } from './operation.js';

/**
 * Effective settings on this machine. A person on this machine decides where messages and secrets go: these settings
 * are ignored, with a warning, until a person has trusted exactly their present values.
 */
export async function loadSettings(context: Pick<Context, 'settings' | 'trust'>): Promise<ReadSettings> {
  const read = settingsFrom(await (await context.settings()).read());
  const fingerprint = guardedFingerprint(read.settings);
  if (fingerprint === undefined || (await (await context.trust()).read())?.settings === fingerprint) return read;
  const warning =
    'notify.*, models.*, worktree.setup, a worktree.folder outside of the project, database.remote, database.blobs, sync.*, landing by pull request and what opens the sandbox are ignored: not trusted on this machine; run `troupe trust`';
  return { ...read, settings: withoutGuarded(read.settings), warnings: [...read.warnings, warning] };
}
