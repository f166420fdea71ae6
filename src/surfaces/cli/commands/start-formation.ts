import type { Input } from '#operations/map.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { renderers } from '#surfaces/cli/render/formations.js';
import { callNamed } from './call-named.js';

/** Operations that start a formation, by the name of its playbook. */
const STARTS = {
  crew: 'formation.crew',
  panel: 'formation.panel',
  sweep: 'formation.sweep',
  chain: 'formation.chain',
} as const;
export type FormationName = keyof typeof STARTS;

export const isFormation = (name: string): name is FormationName => Object.hasOwn(STARTS, name);

/** Starts a formation for a goal and prints its line-up, as the command named like it does. */
export async function startFormation(
  { host, screen, json, folder }: Pick<Invocation, 'host' | 'screen' | 'json' | 'folder'>,
  name: FormationName,
  wish: Input<(typeof STARTS)[FormationName]>,
): Promise<number> {
  const operation = STARTS[name];
  const standing = await callNamed(host, operation, wish, folder);
  if (json) screen.line(JSON.stringify(standing));
  else
    await renderers[operation](standing, screen, {
      serviceAnswers: () => host.serviceAnswers(folder),
      stage: () => undefined,
    });
  return 0;
}
