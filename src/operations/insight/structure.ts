import * as z from 'zod/mini';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { type Complaint, checkGraph, checkMerge, fromLog, fromReading } from '#core/insight/check.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { discover } from '#core/insight/discover.js';
import { DOERS } from '#core/insight/done-by.js';
import { impactOf } from '#core/insight/impact.js';
import { coordinate, nextUp } from '#core/insight/next.js';
import { planWork } from '#core/insight/plan.js';
import { cycleReport, structureOf } from '#core/insight/structure.js';
import { parseDuration } from '#kernel/duration.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { compareWithLog } from '#operations/graph-of-log.js';
import { operation } from '#operations/operation.js';
import { clientInForce } from '#operations/settings/usable-executors.js';
import { ratesOf } from './figures.js';
import { section } from './section.js';
import { brief, briefs, ids, list, nullableText, status } from './shapes.js';

export const showCriticalPath = section({
  output: z.object({
    critical_path: list(z.extend(brief, { after: ids })),
    task_count: z.number(),
    total_hours: z.number(),
    slack_analysis: list(z.object({ id: z.string(), title: z.string(), slack_hours: z.number(), note: z.string() })),
    cycles_skipped: z.number(),
  }),
  run: async ({ view }) => criticalPath(view),
});

export const showBottlenecks = section({
  output: z.object({
    bottlenecks: list(
      z.object({
        id: z.string(),
        title: z.string(),
        direct_blocks: z.number(),
        transitive_before: z.number(),
        status,
        assigned: nullableText,
        recommendation: z.string(),
      }),
    ),
    total_tasks: z.number(),
  }),
  run: async ({ view }) => bottlenecks(view),
});

export const showImpact = section({
  output: z.object({
    task: brief,
    direct_dependents: briefs,
    transitive_dependents: briefs,
    dependency_chains: list(ids),
    impact_summary: z.object({ total_tasks_affected: z.number(), total_hours_at_risk: z.number() }),
  }),
  async run({ view, id }) {
    return impactOf(view, id);
  },
});

export const structure = section({
  output: z.object({
    entry_points: ids,
    dead_ends: list(z.object({ id: z.string(), status, expected: z.boolean(), warning: nullableText })),
    high_impact_roots: list(z.object({ id: z.string(), transitive_dependents: z.number() })),
  }),
  run: async ({ view }) => structureOf(view),
});

export const cycles = section({
  output: z.object({
    cycle_count: z.number(),
    cycles: list(
      z.object({
        header: z.string(),
        members: ids,
        member_count: z.number(),
        reducible: z.boolean(),
        member_statuses: z.readonly(z.record(z.string(), status)),
        iteration: z.number(),
        max_iterations: z.nullable(z.number()),
        last_decision: z.string(),
      }),
    ),
    back_edges: list(z.object({ from: z.string(), to: z.string() })),
  }),
  run: async ({ view }) => cycleReport(view),
});

const number = z.nullable(z.number());
const flag = z.optional(z.boolean());
const row = z.extend(brief, { cost: number });

export const plan = section({
  output: z.object({
    budget: number,
    hours: number,
    selected: list(row),
    left_out: list(row),
    total_hours: z.number(),
    total_cost: z.number(),
    remaining_hours: number,
    remaining_budget: number,
    missing_estimates: ids,
  }),
  async run({ view, context, budget, hours }) {
    return planWork(view, { budget, hours }, context.clock.now(), await ratesOf(context, view));
  },
});

const memberTask = z.extend(brief, { assigned: nullableText, member: nullableText });

export const showCoordination = section({
  output: z.object({
    ready: list(memberTask),
    in_progress: list(memberTask),
    next: list(z.extend(memberTask, { waits_for: ids })),
    needs_person: list(memberTask),
    ready_count: z.number(),
    in_progress_count: z.number(),
    waiting_count: z.number(),
  }),
  async run({ view, context }) {
    return coordinate(view, context.clock.now());
  },
});

const DAY = '24h';

export const showDiscoveries = section({
  output: z.object({
    since: z.string(),
    tasks: list(
      z.object({
        id: z.string(),
        title: z.string(),
        status,
        completed_at: z.string(),
        artifacts: ids,
        note: nullableText,
      }),
    ),
    total: z.number(),
  }),
  async run({ view, context, since }) {
    const back = Math.min(parseDuration(since ?? DAY), SURFACE_LIMITS.discoverMs);
    return discover(view, context.clock.now() - back);
  },
});

export const next = operation({
  name: 'analysis.next',
  command: 'next',
  group: 'Tasks',
  kind: 'read',
  summary: 'Show the ready task to do first',
  examples: ['troupe next', 'troupe next --member Trinity'],
  input: z.strictObject({
    member: option('Only tasks of this team member', z.optional(z.string()), { value: 'NAME', names: 'member' }),
  }),
  output: z.object({
    task: z.nullable(z.extend(brief, { member: nullableText, done_by: z.enum(DOERS) })),
    waiting_for_it: z.number(),
    ready: z.number(),
    reason: z.string(),
  }),
  async run(context: GraphContext & MachineContext, input) {
    const view = await (await context.graph()).view();
    return nextUp(view, input.member, context.clock.now(), await clientInForce(context));
  },
});

/** Finds structural errors that can never work, and suspicious structure as warnings. */
export const check = operation({
  name: 'graph.check',
  command: 'check',
  group: 'Analysis',
  kind: 'read',
  summary: 'Check the graph for errors and likely mistakes',
  examples: ['troupe check', 'troupe check --deep --json'],
  input: z.strictObject({ deep: option('Also make the graph again from the whole log, and compare', flag) }),
  output: z.object({
    ok: z.boolean(),
    errors: z.number(),
    warnings: z.number(),
    node_count: z.number(),
    problems: list(
      z.object({
        code: z.string(),
        severity: z.enum(['error', 'warning']),
        task_id: nullableText,
        ids,
        hint: z.string(),
      }),
    ),
    structural_cycles: list(z.object({ header: z.string(), members: ids, reducible: z.boolean() })),
  }),
  async run(context: GraphContext, { deep }) {
    const store = await context.graph();
    const view = await store.view();
    const merges: Complaint[] = [];
    for await (const entry of store.entries(1)) merges.push(...checkMerge(view, entry));
    const drift = deep === true ? fromLog(await compareWithLog(store)) : [];
    return checkGraph(view, [...fromReading(await store.health()), ...drift, ...merges]);
  },
});
