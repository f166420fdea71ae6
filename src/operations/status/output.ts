import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { readableOutput } from '#operations/status/readable-output.js';

/** A run id is a file name below our own folder. The graph may be edited by hand, so anything else is not looked up. */
const RUN_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}$/;
const CANDIDATES = 5;

/** The end of what a task's latest run printed, safe to show. `run` is null as long as nothing ran. */
export const taskOutput = operation({
  name: 'task.output',
  input: z.object({
    id: z.string().check(z.minLength(1)),
    bytes: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.outputTailBytes))),
  }),
  output: z.object({
    task: z.string(),
    run: z.nullable(z.string()),
    text: z.string(),
    /** Bytes the run printed in all, and whether `text` is only their end. */
    size: z.number(),
    cut: z.boolean(),
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    const runs = await context.runs();
    const bytes = input.bytes ?? LIMITS.outputTailBytes;
    for (const run of runsOf(task)) {
      const tail = await runs.outputTail(run, bytes);
      if (tail) return { task: task.id, run, text: readableOutput(tail.text), size: tail.size, cut: tail.size > bytes };
    }
    return { task: task.id, run: null, text: '', size: 0, cut: false };
  },
});

/** Who may have run it, the latest first: the holder of the claim, then whoever wrote to its log. */
function runsOf(task: Task): string[] {
  const found = new Set<string>();
  if (task.assigned !== undefined) found.add(task.assigned);
  for (const entry of [...(task.log ?? [])].reverse()) if (entry.actor !== undefined) found.add(entry.actor);
  return [...found].filter((id) => RUN_ID.test(id)).slice(0, CANDIDATES);
}
