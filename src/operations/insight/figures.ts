import * as z from 'zod/mini';
import { AGENT } from '#core/graph/assignee.js';
import { isResource } from '#core/graph/known-resource.js';
import { sortedById } from '#core/graph/line.js';
import { addResource } from '#core/graph/resource.js';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { aging, agingShape } from '#core/insight/aging.js';
import type { Rate } from '#core/insight/cost.js';
import { costOf, costShape } from '#core/insight/cost.js';
import { forecast, forecastShape } from '#core/insight/forecast.js';
import { resourceUse, resourceUseShape } from '#core/insight/resources.js';
import { ids, list } from '#core/insight/shapes.js';
import { statsOf, statsShape } from '#core/insight/stats.js';
import { velocity, velocityShape } from '#core/insight/velocity.js';
import { workload } from '#core/insight/workload.js';
import { memberAgent } from '#operations/agency/assignee.js';
import type { GraphContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { operation } from '#operations/operation.js';
import { commitFields, moverOf, text } from '#operations/shapes.js';
import { section } from './section.js';

export const showAging = section({
  output: agingShape,
  async run({ view, context }) {
    return aging(view, context.clock.now());
  },
});

export const showCost = section({
  output: costShape,
  async run({ view, context, id }) {
    return costOf(view, id, await ratesOf(context, view));
  },
});

/**
 * Hourly rate of each task, from the agents of the project; a task of a member has the rate of the member's agent.
 * Undefined if no agent has a rate.
 */
export async function ratesOf(context: WorkContext, view: GraphView): Promise<Rate | undefined> {
  const agency = await loadAgency(context);
  const rates = new Map<string, number>();
  for (const { id, rate } of [...agency.all('agent'), ...agency.all('agent', true)])
    if (rate !== undefined && Number.isFinite(rate) && rate >= 0) rates.set(id, rate);
  if (rates.size === 0) return undefined;
  const members = new Map<string, number | undefined>();
  for (const node of view.nodes()) {
    if (!isTask(node) || node.member === undefined || members.has(node.member)) continue;
    const agent = await memberAgent(context, agency, node.member);
    members.set(node.member, agent && rates.get(agent.id));
  }
  return (task) => {
    const id = AGENT.of(task);
    if (typeof id === 'string') return rates.get(id);
    return task.member === undefined ? undefined : members.get(task.member);
  };
}

export const showForecast = section({
  output: forecastShape,
  async run({ view, context }) {
    return forecast(view, context.clock.now(), await ratesOf(context, view));
  },
});

const WEEKS = 4;

export const showVelocity = section({
  output: velocityShape,
  async run({ view, context, weeks }) {
    return velocity(view, weeks ?? WEEKS, context.clock.now());
  },
});

export const stats = section({
  output: statsShape,
  run: async ({ view }) => statsOf(view),
});

const load = z.object({
  in_progress: z.number(),
  ready: z.number(),
  waiting: z.number(),
  hours: z.number(),
  task_ids: ids,
});

export const showWorkload = section({
  output: z.object({ people: list(z.extend(load, { name: z.string() })), unassigned: load }),
  async run({ view, context }) {
    return workload(view, context.clock.now());
  },
});

const _number = z.nullable(z.number());

export const resources = section({
  output: z.object({
    resources: list(resourceUseShape),
    unknown: list(z.object({ id: z.string(), tasks: ids })),
  }),
  run: async ({ view }) => resourceUse(view),
});

export const resourceAdd = operation({
  name: 'resource.add',
  command: 'resource add',
  group: 'Analysis',
  kind: 'write',
  summary: 'Add or change a limited resource that tasks need',
  examples: [
    'troupe resource add ann --type time --available 20 --unit hours',
    'troupe resource add budget --available 500 --unit usd',
  ],
  input: z.strictObject({
    id: argument('Its id', z.string()),
    name: option('Its name', text, { value: 'TEXT' }),
    type: option('Its type, for example money, time or compute', text, { value: 'WORD' }),
    available: option('The available amount', z.optional(z.number()), { value: 'N' }),
    unit: option('Its unit; hours count against estimated hours, all others against cost', text, { value: 'WORD' }),
  }),
  output: z.object({ resource: z.string(), changed: z.boolean(), seq: commitFields.seq, events: commitFields.events }),
  async run(context: GraphContext, input) {
    const store = await context.graph();
    const commit = await store.commit((view) => addResource(view, input, moverOf(context)), context.request);
    const events = commit.entries.map(({ seq, op }) => ({ seq, op }));
    return { ...commit.result, seq: commit.seq, events };
  },
});

export const resourceList = operation({
  name: 'resource.list',
  command: 'resource list',
  group: 'Analysis',
  kind: 'read',
  instead: 'analyze --only resources',
  summary: 'List the resources',
  examples: ['troupe resource list', 'troupe resource list --json'],
  input: z.strictObject({}),
  output: z.object({
    resources: z.readonly(z.array(z.looseObject({ kind: z.literal('resource'), id: z.string() }))),
  }),
  async run(context: GraphContext) {
    const view = await (await context.graph()).view();
    return { resources: sortedById(view.nodes()).filter(isResource) };
  },
});
