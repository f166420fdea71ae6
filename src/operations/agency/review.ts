import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { adopted, retireUnchecked } from '#core/agency/entity-edits.js';
import { evolve, type MadeEntity, OPERATION_STATUSES, withAgent } from '#core/agency/evolve.js';
import { itemOf } from '#core/agency/proposal.js';
import { type EvolutionReport, type OperationReport, reportText } from '#core/agency/report.js';
import { closeReview, WAITING_STATES, type WaitingOperation, waitingText } from '#core/agency/waiting-proposals.js';
import { taskOf } from '#core/graph/task-of.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { changeAgency } from '#operations/agency/open.js';
import { peopleOf } from '#operations/agency/person.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { moveOptions } from '#operations/shapes.js';
import { namedEntityShape, operationShape, replayShape, shownOutcome } from './keep.js';
import { personsEvolution } from './own.js';
import { named, reports, waitingOperations } from './records.js';

const text = z.string();
const LIST = 'troupe evolve review';

const waitingShape = z.object({
  id: text,
  run: text,
  state: z.enum(WAITING_STATES),
  since: text,
  task_id: z.nullable(text),
  decided_by: z.nullable(text),
  operation: operationShape,
});
/** One operation, including those that never waited, with their final state. */
const oneShape = z.extend(waitingShape, { state: z.enum([...WAITING_STATES, ...OPERATION_STATUSES]) });

type Reviewed = Omit<WaitingOperation, 'state' | 'status'> &
  Pick<OperationReport, 'status' | 'retired'> & { readonly state: z.infer<typeof oneShape>['state'] };

function shown<One extends Omit<Reviewed, 'retired'>>(one: One) {
  const { id, run, since, task_id, decided_by, operation: raw } = one;
  const state: One['state'] = one.state;
  return { id, run, state, since, task_id, decided_by, operation: shownOutcome({ retired: [], ...one, raw }) };
}

/** Operations in a run's report. */
function reviewedIn({ id: run, started_at: since, operations }: EvolutionReport): Reviewed[] {
  return operations.map((one) => ({
    ...one,
    id: `${run}-op${one.index}`,
    run,
    operation: one.raw,
    task_id: null,
    since,
    state: one.status,
    decided_by: one.decided?.by ?? null,
    decided_at: one.decided?.at ?? null,
  }));
}

/** Operations that wait for a person; with `all`, also decided ones. */
export const evolveReviewList = operation({
  name: 'evolve.review.list',
  command: 'evolve review',
  group: 'Evolution',
  kind: 'read',
  graphless: true,
  summary: 'List the changes that wait for your decision',
  examples: ['troupe evolve review', 'troupe evolve review --all --json'],
  input: z.strictObject({ all: option('Include decided ones', z.optional(z.boolean())) }),
  output: z.object({ waiting: z.array(waitingShape), warnings: z.readonly(z.array(text)) }),
  async run(context: WorkContext, input) {
    const { all, warnings } = await waitingOperations(context);
    return { waiting: all.filter(({ state }) => input.all === true || state === 'pending').map(shown), warnings };
  },
});

const sideShape = z.object({ label: text, before: text, after: text });

/** Operations that wait or waited, and all others in the reports. */
function allOf(
  waited: readonly WaitingOperation[],
  runs: readonly EvolutionReport[],
): readonly Omit<Reviewed, 'retired'>[] {
  const waiting = new Set(waited.map(({ id }) => id));
  return [...waited, ...runs.flatMap(reviewedIn).filter(({ id }) => !waiting.has(id))];
}

/** One operation of a run: its replay results, and its difference from the first parent. */
export const evolveReviewShow = operation({
  name: 'evolve.review.show',
  command: 'evolve review show',
  group: 'Evolution',
  kind: 'read',
  graphless: true,
  instead: 'evolve review',
  summary: 'Show a change of a run, adopted or not, and its test results',
  examples: ['troupe evolve review run-20260301-100000-op1', 'troupe evolve review run-20260301-100000-op1 --json'],
  input: z.strictObject({ id: argument('The proposal: id or id prefix', text) }),
  output: z.object({
    waiting: oneShape,
    raw: z.unknown(),
    difference: z.array(sideShape),
    replay: z.optional(replayShape),
  }),
  async run(context: WorkContext, { id }) {
    const [waited, runs] = [(await waitingOperations(context)).all, (await reports(context)).all];
    const one = named(allOf(waited, runs), id, LIST);
    const report = runs.find(({ id: run }) => run === one.run);
    const replay = report?.replays.find(({ id: tried }) => one.made.some(({ id: made }) => made === tried));
    return {
      waiting: shown(one),
      raw: one.operation,
      difference: await differenceOf(context, one),
      ...(replay ? { replay } : {}),
    };
  },
});

/** Differences between the child and its first parent; for an entity not created yet, the proposed ones. */
async function differenceOf(
  context: Pick<Context, 'graph' | 'agency'>,
  waiting: Omit<Reviewed, 'retired'>,
): Promise<z.infer<typeof sideShape>[]> {
  const agency = await loadAgency(context);
  const kind =
    waiting.made[0]?.kind ??
    (String(shownOutcome({ ...waiting, raw: waiting.operation, retired: [] }).op).endsWith('role')
      ? 'role'
      : 'tradeoff');
  const parent = agency.entity(kind, waiting.target_ids[0] ?? '');
  const child = waiting.made[0] ? agency.entity(kind, waiting.made[0].id) : itemOf(waiting.operation).operation;
  const before = saidOf(parent);
  const after = saidOf(child);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((label) => {
    const [old = '', said = old] = [before.get(label), after.get(label)];
    return old === said ? [] : [{ label, before: old, after: said }];
  });
}

const SAID = ['name', 'description', 'desired_outcome', 'skills', 'acceptable_tradeoffs', 'unacceptable_tradeoffs'];

function saidOf(one: object | undefined): ReadonlyMap<string, string> {
  const entries = Object.entries(one ?? {}).filter(([key, value]) => SAID.includes(key) && value !== undefined);
  return new Map(entries.map(([key, value]) => [key, typeof value === 'string' ? value : lineOf(value)]));
}

function lineOf(list: unknown): string {
  if (!Array.isArray(list)) return '';
  return list
    .map((item) =>
      typeof item === 'string'
        ? item
        : Object.entries(item as object)
            .map(([kind, word]) => `${kind}:${word}`)
            .join(' '),
    )
    .join('\n');
}

const decidedShape = z.object({
  id: text,
  run: text,
  state: z.enum(WAITING_STATES),
  made: z.array(namedEntityShape),
  retired: z.array(namedEntityShape),
  seq: z.number(),
});

/** Effect of a decision: entities to write, and changes of the report. */
interface Decision {
  readonly entities: readonly Entity[];
  readonly made: readonly MadeEntity[];
  readonly retired: readonly MadeEntity[];
}

/** Decides about one operation: entities, report, record and task, in one transaction. */
async function decide(
  context: WorkContext,
  word: string,
  approved: boolean,
  decision: (agency: Agency, waiting: WaitingOperation) => Decision,
) {
  const options = moveOptions(context, {});
  const look = async () => {
    const [waited, runs] = [(await waitingOperations(context, true)).all, (await reports(context, true)).all];
    const { id, state } = named(allOf(waited, runs), word, LIST);
    const waiting = waited.find((one) => one.id === id);
    if (waiting !== undefined) return { waiting, runs };
    throw new TroupeError('bad_input', {
      what: `${id} never waited for a decision: it is ${state}.`,
      hint: `Run \`troupe evolve review ${id}\`.`,
    });
  };
  const { result, seq } = await changeAgency(
    context,
    (agency, view, records) => {
      if (!records) throw new TroupeError('not_found');
      const { waiting, runs } = records;
      if (waiting.state !== 'pending') {
        throw new TroupeError('bad_input', {
          what: `${waiting.id} was ${waiting.state} by ${inert(waiting.decided_by ?? '?')}.`,
          hint: `Run \`${LIST}\`.`,
        });
      }
      const { entities, made, retired } = decision(agency, waiting);
      const at = timestamp(options.now);
      const state = approved ? ('approved' as const) : ('rejected' as const);
      const decided = { ...waiting, state, decided_by: options.by.name, decided_at: at };
      const report = runs.find(({ id }) => id === waiting.run);
      const changed =
        report && decidedReport(report, waiting.index, approved, { made, retired }, { by: options.by.name, at });
      const event = {
        op: `evolve_${approved ? 'approve' : 'reject'}`,
        actor: options.by.name,
        detail: { id: waiting.id },
        patch: [],
      };
      return {
        entities,
        files: [
          { kind: 'deferred' as const, id: waiting.id, text: waitingText(decided) },
          ...(changed ? [{ kind: 'evolution' as const, id: changed.id, text: reportText(changed) }] : []),
        ],
        events: [event, ...(view ? closeReview(view, waiting, approved, options) : [])],
        result: { id: waiting.id, run: waiting.run, state, made: [...made], retired: [...retired] },
      };
    },
    look,
  );
  return { ...result, seq };
}

function decidedReport(
  report: EvolutionReport,
  index: number,
  approved: boolean,
  { made, retired }: Pick<OperationReport, 'made' | 'retired'>,
  decided: OperationReport['decided'],
): EvolutionReport {
  return {
    ...report,
    operations: report.operations.map((one) =>
      one.index === index ? { ...one, status: approved ? 'applied' : 'rejected', made, retired, decided } : one,
    ),
  };
}

const short = ({ kind, id, name }: Entity): MadeEntity => ({ kind, id, name });

/** Applies an operation that waited for a person, with the usual checks. */
export const evolveReviewApprove = operation({
  name: 'evolve.review.approve',
  command: 'evolve review approve',
  group: 'Evolution',
  kind: 'write',
  graphless: true,
  instead: 'evolve review --approve',
  summary: 'Apply a proposed change, with all checks',
  examples: [
    'troupe evolve review run-20260301-100000-op1 --approve',
    'troupe evolve review run-20260301-100000-op1 --approve --json',
  ],
  input: z.strictObject({ id: argument('The proposal: id or id prefix', text) }),
  output: decidedShape,
  async run(context: WorkContext & MachineContext, { id }) {
    personsEvolution(context);
    const people = await peopleOf(context, await loadAgency(context));
    const { agency: settings } = (await loadSettings(context)).settings;
    const maker = {
      now: context.clock.now(),
      creator: { agent: settings.creator_agent, model: settings.creator_model },
    };
    return await decide(context, id, true, (agency, waiting) =>
      waiting.status === 'held' ? adopt(agency, waiting, maker, people) : applyNow(agency, waiting, maker, people),
    );
  },
});

type Making = Parameters<typeof evolve>[2]['maker'];

/** Adopts held-back entities: they become usable, and one agent is created for each. */
function adopt(agency: Agency, waiting: WaitingOperation, maker: Making, people: ReadonlySet<string>): Decision {
  const entities = waiting.made.flatMap(({ kind, id }): Entity[] => {
    const entity = agency.entity(kind, id);
    if (entity === undefined || entity.retired || entity.kind === 'agent') {
      throw new TroupeError('not_found', { what: `${kind} ${id.slice(0, 8)} is retired.` });
    }
    const child = adopted(entity);
    const parents = child.lineage.parent_ids.flatMap((parent) => agency.entity(kind, parent) ?? []);
    return [...withAgent(agency.with([child]), child, { ...maker, by: `evolver-${waiting.run}`, parents }, people)];
  });
  return { entities, made: entities.map(short), retired: [] };
}

/** Applies a waiting operation now. Errors: any error that the operation itself can be rejected with. */
function applyNow(agency: Agency, waiting: WaitingOperation, maker: Making, people: ReadonlySet<string>): Decision {
  const { entities, outcomes } = evolve(agency, [itemOf(waiting.operation)], {
    run: waiting.run,
    strategy: 'all',
    budget: 1,
    maker,
    people,
    own: new Set(),
    doubt: () => '',
  });
  const [outcome] = outcomes;
  if (outcome?.status === 'applied') return { entities, made: outcome.made, retired: outcome.retired };
  throw new TroupeError(outcome?.code ?? 'bad_input', { what: outcome?.reason ?? 'It is not an operation.' });
}

/** Rejects an operation; entities it created are retired. */
export const evolveReviewReject = operation({
  name: 'evolve.review.reject',
  command: 'evolve review reject',
  group: 'Evolution',
  kind: 'write',
  graphless: true,
  instead: 'evolve review --reject',
  summary: 'Reject a proposed change; what it created is retired',
  examples: [
    'troupe evolve review run-20260301-100000-op1 --reject',
    'troupe evolve review run-20260301-100000-op1 --reject --json',
  ],
  input: z.strictObject({ id: argument('The proposal: id or id prefix', text) }),
  output: decidedShape,
  async run(context: WorkContext, { id }) {
    personsEvolution(context);
    return await decide(context, id, false, (agency, { made }) => {
      const entities = made.flatMap(({ kind, id: child }): Entity[] => {
        const entity = agency.entity(kind, child);
        return entity === undefined || entity.retired ? [] : [retireUnchecked(agency, adopted(entity))];
      });
      return { entities, made: [], retired: [] };
    });
  },
});

/** Decides about a proposal by its task, with the answer of a task operation. */
export async function decideByTask(
  context: WorkContext & MachineContext,
  task: string,
  proposal: string,
  verdict: 'approve' | 'reject',
) {
  const operation = verdict === 'approve' ? evolveReviewApprove : evolveReviewReject;
  const { state, made, retired, seq } = await operation.run(context, { id: proposal });
  const { status } = taskOf(await (await context.graph()).view(), task);
  const changes = [
    ...made.map((one) => `new ${one.kind} ${inert(one.name)}`),
    ...retired.map((one) => `${one.kind} ${inert(one.name)} is out of use`),
  ];
  const warnings = [`The change is ${state}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}.`];
  return { id: task, status, changed: true, warnings, seq, events: [] };
}
