import path from 'node:path';
import * as z from 'zod/mini';
import { checkedTag, evaluationPrefix, importTrace, tagOfFile } from '#core/history/import-trace.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';

/** Takes in a trace from elsewhere, beside the graph. All of it is checked before anything is written. */
export const traceImport = operation({
  name: 'trace.import',
  input: z.strictObject({
    file: z.string().check(z.minLength(1)),
    source: z.optional(z.string()),
    dry_run: z.optional(z.boolean()),
  }),
  output: z.object({
    source: z.string(),
    tasks: z.number(),
    evaluations: z.number(),
    replaced: z.boolean(),
    dry_run: z.boolean(),
    path: z.optional(z.string()),
  }),
  async run(context, input) {
    const source = checkedTag(input.source ?? tagOfFile(path.basename(input.file)));
    await context.graph(); // an import belongs to a project
    const files = await context.traceFiles();
    const { tasks, evaluations } = importTrace(await files.read(input.file, LIMITS.traceFileBytes), source);
    const counts = { source, tasks: tasks.length, evaluations: evaluations.length };
    if (input.dry_run === true) return { ...counts, replaced: await files.hasImport(source), dry_run: true };
    const kept = await files.keepImport({ source, tasks, evaluations, prefix: evaluationPrefix(source) });
    return { ...counts, ...kept, dry_run: false };
  },
});
