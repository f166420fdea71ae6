import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue, type Issue } from '#kernel/issues.js';
import { SIMULATION_LIMITS } from '#kernel/limits/simulation.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { matchesPattern } from '#kernel/text.js';

const SPAN = /^(?<least>\d{1,9}[smhd])(?:\.\.(?<most>\d{1,9}[smhd]))?$/;
const share = z.number().check(z.gte(0), z.lte(1));

const ruleSchema = z.strictObject({
  /** `*`, `review-*`, or `tag:slow`; the first matching rule applies. */
  match: z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters)),
  /** `5m`, or a range: `5m..20m`. */
  takes: z.optional(z.string().check(z.regex(SPAN, 'write 5m or 5m..20m'))),
  result: z.optional(z.enum(['done', 'failed'])),
  fails: z.optional(share),
  /** Probability that a run dies without a record. */
  dies: z.optional(share),
  cost: z.optional(z.number().check(z.gte(0))),
  creates: z.optional(
    z
      .array(z.strictObject({ title: z.string(), exec: z.optional(z.string()) }))
      .check(z.maxLength(WORK_LIMITS.childTasksPerAgent)),
  ),
});

/** Input of `troupe simulate`; every field is optional. */
export const scenarioSchema = z.strictObject({
  agents: z.optional(z.int().check(z.gte(1), z.lte(SIMULATION_LIMITS.agents))),
  seed: z.optional(z.int().check(z.gte(0))),
  until: z.optional(z.string()),
  crash: z.optional(share),
  usd_total: z.optional(z.number().check(z.gte(0))),
  script: z.optional(z.array(ruleSchema).check(z.maxLength(SIMULATION_LIMITS.rules))),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Rule = z.infer<typeof ruleSchema>;

/** Validates a scenario from a file. Errors: `bad_input` with the first invalid place. */
export function parseScenario(value: unknown): Scenario {
  const parsed = scenarioSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = explainIssue(parsed.error.issues[0] as Issue, value);
  throw new TroupeError('bad_input', {
    what: `The scenario cannot be used: ${describeIssue(issue, 'it')}.`,
    hint: 'It may contain: agents, seed, until, crash, usd_total, script.',
  });
}

const USUAL: Rule = { match: '*' };
const USUAL_TAKES_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

export function ruleFor(script: readonly Rule[], task: Task): Rule {
  return script.find(({ match }) => fits(match, task)) ?? USUAL;
}

function fits(match: string, task: Task): boolean {
  if (match.startsWith('tag:')) return task.tags?.includes(match.slice('tag:'.length)) === true;
  return matchesPattern(task.id, match);
}

/** Duration of a run in milliseconds: by the rule, else by the task's estimate, else ten minutes. */
export function timeTaken(rule: Rule, task: Task, roll: () => number): number {
  const { least, most } = SPAN.exec(rule.takes ?? '')?.groups ?? {};
  if (least !== undefined) {
    const from = parseDuration(least);
    const to = most === undefined ? from : Math.max(from, parseDuration(most));
    return Math.round(from + (to - from) * roll());
  }
  const { hours } = task.estimate ?? {};
  return hours === undefined || hours <= 0 ? USUAL_TAKES_MS : Math.round(hours * HOUR_MS);
}
