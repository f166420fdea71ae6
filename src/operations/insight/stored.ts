import * as z from 'zod/mini';
import { isTask } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { redact } from '#kernel/secrets.js';
import { operation } from '#operations/operation.js';
import { taskShape } from '#operations/task-shape.js';

/**
 * All tasks as they are stored, and on request all operations, for programs written for the original workgraph: they
 * read fields that are only kept here.
 */
export const graphStored = operation({
  name: 'graph.stored',
  command: 'list',
  group: 'Tasks',
  kind: 'read',
  where: 'caller',
  unlisted: true,
  summary: 'Show all tasks, and all operations, as they are stored',
  examples: [],
  input: z.strictObject({
    operations: z.optional(z.boolean()),
    /** Also the runs of this task that the original archived. */
    archived: z.optional(z.string()),
  }),
  output: z.object({
    /** Time of the answer. */
    at: z.string(),
    tasks: z.array(taskShape),
    operations: z.array(
      z.object({
        timestamp: z.string(),
        op: z.string(),
        task_id: z.optional(z.string()),
        actor: z.optional(z.string()),
        detail: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
    archived: z.array(
      z.object({ timestamp: z.string(), prompt: z.optional(z.string()), output: z.optional(z.string()) }),
    ),
  }),
  async run(context, input) {
    const runs = input.archived === undefined ? [] : await (await context.traceFiles()).archivedRuns(input.archived);
    const store = await context.graph();
    const operations = [];
    if (input.operations === true)
      for await (const entry of store.entries(1)) {
        const { timestamp: at, op, task_id, actor, detail } = entry;
        operations.push({
          ...{ timestamp: at, op },
          ...(task_id === undefined ? {} : { task_id }),
          ...(actor === undefined ? {} : { actor }),
          ...(detail === undefined ? {} : { detail }),
        });
      }
    const tasks = [...(await store.view()).nodes()].filter(isTask).map((task) => ({ ...task }));
    const archived = runs.map(({ timestamp: at, prompt, output }) => ({
      timestamp: at,
      ...(prompt === undefined ? {} : { prompt: redact(prompt) }),
      ...(output === undefined ? {} : { output: redact(output) }),
    }));
    return { at: timestamp(context.clock.now()), tasks, operations, archived };
  },
});
