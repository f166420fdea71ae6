import type { Invocation } from '../invocation.js';
import { startOptions } from './service-options.js';

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const state = await host.restartService(startOptions(input, folder), folder);
  if (json) screen.line(JSON.stringify(state));
  else screen.line(`The service runs anew (pid ${state.pid}). Running tasks went on meanwhile.`);
  return 0;
}
