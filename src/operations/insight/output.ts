import * as z from 'zod/mini';
import { isTerminal } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { ownRun, runOutput, runsOf } from '#operations/runs/run-output.js';

/**
 * The last output of a task's latest run, sanitised, or new output since an earlier call. `run` is null if nothing has
 * run.
 */
export const taskOutput = operation({
  name: 'task.output',
  command: 'output',
  group: 'Attempts',
  kind: 'read',
  summary: 'Show what the latest run of a task says, does and uses',
  examples: ['troupe output lint', 'troupe output lint --raw --bytes 2000'],
  input: z.strictObject({
    id: argument('The task', z.string().check(z.minLength(1)), { names: 'task' }),
    bytes: option(
      'How many bytes of the end to show',
      z.optional(z.int().check(z.minimum(1), z.maximum(WORK_LIMITS.outputTailBytes))),
      { value: 'N' },
    ),
    raw: option('As printed, with the raw lines of a client', z.optional(z.boolean())),
    /** One of its runs; the latest by default. */
    run: option('One of its runs (default: the latest)', z.optional(z.string()), { value: 'RUN' }),
    /** `run`, `form` and `next` of an earlier result. For another run, the last output is returned again. */
    since: z.optional(
      z.strictObject({ run: z.string(), form: z.enum(['words', 'raw']), next: z.int().check(z.minimum(0)) }),
    ),
  }),
  output: z.object({
    task: z.string(),
    run: z.nullable(z.string()),
    /** `words`: the events of the client as text; `raw`: the printed output unchanged. */
    form: z.enum(['words', 'raw']),
    text: z.string(),
    /** Total bytes, the offset of later output, and whether `text` is only the last part. */
    size: z.number(),
    next: z.number(),
    cut: z.boolean(),
    /** Whether more may follow. */
    running: z.boolean(),
  }),
  async run(context: GraphContext, { id, bytes, raw, run: named, since }) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    const runs = await context.runs();
    const most = bytes ?? WORK_LIMITS.outputTailBytes;
    for (const run of named === undefined ? runsOf(task) : [await ownRun(runs, task, named)]) {
      const running = (await runs.state(run)) === 'at-work'; // checked first, so that output until then is read
      const position =
        since?.run === run ? { form: since.form, from: since.next } : { form: raw === true ? RAW : undefined };
      const part = await runOutput(runs, run, { most, ...position });
      if (part) return { task: task.id, run, ...part, running };
    }
    const empty = { form: RAW, text: '', size: 0, next: 0, cut: false };
    return { task: task.id, run: null, ...empty, running: !isTerminal(task.status) };
  },
});

const RAW = 'raw' as const;
