import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Evolution, type EvolutionTerms, evolve, OPERATION_STATUSES } from '#core/agency/evolve.js';
import type { ProposalItem } from '#core/agency/proposal.js';
import { REPLAY_KINDS, type ReplayedTask, replayedText } from '#core/agency/replay-record.js';
import { countsOf, type EvolutionReport, type OperationReport, reportText, runId } from '#core/agency/report.js';
import { reviewTasks, waitingIn, waitingText } from '#core/agency/waiting-proposals.js';
import type { EventDraft } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { changeAgency } from '#operations/agency/open.js';
import { peopleOf } from '#operations/agency/person.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
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
  /** Code of the error that rejected it. */
  code: z.optional(text),
  rationale: text,
  target_ids: z.readonly(z.array(text)),
  made: z.readonly(z.array(namedEntityShape)),
  retired: z.readonly(z.array(namedEntityShape)),
});

/** Replay results of one change. */
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

/** Answer of every run. */
export const evolutionRunShape = z.object({
  run: text,
  strategy: text,
  summary: text,
  operations: z.array(operationShape),
  counts: z.record(z.string(), z.number()),
  /** Ids of operations that a person has to review. */
  waiting: z.array(text),
  path: text,
  warnings: z.array(text),
  seq: z.number(),
});

/** A proposal with its origin and other content of the report. */
export interface ProposedRun
  extends Pick<
    EvolutionReport,
    'strategy' | 'budget' | 'model' | 'prompt_sha256' | 'answer' | 'failure' | 'summary' | 'replays' | 'cost_usd'
  > {
  /** Whether changes must pass a replay before they are adopted. */
  readonly replaying: boolean;
  /** Work produced in replays. */
  readonly works: readonly ReplayedTask[];
  readonly items: readonly ProposalItem[];
  /** Start time in milliseconds. */
  readonly started: number;
}

/**
 * Applies a proposal to the current agency and stores the report: entities, report, pending reviews and their tasks, in
 * one transaction.
 */
export async function keepRun(context: WorkContext & MachineContext, proposed: ProposedRun) {
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
        id: run,
        started_at: timestamp(started),
        started_by: by.name,
        ...said,
        operations: outcomes,
        rolled_back: null,
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

/** Reason for entities that differ from the replayed ones, because the agency changed meanwhile. */
const NOT_TRIED = 'It was not tested.';

/** Computes the result on this agency if everything were adopted. Changes nothing. */
export async function tryRun(
  context: WorkContext & MachineContext,
  agency: Agency,
  items: readonly ProposalItem[],
  wish: Pick<ProposedRun, 'strategy' | 'budget'>,
): Promise<Evolution> {
  const terms = await termsFor(context, { ...wish, replays: [], replaying: false });
  return evolve(agency, items, { ...terms(agency), run: 'run' });
}

/** Terms of a run, read before any lock is taken; the part that depends on the agency is a function. */
async function termsFor(
  context: WorkContext & MachineContext,
  { strategy, budget, replays, replaying }: Pick<ProposedRun, 'strategy' | 'budget' | 'replays' | 'replaying'>,
): Promise<(agency: Agency) => Omit<EvolutionTerms, 'run'>> {
  const { agency: settings } = (await loadSettings(context)).settings;
  const people = await peopleOf(context, await loadAgency(context));
  const now = context.clock.now();
  const creator = { agent: settings.creator_agent, model: settings.creator_model };
  const tried = new Map(replays.map(({ id, adopted, reason }) => [id, adopted ? '' : reason]));
  const doubt = ({ id }: { readonly id: string }) => (replaying ? (tried.get(id) ?? NOT_TRIED) : '');
  return (agency) => ({
    strategy,
    people,
    doubt,
    maker: { now, creator },
    budget: budget ?? Number.POSITIVE_INFINITY,
    own: evolverOf(agency, settings).own,
  });
}

/** An outcome for display. Unknown operation names are not passed on. */
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
