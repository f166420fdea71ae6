import { LIMITS } from '#kernel/limits.js';
import { clientWishes } from '../client-wishes.js';
import type { Invocation } from '../invocation.js';
import { wholeNumber } from '../whole-number.js';

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const maxAgents = wholeNumber(input['max_agents'], LIMITS.agentsDefault, 'max-agents', LIMITS.agentsMost);
  const seconds = wholeNumber(input['poll_interval'], LIMITS.pollIntervalMs / 1_000, 'poll-interval', 86_400);
  const options = { maxAgents, pollMs: seconds * 1_000, clients: clientWishes(input) };
  const state = (await host.startService(options, folder)) as { pid: number };
  if (json) screen.line(JSON.stringify(state));
  else
    screen.line(
      `The service runs (pid ${state.pid}, at most ${maxAgents} agents). See it with \`troupe service status\`.`,
    );
  return 0;
}
