import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { priceOf } from '#core/runs/prices.js';
import { runStepShape, stepsOfRun } from '#core/runs/run-steps.js';
import { eventsIn } from '#core/runs/run-words.js';
import type { GraphContext, ModelContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { runsOf, taskOfRun } from './run-output.js';

/** Maximum bytes of the events that are read, at their end. */
const EVENT_BYTES = 4 * 1024 * 1024;

const text = z.optional(z.string());
const _number = z.optional(z.number());

/** Lists the steps of a run of a client: what the model said and did, how long each step took, and what it used. */
export const runSteps = operation({
  name: 'task.steps',
  command: 'task steps',
  group: 'Attempts',
  kind: 'read',
  summary: 'List the steps of a run: answers, tool calls, time, tokens and cost',
  examples: ['troupe task steps write-the-parser', 'troupe task steps agent-7 --json'],
  input: z.strictObject({
    id: argument('The task, of which the latest run is shown, or a run', z.string().check(z.minLength(1)), {
      names: 'task',
    }),
  }),
  output: z.object({
    task: z.string(),
    /** Null if no client has run. */
    run: z.nullable(z.string()),
    /** Whether more may follow. */
    running: z.boolean(),
    model: text,
    /** Milliseconds in which the model or a tool worked. */
    model_ms: z.number(),
    tool_ms: z.number(),
    /** Steps before these, and whether still earlier ones were not even read. */
    left_out: z.number(),
    cut: z.boolean(),
    steps: z.readonly(z.array(runStepShape)),
  }),
  async run(context: GraphContext & ModelContext, { id }) {
    const view = await (await context.graph()).view();
    const runs = await context.runs();
    const owner = view.task(id) === undefined ? await taskOfRun(runs, id) : undefined;
    const task = taskOf(view, owner ?? id);
    for (const run of owner === undefined ? runsOf(task) : [id]) {
      const running = (await runs.state(run)) === 'at-work'; // checked first, so that events until then are read
      const part = await runs.part(run, 'events', { most: EVENT_BYTES });
      if (part === undefined) continue;
      const client = (await runs.session(run))?.executor;
      const prices = await context.prices();
      const steps = stepsOfRun(eventsIn(part.text), (model) => priceOf(prices, { model, client }));
      return { task: task.id, run, running, cut: part.size > EVENT_BYTES, ...steps };
    }
    return { task: task.id, run: null, running: false, cut: false, left_out: 0, model_ms: 0, tool_ms: 0, steps: [] };
  },
});
