import { settingsFrom } from '#core/settings/settings.js';
import type { SettingsFile } from '#ports/settings.js';

/**
 * Settings for a running service. A file that is half-written or has an invalid value must not prevent runs from being
 * settled: while it is invalid, the last valid values stay in effect. `failed` is called once per invalid period.
 * Errors: those of the file, until it was valid once.
 */
export function lastValidSettings(
  settings: () => Promise<SettingsFile>,
  failed: (error: Error) => void,
): () => Promise<SettingsFile> {
  let last: Readonly<Record<string, unknown>> | undefined;
  let isFailing = false;
  return async () => {
    const file = await settings();
    const read = async () => {
      try {
        const current = await file.read();
        settingsFrom(current); // an invalid value is an error here too
        last = current;
        isFailing = false;
        return current;
      } catch (error) {
        if (last === undefined) throw error;
        if (!isFailing) failed(error as Error);
        isFailing = true;
        return last;
      }
    };
    return { name: file.name, read, set: (changes) => file.set(changes) };
  };
}
