import { tiersOf } from '#core/formations/tiers.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

/** The models of the client that does the tasks of the project, the cheapest first; none where no order of them is known. */
export async function tiersInUse(context: Context): Promise<readonly string[]> {
  return tiersOf((await loadSettings(context)).settings.coordinator.executor);
}
