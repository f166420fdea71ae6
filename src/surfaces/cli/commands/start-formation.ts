import { type FormationName, startOf } from '#operations/formations/names.js';
import type { Input } from '#operations/map.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { renderers } from '#surfaces/cli/render/formations.js';
import { callNamed } from './call-named.js';

/** Starts a formation for a goal and prints its line-up, as the command named like it does. */
export async function startFormation(
  { host, screen, json, folder }: Pick<Invocation, 'host' | 'screen' | 'json' | 'folder'>,
  name: FormationName,
  wish: Input<ReturnType<typeof startOf<FormationName>>>,
): Promise<number> {
  const operation = startOf(name);
  const standing = await callNamed(host, operation, wish, folder);
  if (json) screen.line(JSON.stringify(standing));
  else
    await renderers[operation](standing, screen, {
      serviceAnswers: () => host.serviceAnswers(folder),
      stage: () => undefined,
    });
  return 0;
}
