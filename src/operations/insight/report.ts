import * as z from 'zod/mini';
import { GRAPH_SECTIONS, TASK_SECTIONS } from '#core/insight/sections.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { blocked, whyBlocked } from './blocking.js';
import { resources, showAging, showCost, showForecast, showVelocity, showWorkload, stats } from './figures.js';
import type { Analyzed } from './section.js';
import {
  cycles,
  plan,
  showBottlenecks,
  showCoordination,
  showCriticalPath,
  showDiscoveries,
  showImpact,
  structure,
} from './structure.js';

type GraphSection = (typeof GRAPH_SECTIONS)[number];
type TaskSection = (typeof TASK_SECTIONS)[number];
type SectionName = GraphSection | TaskSection;

const SECTIONS = {
  ...{ stats, forecast: showForecast, velocity: showVelocity, 'critical-path': showCriticalPath },
  ...{ bottlenecks: showBottlenecks, structure, cycles, workload: showWorkload, aging: showAging, resources },
  ...{ parallel: showCoordination, recent: showDiscoveries, plan },
  ...{ 'why-blocked': whyBlocked, blocked, impact: showImpact, cost: showCost },
} satisfies Record<SectionName, { run(analyzed: Analyzed): Promise<unknown> }>;

/** The one section that reads an option. */
const READER = { weeks: 'velocity', since: 'recent', budget: 'plan', hours: 'plan' } as const;
type SectionOption = keyof typeof READER;

const amount = z.optional(z.number().check(z.minimum(0)));

/** Analyzes the whole graph, or one task, in sections. Errors: `unknown_task`; `bad_input` for a section that does not fit. */
export const analysisReport = operation({
  name: 'analysis.report',
  command: 'analyze',
  group: 'Analysis',
  kind: 'read',
  summary: 'Analyze the graph, or one task: what blocks it, depends on it, costs',
  examples: [
    'troupe analyze',
    'troupe analyze --only forecast,critical-path',
    'troupe analyze write-the-parser --only impact',
  ],
  input: z.strictObject({
    id: argument('A task (default: the whole graph)', z.optional(z.string()), { names: 'task' }),
    only: option(
      `Only these: ${GRAPH_SECTIONS.join(', ')}; of a task: ${TASK_SECTIONS.join(', ')}`,
      z.optional(z.array(z.enum([...GRAPH_SECTIONS, ...TASK_SECTIONS])).check(z.minLength(1))),
      { value: 'SECTION' },
    ),
    weeks: option(
      'Velocity of this many weeks (default: 4)',
      z.optional(z.int().check(z.minimum(1), z.maximum(SURFACE_LIMITS.velocityWeeks))),
      { value: 'N' },
    ),
    since: option('What ended recently (default: 24h)', z.optional(z.string()), { value: 'DURATION' }),
    budget: option('Plan what fits into this much money', amount, { value: 'N' }),
    hours: option('Plan what fits into this many hours', amount, { value: 'N' }),
  }),
  output: z.object({
    stats: z.optional(stats.output),
    forecast: z.optional(showForecast.output),
    velocity: z.optional(showVelocity.output),
    critical_path: z.optional(showCriticalPath.output),
    bottlenecks: z.optional(showBottlenecks.output),
    structure: z.optional(structure.output),
    cycles: z.optional(cycles.output),
    workload: z.optional(showWorkload.output),
    aging: z.optional(showAging.output),
    resources: z.optional(resources.output),
    parallel: z.optional(showCoordination.output),
    recent: z.optional(showDiscoveries.output),
    plan: z.optional(plan.output),
    why_blocked: z.optional(whyBlocked.output),
    blocked: z.optional(blocked.output),
    impact: z.optional(showImpact.output),
    cost: z.optional(showCost.output),
  }),
  async run(context: WorkContext & MachineContext, { id, only, ...options }) {
    const chosen = sectionsOf(id, only, options);
    const view = await (await context.graph()).view();
    const answer: Partial<Record<string, unknown>> = {};
    for (const name of chosen) {
      answer[name.replaceAll('-', '_')] = await SECTIONS[name].run({ view, context, id: id ?? '', ...options });
      await new Promise((resolve) => setImmediate(resolve)); // a large graph must not hold up other requests for long
    }
    return answer;
  },
});

/** The chosen sections in the order of the report. Errors: `bad_input`. */
function sectionsOf(
  id: string | undefined,
  only: readonly SectionName[] | undefined,
  options: Readonly<Partial<Record<SectionOption, unknown>>>,
): readonly SectionName[] {
  const given = (Object.keys(READER) as SectionOption[]).filter((option) => options[option] !== undefined);
  const possible: readonly SectionName[] = id === undefined ? GRAPH_SECTIONS : TASK_SECTIONS;
  const other = only?.find((name) => !possible.includes(name));
  if (other !== undefined) throw misplaced(other);
  const isChosen = (name: SectionName) => {
    if (only !== undefined) return only.includes(name);
    // A plan without an amount to plan for is the list of all tasks; direct blockers are part of the whole chain.
    return name === 'plan' ? given.some((option) => READER[option] === 'plan') : name !== 'blocked';
  };
  const chosen = possible.filter(isChosen);
  const unread = given.find((option) => !chosen.includes(READER[option]));
  if (unread === undefined) return chosen;
  throw new TroupeError('bad_input', {
    what: `--${unread} applies to the section ${READER[unread]}, which is left out.`,
    hint: `Run \`troupe analyze --only ${READER[unread]}\` with it.`,
  });
}

function misplaced(section: SectionName): TroupeError {
  const sectionsOfTask: readonly string[] = TASK_SECTIONS;
  if (sectionsOfTask.includes(section))
    return new TroupeError('bad_input', {
      what: `The section ${section} is about one task, and none is named.`,
      hint: `Name a task after \`troupe analyze\`, with \`--only ${section}\`.`,
    });
  return new TroupeError('bad_input', {
    what: `The section ${section} is about the whole graph, not one task.`,
    hint: `Run \`troupe analyze --only ${section}\`.`,
  });
}
