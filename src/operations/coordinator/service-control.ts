import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphContext } from '#operations/contexts.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { serviceStatus, serviceValues } from '#operations/service-status.js';

const text = z.optional(z.string());
const upTo = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

export const status = operation({
  name: 'service.status',
  command: 'service status',
  group: 'Service',
  where: 'service',
  kind: 'read',
  summary: 'Show whether the service runs, and its activity',
  examples: ['troupe service status', 'troupe service status --json'],
  input: z.strictObject({}),
  output: serviceStatus,
  run: async (context: GraphContext) => await coordinatorOf(context).status(),
});

/** Starts nothing new until `resume`, even after a restart. Answers when no attempt is being started any more. */
export const pause = operation({
  name: 'service.pause',
  command: 'service pause',
  group: 'Service',
  where: 'service',
  kind: 'write',
  summary: 'Pause: start nothing new, even after a restart; running tasks continue',
  examples: ['troupe service pause', 'troupe service pause --json'],
  input: z.strictObject({}),
  output: z.object({ paused: z.literal(true) }),
  async run(context: GraphContext) {
    await coordinatorOf(context, 'There is nothing to pause: without a service, nothing starts.').pause();
    return { paused: true as const };
  },
});

export const resume = operation({
  name: 'service.resume',
  command: 'service resume',
  group: 'Service',
  where: 'service',
  kind: 'write',
  summary: 'Resume after a pause',
  examples: ['troupe service resume', 'troupe service resume --json'],
  input: z.strictObject({}),
  output: z.object({ paused: z.literal(false) }),
  async run(context: GraphContext) {
    await coordinatorOf(context).resume();
    return { paused: false as const };
  },
});

/** Values of the running service, from its next tick on. */
export const reload = operation({
  name: 'service.reload',
  command: 'service reload',
  group: 'Service',
  where: 'service',
  kind: 'write',
  summary: 'Change the running service; without flags, reload config.toml',
  examples: ['troupe service reload', 'troupe service reload --max-agents 2'],
  input: z.strictObject({
    max_agents: option('Maximum concurrent tasks', upTo(WORK_LIMITS.agentsMost), { value: 'N' }),
    poll_interval: option('Seconds between ticks, at most', upTo(WORK_LIMITS.pollIntervalMostSeconds), {
      value: 'SECONDS',
      aliases: ['interval'],
    }),
    executor: option('The client for tasks without a command (shell: none)', text, { value: 'NAME' }),
    model: option('The model for clients', text, { value: 'MODEL' }),
  }),
  output: serviceValues,
  async run(context: GraphContext, values) {
    return await coordinatorOf(context).configure(values);
  },
});

/** Ends the service after the answer; the command waits until its process has ended. */
export const stop = operation({
  name: 'service.stop',
  command: 'service stop',
  group: 'Service',
  where: 'service',
  kind: 'write',
  summary: 'Stop the service; running tasks continue',
  examples: ['troupe service stop', 'troupe service stop --kill-agents'],
  input: z.strictObject({
    kill_agents: option('Stop running tasks and release them', z.optional(z.boolean())),
    force: option('Even if it does not answer', z.optional(z.boolean())),
  }),
  output: z.object({ stopping: z.literal(true) }),
  async run(context: GraphContext, { kill_agents: killRuns = false, force = false }) {
    await coordinatorOf(context).shutDown({ killRuns, force });
    return { stopping: true as const };
  },
});

/** Errors: `service_not_running`. */
function coordinatorOf(context: Pick<Context, 'coordinator'>, hint?: string): CoordinatorFacts {
  const coordinator = context.coordinator?.();
  if (coordinator === undefined) throw new TroupeError('service_not_running', hint === undefined ? {} : { hint });
  return coordinator;
}
