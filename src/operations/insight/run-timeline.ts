import * as z from 'zod/mini';
import { HUMAN } from '#core/graph/assignee.js';
import { readiness } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SPAN_STATES, StepTimes, stepVerdictShape } from '#core/history/step-times.js';
import { workflowMark } from '#core/playbooks/outcome.js';
import { playbookRunNamed, RUN_KINDS, runOutcome, stepName } from '#core/playbooks/runs.js';
import { timestamp } from '#kernel/clock.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { keptOf } from '#operations/kept-log.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { shownTaskState } from './status-shapes.js';

const timesIn = keptOf(() => new StepTimes());

/** One run of a playbook over time: each step with its work, its waiting and the decisions about it. */
export const runTimeline = operation({
  name: 'run.timeline',
  command: 'playbook status',
  group: 'Progress',
  kind: 'read',
  unlisted: true,
  summary: 'Show a run over time: its steps, their gates and what each waited for',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/run/timeline',
      summary: 'A run of a playbook over time.',
      fields: ['run'],
    },
  ],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: z.object({
    seq: z.number(),
    /** Now, by the clock of the log. */
    at: z.string(),
    run: z.string(),
    /** Id of the workflow or function; `crew`, `panel` or `sweep`. */
    playbook: z.string(),
    kind: z.enum(RUN_KINDS),
    outcome: z.string(),
    /** Whether nothing of it goes on. */
    over: z.boolean(),
    rows: z.array(
      z.object({
        id: z.string(),
        /** Its name within the run. */
        step: z.string(),
        title: z.string(),
        state: z.enum(SHOWN_STATES),
        /** Whether its end decides how the run goes on. */
        gate: z.boolean(),
        /** Names of the steps that come before it. */
        after: z.array(z.string()),
        member: text,
        /** From when it could have begun, as far as the run is concerned; absent while others come first. */
        free_at: text,
        spans: z.readonly(z.array(z.object({ state: z.enum(SPAN_STATES), from: z.string(), to: text }))),
        verdicts: z.readonly(z.array(stepVerdictShape)),
        completed_at: text,
      }),
    ),
  }),
  async run(context: GraphContext, { run }) {
    const store = await context.graph();
    const view = await store.view();
    const times = await timesIn(store);
    const named = playbookRunNamed(view, run);
    const { tasks, playbook, kind, record } = named;
    const outcome = runOutcome(view, named);
    const over = record === null ? outcome !== 'running' : record.state === 'ended';
    const names = new Map(tasks.map((task) => [task.id, stepName(task, run)]));
    return {
      seq: view.seq,
      at: timestamp(context.clock.now()),
      run,
      playbook,
      kind,
      outcome,
      over,
      rows: tasks.map((task) => {
        const mark = workflowMark(task);
        const gate = mark === undefined ? HUMAN.of(task) === true : mark.role === 'gate';
        const { spans, verdicts } = times.of(task, gate);
        const after = (task.after ?? []).filter((id) => names.has(id) && id !== task.id);
        const begun = spans[0]?.from ?? task.completed_at;
        const free = freeAt(
          task,
          begun,
          after.map((id) => (begun === undefined ? endNow(view, id) : times.endOf(id))),
        );
        return {
          id: task.id,
          step: stepName(task, run),
          title: task.title,
          state: shownTaskState(task, readiness(view, task.id, context.clock.now())),
          gate,
          after: after.map((id) => names.get(id) ?? id),
          spans,
          verdicts,
          ...(task.member === undefined ? {} : { member: task.member }),
          ...(free === undefined ? {} : { free_at: free }),
          ...(task.completed_at === undefined ? {} : { completed_at: task.completed_at }),
        };
      }),
    };
  },
});

function endNow(view: GraphView, id: string): string | undefined {
  const task = view.task(id);
  return task !== undefined && isTerminal(task.status) ? task.completed_at : undefined;
}

/**
 * The last end of those before it, or its creation. One that ended only after the beginning comes later in a cycle and
 * is left out; without a beginning, all must have ended.
 */
function freeAt(
  { created_at }: Task,
  begun: string | undefined,
  ends: readonly (string | undefined)[],
): string | undefined {
  if (begun === undefined && ends.includes(undefined)) return undefined;
  const isBefore = (end: string) => begun === undefined || Date.parse(end) <= Date.parse(begun);
  const times = [created_at, ...ends].flatMap((time) => (time === undefined || !isBefore(time) ? [] : [time]));
  return times.sort((left, right) => Date.parse(left) - Date.parse(right)).at(-1);
}
