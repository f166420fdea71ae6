import type { Settings } from '#core/settings/settings.js';

/** What holds for all attempts at this moment: the settings as they were read last, and what a person said before them. */
export interface InForce {
  readonly settings: Settings;
  readonly executor: string;
  readonly model: string | undefined;
}
