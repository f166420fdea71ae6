import path from 'node:path';
import { LIMITS } from '#kernel/limits.js';
import { clientWishes } from '../client-wishes.js';
import type { StartOptions } from '../host.js';
import type { Invocation } from '../invocation.js';
import { wholeNumber } from '../whole-number.js';

/** How many at once and how often to look, as far as it was said. */
export function paceOf(input: Invocation['input']): { maxAgents?: number; seconds?: number } {
  const { max_agents: agents, poll_interval: seconds } = input;
  return {
    ...(agents === undefined ? {} : { maxAgents: wholeNumber(agents, 1, 'max-agents', LIMITS.agentsMost) }),
    ...(seconds === undefined
      ? {}
      : { seconds: wholeNumber(seconds, 1, 'poll-interval', LIMITS.pollIntervalMostSeconds) }),
  };
}

/** What was said of a service to be started; what was not, the settings say. Paths are seen from the folder `from`. */
export function startOptions(input: Invocation['input'], from: string): StartOptions {
  const { maxAgents, seconds } = paceOf(input);
  return {
    ...(maxAgents === undefined ? {} : { maxAgents }),
    ...(seconds === undefined ? {} : { pollMs: seconds * 1_000 }),
    clients: clientWishes(input),
    ...(input['socket'] === undefined ? {} : { socket: path.resolve(from, String(input['socket'])) }),
  };
}
