import { tiersOf } from '#core/playbooks/tiers.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

/** Models of the client that runs the project's tasks, cheapest first; empty if their order is not known. */
export async function tiersInUse(context: Pick<Context, 'settings' | 'trust'>): Promise<readonly string[]> {
  return tiersOf((await loadSettings(context)).settings.coordinator.executor);
}
