import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef } from '#core/agency/entities.js';
import { evaluationsOf } from '#core/agency/list-evaluations.js';
import { skillGaps } from '#core/agency/match.js';
import { agencyFigures, familyOf } from '#core/agency/stats.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { loadAgency } from '#operations/load-agency.js';
import { type Context, operation } from '#operations/operation.js';
import { peopleOf } from './person.js';
import { ancestorShape } from './shapes.js';

const MIN_EVALS = 3;
const mean = z.nullable(z.number());
const figures = {
  mean,
  count: z.number(),
  trend: z.nullable(z.enum(['improving', 'declining', 'flat'])),
  series: z.readonly(z.array(z.number())),
  llm: mean,
  flip: mean,
  outside: mean,
  gap: mean,
};
const standings = z.readonly(
  z.array(z.object({ id: z.string(), name: z.string(), generation: z.number(), retired: z.boolean(), ...figures })),
);
const rows = z.readonly(z.array(z.object({ name: z.string(), ...figures })));
const pair = { role_id: z.string(), role_name: z.string(), tradeoff_id: z.string(), tradeoff_name: z.string() };

/** Statistics of all scores: means, trends and pairs, untested pairs, and skills that no agent has. */
export const agencyStats = operation({
  name: 'agency.stats',
  command: 'agency stats',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  summary: 'Summarize all scores: who does well, trends, and untried pairs',
  examples: ['troupe agency stats', 'troupe agency stats --min-evals 5 --by-model --json'],
  input: z.strictObject({
    min_evals: option(
      'Pairs with fewer scores are unexplored (default: 3)',
      z.optional(z.int().check(z.minimum(1), z.maximum(TEAM_LIMITS.agencyReferences))),
      { value: 'N' },
    ),
    by_model: option('Also group by the model of the task or its agent', z.optional(z.boolean())),
  }),
  output: z.object({
    min_evals: z.number(),
    roles: standings,
    tradeoffs: standings,
    agents: standings,
    people: standings,
    tags: rows,
    /** Only if requested. */
    models: z.optional(rows),
    synergy: z.readonly(z.array(z.object({ ...pair, ...figures, synergy: z.nullable(z.enum(['high', 'low'])) }))),
    unexplored: z.readonly(z.array(z.object({ ...pair, count: z.number(), promise: z.number() }))),
    unexplored_total: z.number(),
    /** Number of stored scores if none of them is credited to an entity; else 0. */
    only_uncredited: z.number(),
    skill_gaps: z.readonly(z.array(z.object({ skill: z.string(), tasks: z.number() }))),
    /** Ancestors are linked by `parent_ids`; a missing one has no name. */
    lineage: z.array(ancestorShape),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: WorkContext & MachineContext, { min_evals = MIN_EVALS, by_model }) {
    const agency = await loadAgency(context);
    const view = await (await graphIfAny(context))?.view();
    // First, as it visits all tasks: later lookups find them parsed.
    const gaps = view ? skillGaps(agency, view).slice(0, AGENCY_LIMITS.statsRows) : [];
    const facts = {
      people: await peopleOf(context, agency),
      task: (id: string) => view?.task(id),
      sourceOf: await sources(context, agency),
    };
    const { models, ...stats } = agencyFigures(agency, facts, min_evals);
    const { roles, tradeoffs, agents, people } = stats;
    const isCredited = [...roles, ...tradeoffs, ...agents, ...people].some(({ count }) => count > 0);
    const only_uncredited =
      isCredited || view === undefined
        ? 0
        : evaluationsOf((await (await context.traceFiles()).evaluations()).records).length;
    const lineage = (['role', 'tradeoff'] as const).flatMap((kind) => familyOf(agency, kind));
    return {
      min_evals,
      ...stats,
      only_uncredited,
      ...(by_model === true ? { models } : {}),
      skill_gaps: gaps,
      lineage: lineage.map((one) => ({ ...one, parent_ids: [...one.parent_ids] })),
      warnings: agency.warnings,
    };
  },
});

/** Older files have the source of a score only in the evaluation; these are read only if such a file exists. */
async function sources(
  context: Pick<Context, 'traceFiles'>,
  agency: Agency,
): Promise<(reference: EvaluationRef) => string> {
  const entities = (['role', 'tradeoff', 'agent'] as const).flatMap((kind) => [
    ...agency.all(kind),
    ...agency.all(kind, true),
  ]);
  const complete = entities.every(({ performance }) =>
    performance.evaluations.every(({ source }) => source !== undefined),
  );
  if (complete) return ({ source }) => source ?? '';
  const { records } = await (await context.traceFiles()).evaluations();
  const byKey = new Map<string, string>();
  for (const { id, task_id, timestamp, source } of evaluationsOf(records)) {
    byKey.set(id, source);
    byKey.set(`${task_id} ${timestamp}`, source);
  }
  return ({ source, evaluation_id, task_id, timestamp }) =>
    source ?? byKey.get(evaluation_id ?? '') ?? byKey.get(`${task_id} ${timestamp}`) ?? 'llm';
}
