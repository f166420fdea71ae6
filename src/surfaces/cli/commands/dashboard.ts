import type { Invocation } from '../invocation.js';

export async function execute({ host, screen, json, folder }: Invocation): Promise<number> {
  const answer = (await host.service({ cmd: 'dashboard' }, folder)) as { address: string };
  screen.line(json ? JSON.stringify(answer) : answer.address);
  return 0;
}
