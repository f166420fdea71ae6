import type { Invocation } from '../invocation.js';
import { missingClient } from '../service-client.js';
import { startOptions } from './service-options.js';

export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const state = await host.restartService(startOptions(input, folder), folder);
  const missing = await missingClient(invocation);
  if (json) screen.line(JSON.stringify({ ...state, ...missing.fields }));
  else {
    screen.line(`The service runs anew (pid ${state.pid}). Running tasks went on meanwhile.`);
    missing.tell();
  }
  return 0;
}
