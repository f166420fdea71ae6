import * as z from 'zod/mini';
import { parseScenario, type Scenario } from '#core/insight/scenario.js';
import { simulate as play } from '#core/insight/simulate.js';
import { parseDuration } from '#kernel/duration.js';
import { SIMULATION_LIMITS } from '#kernel/limits/simulation.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';

const number = z.optional(z.number());

/** Simulates the graph on a virtual clock: nothing is run, written or spent. */
export const simulate = operation({
  name: 'graph.simulate',
  command: 'simulate',
  group: 'Analysis',
  kind: 'read',
  where: 'caller',
  summary: 'Simulate the graph on a virtual clock, without cost',
  examples: ['troupe simulate', 'troupe simulate --agents 8 --seed 7 --json'],
  input: z.strictObject({
    file: argument('YAML with durations and outcomes (default: estimates)', z.optional(z.string())),
    agents: option('Maximum concurrent agents', number, { value: 'N' }),
    seed: option('Random seed, for repeatable results', number, { value: 'N' }),
    until: option('Stop at this time', z.optional(z.string()), { value: 'DURATION' }),
    crash: option('Probability that the service crashes, 0 to 1', number, { value: 'SHARE' }),
    log: option('Include every event', z.optional(z.boolean())),
  }),
  output: z.looseObject({
    took_ms: z.number(),
    ended: z.enum(['finished', 'stuck', 'until', 'too-long']),
    seed: z.number(),
    agents: z.number(),
    runs: z.number(),
    deaths: z.number(),
    crashes: z.number(),
    cost_usd: z.number(),
    at_once: z.object({ most: z.number(), average: z.number() }),
    statuses: z.record(z.string(), z.number()),
    left: z.array(z.string()),
    log: z.optional(z.array(z.unknown())),
  }),
  async run(context: GraphContext & FilesContext, input) {
    const data =
      input.file === undefined ? {} : await (await context.files()).data(input.file, SIMULATION_LIMITS.scenarioBytes);
    const { file: _file, log, until, ...options } = input;
    const overrides = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const scenario: Scenario = parseScenario({ ...(data as object | null), ...overrides });
    const end = until ?? scenario.until;
    const view = await (await context.graph()).view();
    const result = play(view.nodes(), scenario, {
      now: context.clock.now(),
      ...(end === undefined ? {} : { untilMs: parseDuration(end) }),
    });
    return {
      took_ms: result.tookMs,
      ended: result.ended,
      seed: scenario.seed ?? 1,
      agents: scenario.agents ?? WORK_LIMITS.agentsDefault,
      runs: result.runs,
      deaths: result.deaths,
      crashes: result.crashes,
      cost_usd: result.cost,
      at_once: result.atOnce,
      statuses: { ...result.statuses },
      left: [...result.left],
      ...(log ? { log: [...result.entries] } : {}),
    };
  },
});
