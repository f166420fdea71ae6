import type { Invocation } from '../invocation.js';
import { missingClient } from '../service-client.js';
import { startOptions } from './service-options.js';

export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const state = await host.startService(startOptions(input, folder), input['force'] === true, folder);
  const missing = await missingClient(invocation);
  if (json) screen.line(JSON.stringify({ ...state, ...missing.fields }));
  else {
    screen.line(`The service runs (pid ${state.pid}). See it with \`troupe service status\`.`);
    missing.tell();
  }
  return 0;
}
