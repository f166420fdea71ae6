import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Evolution, type EvolutionTerms, evolve, OPERATION_STATUSES } from '#core/evolution/evolve.js';
import type { ProposalItem } from '#core/evolution/proposal.js';
import { REPLAY_KINDS, type ReplayedTask, replayedText } from '#core/evolution/replay-record.js';
import { countsOf, type EvolutionReport, type OperationReport, reportText, runId } from '#core/evolution/report.js';
import { reviewTasks, waitingIn, waitingText } from '#core/evolution/waiting.js';
import type { EventDraft } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { changeAgency } from '#operations/agency/open.js';
import { peopleOf } from '#operations/agency/person.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { moveOptions } from '#operations/shapes.js';
import type { AgencyFile } from '#ports/agency.js';
import { evolverOf } from './own.js';

const text = z.string();
export const namedEntityShape = z.object({ kind: z.enum(['role', 'tradeoff', 'agent']), id: text, name: text });
export const operationShape = z.object({
  index: z.number(),
  op: text,
  status: z.enum(OPERATION_STATUSES),
  reason: text,
  /** The code of the error that refused it. */
  code: z.optional(text),
  rationale: text,
  target_ids: z.readonly(z.array(text)),
  made: z.readonly(z.array(namedEntityShape)),
  retired: z.readonly(z.array(namedEntityShape)),
});

/** What the tests of one change showed. */
export const replayShape = z.object({
  parent_id: text,
  pairs: z.array(
    z.object({ task_id: text, parent: z.number(), child: z.number(), kind: z.enum(REPLAY_KINDS), why: text }),
  ),
  unusable: z.array(z.object({ task_id: text, reason: text })),
  gain: z.nullable(z.number()),
  interval: z.nullable(z.array(z.number())),
  reason: text,
});

/** What every run answers. */
export const evolutionRunShape = z.object({
  run: text,
  strategy: text,
  summary: text,
  operations: z.array(operationShape),
  counts: z.record(z.string(), z.number()),
  /** What a person has to decide, by the id that its review has. */
  waiting: z.array(text),
  path: text,
  warnings: z.array(text),
  seq: z.number(),
});

/** What is proposed, by whom, and what else the report is to say. */
export interface ProposedRun
  extends Pick<
    EvolutionReport,
    'strategy' | 'budget' | 'model' | 'prompt_sha256' | 'answer' | 'failure' | 'summary' | 'replays' | 'cost_usd'
  > {
  /** Nothing that was changed is adopted before it was tried. */
  readonly replaying: boolean;
  /** What was made where it was tried. */
  readonly works: readonly ReplayedTask[];
  readonly items: readonly ProposalItem[];
  /** When it was begun, in milliseconds. */
  readonly started: number;
}

/**
 * Applies what was proposed on the agency as it is now, and keeps the report: entities, report, what waits for a person and
 * the tasks that ask for one, all with one commit or not at all.
 */
export async function keepRun(context: Context, proposed: ProposedRun) {
  const { items, started, replaying: _, works, ...said } = proposed;
  const terms = await termsFor(context, proposed);
  const agencyFiles = await context.agency();
  const look = async () => new Set((await agencyFiles.notes('evolution')).records.map(({ id }) => id));
  const { result, seq } = await changeAgency(
    context,
    (agency, view, taken = new Set<string>()) => {
      const run = runId(started, (id) => taken.has(id));
      const { entities, outcomes } = evolve(agency, items, { ...terms(agency), run });
      const { now, by } = moveOptions(context, {});
      const waiting = waitingIn(run, outcomes, now, view !== undefined);
      const report: EvolutionReport = {
        ...{ id: run, started_at: timestamp(started), started_by: by.name, ...said },
        ...{ operations: outcomes, rolled_back: null },
      };
      const files: AgencyFile[] = [
        { kind: 'evolution', id: run, text: reportText(report) },
        ...waiting.map((one) => ({ kind: 'deferred' as const, id: one.id, text: waitingText(one) })),
        ...works.map((one, index) => ({
          kind: 'replay' as const,
          run,
          id: `task-${index + 1}`,
          text: replayedText(one),
        })),
      ];
      const counts = countsOf(outcomes);
      const event = { op: 'evolve', actor: by.name, detail: { run, strategy: said.strategy, ...counts }, patch: [] };
      const events: EventDraft[] = [event, ...(view ? reviewTasks(view, waiting, { now, by }) : [])];
      return { entities, files, events, result: { run, outcomes, counts, waiting: waiting.map(({ id }) => id) } };
    },
    look,
  );
  return {
    run: result.run,
    strategy: said.strategy,
    summary: said.summary,
    operations: result.outcomes.map(shownOutcome),
    counts: { ...result.counts },
    waiting: result.waiting,
    path: `${FROM_PROJECT.agency}/evolution_runs/${result.run}.yaml`,
    seq,
  };
}

/** Of what came about otherwise than when it was tried, as somebody else changed the agency meanwhile. */
const NOT_TRIED = 'It was not tested.';

/** What would become of it on this agency, were everything adopted. Nothing is changed. */
export async function tryRun(
  context: Context,
  agency: Agency,
  items: readonly ProposalItem[],
  wish: Pick<ProposedRun, 'strategy' | 'budget'>,
): Promise<Evolution> {
  const terms = await termsFor(context, { ...wish, replays: [], replaying: false });
  return evolve(agency, items, { ...terms(agency), run: 'run' });
}

/** The terms of a run: read before anything is locked, but for what the agency itself says. */
async function termsFor(
  context: Context,
  { strategy, budget, replays, replaying }: Pick<ProposedRun, 'strategy' | 'budget' | 'replays' | 'replaying'>,
): Promise<(agency: Agency) => Omit<EvolutionTerms, 'run'>> {
  const { agency: settings } = (await loadSettings(context)).settings;
  const people = await peopleOf(context, await loadAgency(context));
  const now = context.clock.now();
  const creator = { agent: settings.creator_agent, model: settings.creator_model };
  const tried = new Map(replays.map(({ id, adopted, reason }) => [id, adopted ? '' : reason]));
  const doubt = ({ id }: { readonly id: string }) => (replaying ? (tried.get(id) ?? NOT_TRIED) : '');
  return (agency) => ({
    ...{ strategy, people, doubt, maker: { now, creator } },
    budget: budget ?? Number.POSITIVE_INFINITY,
    own: evolverOf(agency, settings).own,
  });
}

/** Whatever was proposed, its name is a word of ours or none. */
export function shownOutcome({
  raw,
  index,
  status,
  reason,
  code,
  rationale,
  target_ids,
  made,
  retired,
}: Omit<OperationReport, 'decided'>) {
  const said = { reason, ...(code === undefined ? {} : { code }), rationale };
  return { index, op: opOf(raw), status, ...said, target_ids, made, retired };
}

function opOf(raw: OperationReport['raw']): string {
  const op = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw['op'] : undefined;
  return typeof op === 'string' && /^[a-z_]{1,40}$/.test(op) ? op : '?';
}
