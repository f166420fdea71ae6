import * as z from 'zod/mini';
import { ownRecords } from '#core/agency/list-evaluations.js';
import type { GraphView } from '#core/graph/view.js';
import { bestScores, pickForReplay, type ReplayFilter, refuseAtWork, replayTasks } from '#core/history/replay.js';
import { filterText } from '#core/history/replay-filter.js';
import { timestamp } from '#kernel/clock.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { flag, text, texts } from '#operations/shapes.js';
import { commitWithSnapshot } from './store-files.js';
import { askFirst, refuseTidyingRun } from './store-shapes.js';

/** Default score at which a done task is kept. */
const KEEP_DONE = 0.9;

const score = z.optional(z.number());

/** Reopens ended tasks and their dependents, after saving a snapshot of the graph. */
export const replay = operation({
  name: 'replay.run',
  command: 'replay',
  group: 'History',
  kind: 'write',
  forRuns: 'any',
  summary: 'Reopen ended tasks and everything that depends on them',
  examples: ['troupe replay --failed-only --plan-only', 'troupe replay --tasks write-the-parser --model opus'],
  input: z.strictObject({
    tasks: option('Only these and what depends on them', texts, { value: 'ID', names: 'task' }),
    failed_only: option('Only failed or abandoned tasks', flag),
    below_score: option('Only tasks with a lower score', score, { value: 'S' }),
    unscored: option('With --below-score: also ended tasks without a score', flag),
    subgraph: option('Only this task and its dependents', text, { value: 'ID' }),
    keep_done: option('Keep done tasks with at least this score (default: 0.9)', score, { value: 'S' }),
    model: option('The model for the new attempts', text, { value: 'MODEL' }),
    plan_only: option('Show what would be reopened, change nothing', flag),
    yes: option('Skip the confirmation of a replay of all tasks', flag, { short: 'y' }),
  }),
  output: z.object({
    /** Id of the snapshot; null if nothing was changed. */
    run_id: z.nullable(z.string()),
    model: z.nullable(z.string()),
    reset_tasks: z.readonly(z.array(z.string())),
    preserved_tasks: z.readonly(z.array(z.string())),
    plan_only: z.boolean(),
  }),
  async run(context: GraphContext, input) {
    const planOnly = input.plan_only === true;
    if (!planOnly) refuseTidyingRun(context, 'replay tasks');
    const filter: ReplayFilter = {
      ...(input.tasks === undefined ? {} : { tasks: input.tasks }),
      ...(input.failed_only === true ? { failed_only: true } : {}),
      ...(input.below_score === undefined ? {} : { below_score: input.below_score }),
      ...(input.unscored === true ? { unscored: true } : {}),
      ...(input.subgraph === undefined ? {} : { subgraph: input.subgraph }),
      keep_done: input.keep_done ?? KEEP_DONE,
    };
    const scores = bestScores(ownRecords((await (await context.traceFiles()).evaluations()).records));
    const pick = (view: GraphView) => pickForReplay(view, filter, scores);
    const answer = (picked: ReturnType<typeof pick>, run: string | null) => ({
      run_id: run,
      model: input.model ?? null,
      reset_tasks: picked.reset,
      preserved_tasks: picked.preserved,
      plan_only: planOnly,
    });
    const current = await (await context.graph()).view();
    const { reset } = pick(current);
    if (planOnly || reset.length === 0) return answer(pick(current), null);
    const { keep_done: _, ...asked } = filter;
    if (Object.keys(asked).length === 0 && input.yes !== true) throw askFirst('replay', reset);
    const now = context.clock.now();
    const { run, picked } = await commitWithSnapshot(context, {
      facts: (view) => {
        const selection = pick(view);
        refuseAtWork(selection.reset.flatMap((id) => view.task(id) ?? []));
        return {
          timestamp: timestamp(now),
          model: input.model ?? null,
          reset_tasks: selection.reset,
          preserved_tasks: selection.preserved,
          filter: filterText(input),
        };
      },
      decide: (view, id) => {
        const selection = pick(view);
        const plan = replayTasks(view, selection, { now, by: context.caller.name, run: id, model: input.model });
        return { events: plan.events, result: { run: id, picked: selection } };
      },
    });
    return answer(picked, run);
  },
});
