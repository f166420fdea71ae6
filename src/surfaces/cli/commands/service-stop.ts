import type { Invocation } from '../invocation.js';

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const killAgents = input['kill_agents'] === true;
  const { pid } = await host.stopService({ killAgents, force: input['force'] === true }, folder);
  if (json) screen.line(JSON.stringify({ stopping: true, pid }));
  else
    screen.line(killAgents ? 'The service and its runs are stopped.' : 'The service is stopped. Running tasks go on.');
  return 0;
}
