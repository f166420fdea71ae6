import * as z from 'zod/mini';
import { isTask } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { redact } from '#kernel/secrets.js';
import type { GraphContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';
import { taskShape } from '#operations/task-shape.js';
import type { ArchivedText } from '#ports/trace-files.js';

/** Text, or its size in bytes if it is too large. */
const archivedText = z.union([z.string(), z.number()]);

const withoutSecrets = (text: ArchivedText) => (typeof text === 'string' ? redact(text) : text);

/**
 * All tasks as they are stored, for programs written for the original workgraph: they read fields that are only kept here.
 */
export const graphStored = operation({
  name: 'graph.stored',
  command: 'list',
  group: 'Tasks',
  kind: 'read',
  where: 'caller',
  unlisted: true,
  summary: 'Show all tasks as they are stored',
  examples: [],
  input: z.strictObject({
    /** Also the runs of this task that the original archived. */
    archived: z.optional(z.string()),
  }),
  output: z.object({
    /** Time of the answer. */
    at: z.string(),
    tasks: z.array(taskShape),
    archived: z.array(
      z.object({ timestamp: z.string(), prompt: z.optional(archivedText), output: z.optional(archivedText) }),
    ),
  }),
  async run(context: GraphContext, input) {
    const runs = input.archived === undefined ? [] : await (await context.traceFiles()).archivedRuns(input.archived);
    const tasks = [...(await (await context.graph()).view()).nodes()].filter(isTask).map((task) => ({ ...task }));
    const archived = runs.map(({ timestamp: at, prompt, output }) => ({
      timestamp: at,
      ...(prompt === undefined ? {} : { prompt: withoutSecrets(prompt) }),
      ...(output === undefined ? {} : { output: withoutSecrets(output) }),
    }));
    return { at: timestamp(context.clock.now()), tasks, archived };
  },
});
