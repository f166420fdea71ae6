import * as z from 'zod/mini';
import { countsOf, reportText } from '#core/agency/report.js';
import { rollback, rolledBack } from '#core/agency/rollback.js';
import { closeReview, waitingText } from '#core/agency/waiting-proposals.js';
import { timestamp } from '#kernel/clock.js';
import { changeAgency } from '#operations/agency/open.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { moveOptions } from '#operations/shapes.js';
import { namedEntityShape, operationShape, replayShape, shownOutcome } from './keep.js';
import { personsEvolution } from './own.js';
import { named, reports, waitingOperations } from './records.js';

const text = z.string();
const LIST = 'troupe evolve runs';

/** Summary of a run. */
const rowShape = z.object({
  id: text,
  started_at: text,
  started_by: text,
  strategy: text,
  model: z.nullable(text),
  summary: text,
  failure: z.nullable(text),
  counts: z.record(z.string(), z.number()),
  cost_usd: z.nullable(z.number()),
  rolled_back: z.nullable(z.object({ by: text, at: text })),
});

/** All runs, newest first; for a single run, also its operations and the model's answer. */
export const evolveRuns = operation({
  name: 'evolve.runs',
  command: 'evolve runs',
  group: 'Evolution',
  kind: 'read',
  graphless: true,
  summary: 'Show past evolution runs and their outcome',
  examples: ['troupe evolve runs', 'troupe evolve runs run-20260301-100000 --json'],
  input: z.strictObject({ run: argument('One run in full (default: all runs)', z.optional(text)) }),
  output: z.object({
    runs: z.array(rowShape),
    operations: z.optional(z.array(operationShape)),
    /** For a single run, by the id of the tested entity. */
    replays: z.optional(z.array(z.extend(replayShape, { id: text }))),
    answer: z.optional(text),
    prompt_sha256: z.optional(z.nullable(text)),
    warnings: z.readonly(z.array(text)),
  }),
  async run(context: WorkContext, { run }) {
    const { all, warnings } = await reports(context);
    const wanted = run === undefined ? all : [named(all, run, LIST)];
    const rows = wanted.map(
      ({ id, started_at, started_by, strategy, model, summary, failure, operations, cost_usd, rolled_back }) => ({
        id,
        started_at,
        started_by,
        strategy,
        model,
        summary,
        failure,
        cost_usd,
        rolled_back,
        counts: { ...countsOf(operations) },
      }),
    );
    const [only] = wanted;
    if (run === undefined || !only) return { runs: rows, warnings };
    const { operations, answer, prompt_sha256 } = only;
    const replays = only.replays.map((one) => ({ ...one, interval: one.interval === null ? null : [...one.interval] }));
    return { runs: rows, operations: operations.map(shownOutcome), replays, answer, prompt_sha256, warnings };
  },
});

/** Undoes a run: retires what it created, restores what it retired, and rejects its pending operations. */
export const evolveRollback = operation({
  name: 'evolve.rollback',
  command: 'evolve rollback',
  group: 'Evolution',
  kind: 'write',
  graphless: true,
  instead: 'evolve runs --rollback',
  summary: 'Roll back a run: retire what it created, restore what it retired',
  examples: [
    'troupe evolve runs run-20260301-100000 --rollback',
    'troupe evolve runs run-20260301-100000 --rollback --json',
  ],
  input: z.strictObject({ run: argument('The run: id or id prefix', text) }),
  output: z.object({
    run: text,
    retired: z.readonly(z.array(namedEntityShape)),
    restored: z.readonly(z.array(namedEntityShape)),
    warnings: z.readonly(z.array(text)),
    seq: z.number(),
  }),
  async run(context: WorkContext, { run }) {
    personsEvolution(context);
    const options = moveOptions(context, {});
    const by = options.by.name;
    const at = timestamp(options.now);
    const look = async () => ({
      all: (await reports(context, true)).all,
      waiting: (await waitingOperations(context, true)).all,
    });
    const { result, seq } = await changeAgency(
      context,
      (agency, view, records) => {
        const report = rolledBack(named(records.all, run, LIST), by, at);
        const { entities, retired, restored, warnings } = rollback(agency, report);
        const pending = records.waiting.filter((one) => one.run === report.id && one.state === 'pending');
        const left = pending.map((one) => ({ ...one, state: 'rejected' as const, decided_by: by, decided_at: at }));
        return {
          entities,
          files: [
            { kind: 'evolution' as const, id: report.id, text: reportText(report) },
            ...left.map((one) => ({ kind: 'deferred' as const, id: one.id, text: waitingText(one) })),
          ],
          events: [
            { op: 'evolve_rollback', actor: by, detail: { run: report.id }, patch: [] },
            ...(view ? left.flatMap((one) => closeReview(view, one, false, options)) : []),
          ],
          result: { run: report.id, retired, restored, warnings },
        };
      },
      look,
    );
    return { ...result, seq };
  },
});
