import { isSwitchable, NO_PARTS, type OwnPartsOfRun } from '#core/runs/own-parts.js';
import type { Settings } from '#core/settings/settings.js';
import type { Context } from '#operations/operation.js';

/** The person's hooks, plugins and tool servers of a client, and whether they are active in runs. */
export async function partsOfRun(
  context: Pick<Context, 'clientPrograms'>,
  client: string | undefined,
  { clients }: Settings,
): Promise<OwnPartsOfRun> {
  if (client === undefined || !isSwitchable(client)) return { act: true, parts: NO_PARTS };
  const act = client === 'claude' ? clients.claude.own_hooks : clients.codex.own_hooks;
  return { act, parts: await (await context.clientPrograms()).ownParts(client) };
}
