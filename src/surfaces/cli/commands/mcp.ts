import type { Invocation } from '../invocation.js';

/** Its output is the protocol's: nothing else is printed. */
export async function execute({ host, folder }: Invocation): Promise<number> {
  await host.offerTools(folder);
  return 0;
}
