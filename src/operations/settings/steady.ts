import { settingsFrom } from '#core/settings/settings.js';
import type { SettingsFile } from '#ports/settings.js';

/**
 * The settings of a service at work. Somebody who is just writing the file, or mistypes a value, must not keep runs from being
 * settled: as long as it cannot be parsed, the last values that could be stay in force. `failed` is called once for each such
 * time. Errors: as of the file, until it was parsed once.
 */
export function steadySettings(
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
        settingsFrom(current); // a value that cannot be used is an error here as it is for whoever asked
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
