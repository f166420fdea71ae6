import path from 'node:path';
import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { exportTrace } from '#core/history/export-trace.js';
import { ZONES } from '#core/history/zone.js';
import { timestamp } from '#kernel/clock.js';
import { safeJson } from '#kernel/json.js';
import { keepOutput } from '#operations/keep-output.js';
import { operation } from '#operations/operation.js';
import { logUpTo } from './log-entries.js';

const records = z.readonly(z.array(z.record(z.string(), z.unknown())));
const text = z.optional(z.string());

/** What happened, as far as it may be seen in a zone: the export itself, or with `output` how much went into the file. */
export const traceExport = operation({
  name: 'trace.export',
  input: z.strictObject({ visibility: z.enum(ZONES), root: text, output: text, force: z.optional(z.boolean()) }),
  output: z.union([
    z.object({
      metadata: z.object({
        version: z.number(),
        exported_at: z.string(),
        visibility: z.enum(ZONES),
        root_task: text,
        source: text,
      }),
      tasks: records,
      evaluations: records,
      operations: records,
      functions: records,
    }),
    z.object({
      file: z.string(),
      visibility: z.enum(ZONES),
      tasks: z.number(),
      evaluations: z.number(),
      operations: z.number(),
      functions: z.number(),
      warnings: z.readonly(z.array(z.string())),
    }),
  ]),
  async run(context, input) {
    const store = await context.graph();
    const files = await context.traceFiles();
    const view = await store.view();
    const [evaluations, functions] = [await files.evaluations(), await files.functions()];
    const trace = exportTrace({
      view,
      entries: await logUpTo(store, view.seq),
      evaluations: evaluations.records,
      functions: functions.records,
      zone: input.visibility,
      root: input.root === undefined ? undefined : taskOf(view, input.root),
      exportedAt: timestamp(context.clock.now()),
      source: path.basename(context.projectFolder),
    });
    if (input.output === undefined) return trace;
    const file = await keepOutput(context, input.output, `${safeJson(trace)}\n`, input);
    return {
      file,
      visibility: trace.metadata.visibility,
      tasks: trace.tasks.length,
      evaluations: trace.evaluations.length,
      operations: trace.operations.length,
      functions: trace.functions.length,
      warnings: [...evaluations.warnings, ...functions.warnings],
    };
  },
});
