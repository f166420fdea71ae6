import { guardedFingerprint, type ReadSettings, settingsFrom, withoutGuarded } from '#core/settings/settings.js';
import type { SettingsFile } from '#ports/settings.js';
import type { ProjectTrust } from '#ports/trust.js';

/**
 * The settings that count here and now. Where messages and secrets go is decided by a person on this machine: what the
 * file says of it is left out, with a warning, until somebody has agreed to exactly that.
 */
export async function loadSettings(context: {
  settings(): Promise<SettingsFile>;
  trust(): Promise<ProjectTrust>;
}): Promise<ReadSettings> {
  const read = settingsFrom(await (await context.settings()).read());
  const fingerprint = guardedFingerprint(read.settings);
  if (fingerprint === undefined || (await (await context.trust()).read())?.settings === fingerprint) return read;
  const warning =
    'notify.*, models.*, worktree.setup, a worktree.folder outside of the project, database.remote, database.blobs and what opens the sandbox are ignored: not trusted on this machine; run `troupe trust`';
  return { ...read, settings: withoutGuarded(read.settings), warnings: [...read.warnings, warning] };
}
