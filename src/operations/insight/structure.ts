import * as z from 'zod/mini';
import { bottleneckShape, bottlenecks } from '#core/insight/bottlenecks.js';
import { type Complaint, checkGraph, checkMerge, checkReportShape, fromLog, fromReading } from '#core/insight/check.js';
import { criticalPath, criticalPathShape } from '#core/insight/critical-path.js';
import { discover, discoveryShape } from '#core/insight/discover.js';
import { impactOf, impactShape } from '#core/insight/impact.js';
import { coordinate, coordinationSummaryShape, nextUp, nextUpShape } from '#core/insight/next.js';
import { planWork, workPlanShape } from '#core/insight/plan.js';
import { brief, list, nullableText } from '#core/insight/shapes.js';
import { cycleReport, cycleReportShape, structureOf, structureShape } from '#core/insight/structure.js';
import { parseDuration } from '#kernel/duration.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { compareWithLog } from '#operations/graph-of-log.js';
import { operation } from '#operations/operation.js';
import { clientInForce } from '#operations/settings/usable-executors.js';
import { ratesOf } from './figures.js';
import { section } from './section.js';

export const showCriticalPath = section({
  output: criticalPathShape,
  run: async ({ view }) => criticalPath(view),
});

export const showBottlenecks = section({
  output: z.object({
    bottlenecks: list(bottleneckShape),
    total_tasks: z.number(),
  }),
  run: async ({ view }) => bottlenecks(view),
});

export const showImpact = section({
  output: impactShape,
  async run({ view, id }) {
    return impactOf(view, id);
  },
});

export const structure = section({
  output: structureShape,
  run: async ({ view }) => structureOf(view),
});

export const cycles = section({
  output: cycleReportShape,
  run: async ({ view }) => cycleReport(view),
});

const number = z.nullable(z.number());
const flag = z.optional(z.boolean());
const _row = z.extend(brief, { cost: number });

export const plan = section({
  output: workPlanShape,
  async run({ view, context, budget, hours }) {
    return planWork(view, { budget, hours }, context.clock.now(), await ratesOf(context, view));
  },
});

const _memberTask = z.extend(brief, { assigned: nullableText, member: nullableText });

export const showCoordination = section({
  output: coordinationSummaryShape,
  async run({ view, context }) {
    return coordinate(view, context.clock.now());
  },
});

const DAY = '24h';

export const showDiscoveries = section({
  output: discoveryShape,
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
  output: nextUpShape,
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
  output: checkReportShape,
  async run(context: GraphContext, { deep }) {
    const store = await context.graph();
    const view = await store.view();
    const merges: Complaint[] = [];
    for await (const entry of store.entries(1)) merges.push(...checkMerge(view, entry));
    const drift = deep === true ? fromLog(await compareWithLog(store)) : [];
    return checkGraph(view, [...fromReading(await store.health()), ...drift, ...merges]);
  },
});
