import * as z from 'zod/mini';
import { keepOutput } from '#operations/keep-output.js';
import { operation } from '#operations/operation.js';

/** What git asks of its merge driver for `graph.jsonl`: three files, of which the second becomes the answer. */
export const gitMerge = operation({
  name: 'project.git-merge',
  input: z.strictObject({ base: z.string(), ours: z.string(), theirs: z.string() }),
  output: z.object({
    tasks: z.number(),
    /** Values that gave way to the other side's; they stand in the logs of their tasks. */
    lost: z.number(),
  }),
  async run(context, files) {
    const { text, tasks, lost } = await (await context.doctor()).mergeFiles(files);
    await keepOutput(context, files.ours, text, { force: true }); // git wants its own version replaced
    return { tasks, lost };
  },
});
