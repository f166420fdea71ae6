import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef } from '#core/agency/entities.js';
import { blocksOf } from '#core/agency/evaluation-judge.js';
import { evaluationsOf } from '#core/agency/list-evaluations.js';
import { skillGaps } from '#core/agency/match.js';
import { EVOLVE_TEST } from '#core/agency/progress.js';
import { type EvolutionProposal, evolutionProposalIn } from '#core/agency/proposal.js';
import { runId } from '#core/agency/report.js';
import { agencyFigures } from '#core/agency/stats.js';
import { STRATEGIES, type Strategy, strategyNamed, termsOf } from '#core/agency/strategy.js';
import { evolutionBlocks, type MetaAgent, thinlyScored, withoutTasks } from '#core/agency/summary.js';
import type { Settings } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { identityBlocks } from '#operations/agency/judgement.js';
import { peopleOf } from '#operations/agency/person.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { type AskFailure, ask, type ModelWording, promptText } from '#operations/settings/ask.js';
import { text } from '#operations/shapes.js';
import { evolutionRunShape, keepRun, tryRun } from './keep.js';
import { evolverOf, personsEvolution } from './own.js';
import { heldOutOf, NOT_REPLAYED, replayed } from './replay.js';

/** Asked a second time if the first answer is invalid. */
const TRIES = 2;
const whole = (most: number) => z.optional(z.int().check(z.minimum(0), z.maximum(most)));

/** Has a model propose changes to roles and trade-offs, and applies the valid ones. Only people may start it. */
export const evolveRun = operation({
  name: 'evolve.run',
  command: 'evolve run',
  shorter: 'evolve',
  group: 'Evolution',
  kind: 'write',
  graphless: true,
  tells: EVOLVE_TEST,
  asks: { purpose: 'evolver', unless: [['dry_run', true]], without: '--dry-run' },
  summary: 'Have a model propose role and trade-off changes, and apply the valid ones',
  examples: ['troupe evolve --dry-run', 'troupe evolve run --strategy mutation --budget 2'],
  input: z.strictObject({
    strategy: option('The strategy (default: all)', z.optional(z.enum([...STRATEGIES, 'motivation-tuning'])), {
      value: 'S',
    }),
    budget: option('Apply at most N (default: all valid ones)', whole(AGENCY_LIMITS.evolutionOperations), {
      value: 'N',
    }),
    model: option('The model that proposes', text, { value: 'MODEL' }),
    replay: option(
      'First test each change on N finished tasks; adopt it if it is no worse',
      whole(TEAM_LIMITS.agencyItems),
      { value: 'N' },
    ),
    dry_run: option('Print the question; ask no model, change nothing', z.optional(z.boolean())),
  }),
  output: z.object({
    ...z.partial(evolutionRunShape).shape,
    strategy: z.string(),
    warnings: z.array(z.string()),
    model: text,
    /** Prompt that would be sent; then nothing is changed. */
    prompt: text,
  }),
  async run(context: Context, { strategy: word = 'all', budget, model: named, dry_run: dry, replay }) {
    personsEvolution(context);
    const strategy = strategyNamed(word) ?? 'all';
    const started = context.clock.now();
    const { settings } = await loadSettings(context);
    const agency = await loadAgency(context);
    const count = replay ?? settings.agency.evolve_replay;
    const people = await peopleOf(context, agency);
    const aside = await heldOutOf(context, agency, { seed: runId(started, () => false), count, people });
    const held = new Set([...aside.values()].flat().map(({ task_id }) => task_id));
    const { wording, warnings } = await questionOf(context, { agency, settings, strategy, budget, held });
    if (dry === true) return { strategy, warnings, prompt: await promptText(context, wording) };
    let answer = '';
    const reply = await ask(context, {
      ...wording,
      purpose: 'evolver',
      named: { model: named },
      tries: TRIES,
      take: (said) => {
        answer = said;
        return evolutionProposalIn(said);
      },
    });
    const { failure, model, costUsd, prompt } = reply;
    if (failure?.code === 'no_model' || failure?.code === 'budget_spent') throw refusal(failure);
    const proposal: EvolutionProposal = reply.answer ?? { summary: '', items: [] };
    const wish = { strategy, budget: budget ?? null };
    const replaying = count > 0;
    const trial = replaying ? await tryRun(context, agency, proposal.items, wish) : undefined;
    const tried = trial ? await replayed(context, trial, agency, aside) : NOT_REPLAYED;
    const costs = [...(costUsd === undefined ? [] : [costUsd]), ...tried.costs];
    const kept = await keepRun(context, {
      ...wish,
      model,
      prompt_sha256: sha256(prompt),
      answer,
      started,
      failure: failure?.reason ?? null,
      cost_usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
      replays: tried.records,
      works: tried.works,
      replaying,
      ...proposal,
    });
    if (failure) {
      throw new TroupeError('bad_model_answer', {
        what: `The proposal of the model cannot be parsed: ${failure.reason}`,
        hint: `Nothing was changed; its answer is in \`troupe evolve runs ${kept.run}\`.`,
        details: { run: kept.run },
      });
    }
    return { ...kept, model, warnings };
  },
});

function refusal({ code, reason, hint }: AskFailure): TroupeError {
  if (code === 'budget_spent') return new TroupeError('budget_spent', { what: reason, hint });
  return new TroupeError('model_required', {
    what: 'evolve run needs a model; set a provider, or use evolve run --apply with your own operations.',
    why: reason,
    hint,
  });
}

interface QuestionFacts {
  readonly agency: Agency;
  readonly settings: Settings;
  readonly strategy: Strategy;
  readonly budget: number | undefined;
  /** Held-out tasks, hidden from the proposer. */
  readonly held: ReadonlySet<string>;
}

/** Prompt for the proposer. Changes nothing. */
async function questionOf(
  context: WorkContext & MachineContext,
  { agency: all, settings, strategy, budget, held }: QuestionFacts,
) {
  const agency = withoutTasks(all, held);
  const people = await peopleOf(context, agency);
  const { records } = await (await context.traceFiles()).evaluations();
  const parts = evaluationsOf(records).filter(({ task_id }) => !held.has(task_id));
  const sources = new Map(parts.map(({ id, source }) => [id, source]));
  const view = await (await graphIfAny(context))?.view();
  const statsFacts = {
    people,
    task: (id: string) => view?.task(id),
    sourceOf: ({ source, evaluation_id: id }: EvaluationRef) => source ?? sources.get(id ?? '') ?? 'llm',
  };
  const stats = agencyFigures(agency, statsFacts, ENOUGH_OF_A_PAIR);
  const { agent } = evolverOf(agency, settings.agency);
  const identity = agent && { role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id) };
  const facts = {
    agency,
    stats,
    parts,
    people,
    meta: metaOf(agency, settings),
    gaps: view ? skillGaps(agency, view) : [],
    guides: await guidesFor(context, strategy),
    heuristics: settings.agency.retention_heuristics ?? '',
  };
  const wording: ModelWording = {
    name: 'evolve',
    values: { strategy, operations: termsOf(strategy).rule, budget: budget ?? AGENCY_LIMITS.evolutionOperations },
    blocks: [...blocksOf(identityBlocks('you propose as', identity)), ...evolutionBlocks(facts)],
  };
  return { wording, warnings: thinlyScored(agency, stats) };
}

/** Pairs with fewer scores count as unexplored. */
const ENOUGH_OF_A_PAIR = 3;

async function guidesFor(context: Pick<Context, 'agency'>, strategy: Strategy): Promise<(readonly [string, string])[]> {
  const files = await context.agency();
  const wanted = strategy === 'all' ? STRATEGIES.filter((one) => one !== 'all') : [strategy];
  const guides = await Promise.all(wanted.map(async (one) => [one, await files.guide(one)] as const));
  return guides.flatMap(([one, guide]) => (guide === undefined ? [] : [[one, guide] as const]));
}

/** Agents with a function in the agency itself, according to the settings. */
function metaOf(agency: Agency, { agency: settings }: Settings): MetaAgent[] {
  const named = [
    ['judges work', settings.evaluator_agent],
    ['proposes changes', settings.evolver_agent],
  ] as const;
  return named.flatMap(([serves, word]) => {
    const agent =
      word === undefined ? undefined : agency.all('agent').find(({ id, name }) => id.startsWith(word) || name === word);
    return agent ? [{ serves, role_id: agent.role_id, tradeoff_id: agent.tradeoff_id }] : [];
  });
}
