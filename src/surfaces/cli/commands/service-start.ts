import type { Invocation } from '../invocation.js';
import { startOptions } from './service-options.js';

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const state = await host.startService(startOptions(input, folder), input['force'] === true, folder);
  if (json) screen.line(JSON.stringify(state));
  else screen.line(`The service runs (pid ${state.pid}). See it with \`troupe service status\`.`);
  return 0;
}
