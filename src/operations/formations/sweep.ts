import * as z from 'zod/mini';
import { formationRunId } from '#core/playbooks/formation.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { compileSweep, defaultSweep, sweepOf } from '#core/playbooks/sweep.js';
import { readPartition } from '#core/playbooks/sweep-schema.js';
import { partitionText } from '#core/playbooks/sweep-steps.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import { checkedPercent } from '#core/playbooks/verification.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { ACCEPT_LINE_UP } from '#operations/options.js';
import { plainLetters } from '#operations/plain-letters.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { checkedGoal, seatRecordOf } from './panel.js';
import { proposeRun } from './propose.js';
import { withNextStage } from './stages.js';
import { standingShape } from './standing.js';

/**
 * Proposes a sweep for a goal: its slices, and its paused tasks. With `yes`, the line-up is accepted if the budget
 * covers it.
 */
export const sweep = operation({
  name: 'formation.sweep',
  command: 'formation sweep',
  group: 'Plans',
  kind: 'write',
  instead: 'sweep',
  summary: 'Research a topic: scouts in slices, merged by code, checked at the source',
  examples: [
    'troupe sweep "how caches of build tools fail"',
    'troupe sweep "licences of our dependencies" --sample 20',
  ],
  input: z.strictObject({
    goal: argument('What to research', z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.goalCharacters))),
    slices: option('YAML with slices and the keys they own; default: from the goal', z.optional(z.string()), {
      value: 'FILE',
      path: 'always',
    }),
    sample: option('Percentage of entries to check, 10 to 20 (default: 15)', z.optional(z.number()), { value: 'N' }),
    yes: ACCEPT_LINE_UP,
  }),
  output: standingShape,
  async run(context: ProjectContext, { goal, slices, sample, yes }) {
    return await proposeSweep(context, { goal, slices, sample, stages: [] }, yes === true);
  },
});

/** Parameters of a sweep. */
export interface SweepRequest {
  readonly goal: string;
  /** A person's file with the slices. */
  readonly slices?: string | undefined;
  /** Percentage of entries to verify. */
  readonly sample?: number | undefined;
  /** Stages that follow in a chain. */
  readonly stages: readonly string[];
}

export async function proposeSweep(
  context: ProjectContext,
  { slices, stages, ...wish }: SweepRequest,
  accepted: boolean,
) {
  const goal = checkedGoal(wish.goal, 'sweep');
  const sample = checkedPercent(wish.sample ?? SWEEP_LIMITS.samplePercent);
  const registry = await loadRoles(context);
  const line =
    slices === undefined
      ? defaultSweep(registry, goal)
      : sweepOf(registry, readPartition(await (await context.files()).data(slices, SWEEP_LIMITS.slicesBytes), slices));
  const { settings } = await loadSettings(context);
  const tiers = tiersOf(settings.coordinator.executor);
  const now = context.clock.now();
  const run = formationRunId(await plainLetters(goal), new Date(now), sha256(context.freshId()).slice(0, 4));
  const record: FormationRecord = {
    formation: 'sweep',
    run,
    goal,
    state: 'proposed',
    at: timestamp(now),
    tasks: [],
    seats: line.seats.map((seat) => seatRecordOf(seat, tiers[0])),
    options: { sample: String(sample), ...(stages.length > 0 ? { stages: stages.join(',') } : {}) },
    kept: { subject: goal, partition: partitionText(line.partition) },
    defaults: line.seats.map(({ name }) => name),
    stumbles: {},
    handoffs: {},
    stale: [],
    judged: {},
    notes: line.partition.warnings.map((warning) => `partition: ${warning}`),
  };
  const compiled = compileSweep(goal, line.seats, { run, partition: line.partition, tiers });
  return await proposeRun(context, record, withNextStage(compiled, record), accepted);
}
