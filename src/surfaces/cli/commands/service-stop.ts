import type { Invocation } from '../invocation.js';

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const answer = await host.service({ cmd: 'shutdown', kill_agents: input['kill_agents'] === true }, folder);
  if (json) screen.line(JSON.stringify(answer));
  else
    screen.line(
      input['kill_agents'] === true
        ? 'The service and its runs are stopped.'
        : 'The service is stopped. Running tasks go on.',
    );
  return 0;
}
