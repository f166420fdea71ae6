import * as z from 'zod/mini';
import { isTerminal, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { runOutput } from '#operations/runs/run-output.js';
import type { RunFolders } from '#ports/run-folders.js';

/** A run id is a file name below our own folder. The graph may be edited by hand, so anything else is not looked up. */
const RUN_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}$/;
const CANDIDATES = 5;

/** The end of what a task's latest run did, safe to show; or what came since. `run` is null as long as nothing ran. */
export const taskOutput = operation({
  name: 'task.output',
  input: z.object({
    id: z.string().check(z.minLength(1)),
    bytes: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.outputTailBytes))),
    raw: z.optional(z.boolean()),
    /** One of its runs; the latest without it. */
    run: z.optional(z.string()),
    /** Of an answer before: its `run`, `form` and `next`. Another run is shown from its end again. */
    since: z.optional(
      z.strictObject({ run: z.string(), form: z.enum(['words', 'raw']), next: z.int().check(z.minimum(0)) }),
    ),
  }),
  output: z.object({
    task: z.string(),
    run: z.nullable(z.string()),
    /** `words`: what the client did; `raw`: what was printed, as it is. */
    form: z.enum(['words', 'raw']),
    text: z.string(),
    /** Bytes there are in all, where those begin that come after, and whether `text` is only the end of what there is. */
    size: z.number(),
    next: z.number(),
    cut: z.boolean(),
    /** More may come. */
    running: z.boolean(),
  }),
  async run(context, { id, bytes, raw, run: named, since }) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    const runs = await context.runs();
    const most = bytes ?? LIMITS.outputTailBytes;
    for (const run of named === undefined ? runsOf(task) : [await ownRun(runs, task, named)]) {
      const running = (await runs.state(run)) === 'at-work'; // asked first: what it says until then is read
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

/** Who may have run it, the latest first: the holder of the claim, then whoever wrote to its log. */
function runsOf(task: Task): string[] {
  const runIds = new Set<string>();
  if (task.assigned !== undefined) runIds.add(task.assigned);
  for (const entry of [...(task.log ?? [])].reverse()) if (entry.actor !== undefined) runIds.add(entry.actor);
  return [...runIds].filter((id) => RUN_ID.test(id)).slice(0, CANDIDATES);
}

/** Errors: `not_found` for a run of another task, and for none at all. */
async function ownRun(runs: RunFolders, task: Task, run: string): Promise<string> {
  const identity = RUN_ID.test(run) ? await runs.identity(run) : undefined;
  if (identity?.taskId === task.id) return run;
  throw new TroupeError('not_found', {
    what: `${task.id} has no run ${inert(run)}.`,
    hint: `Run \`troupe task attempts ${task.id}\` to see its runs.`,
  });
}
