import type { Invocation } from '../invocation.js';

/** Its output is the protocol's: nothing else is printed. */
export async function execute({ host, folder, input }: Invocation): Promise<number> {
  await host.offerTools(folder, input['person'] === true ? 'person' : 'run');
  return 0;
}
