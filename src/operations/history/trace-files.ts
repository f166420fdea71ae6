import path from 'node:path';
import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { taskOf } from '#core/graph/task-of.js';
import { exportTrace, type TraceExport } from '#core/history/export-trace.js';
import { checkedTag, evaluationPrefix, importTrace, tagOfFile } from '#core/history/import-trace.js';
import { ZONES } from '#core/history/zone.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { safeJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { peerProject } from '#operations/agency/remotes.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { refuseLeaks } from '#operations/refuse-leaks.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Passage } from '#ports/inspector.js';

/** The log from its beginning, up to an event. */
export async function logUpTo(store: GraphStore, seq: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of store.entries(1, seq)) entries.push(entry);
  return entries;
}

const records = z.readonly(z.array(z.record(z.string(), z.unknown())));
const text = z.optional(z.string());

/** Every record of a trace as a text of its own, so that a leak is named by where it stands. */
function passagesOf({ metadata, tasks, evaluations, operations, functions }: TraceExport): readonly Passage[] {
  const passages = (kind: string, records: readonly object[], key: string) =>
    records.map((record) => ({
      name: `${kind} ${String((record as Record<string, unknown>)[key] ?? '')}`.trim(),
      text: readable(record),
    }));
  return [
    { name: 'its head', text: readable(metadata) },
    ...passages('task', tasks, 'id'),
    ...passages('evaluation', evaluations, 'id'),
    ...passages('event', operations, 'seq'),
    ...passages('function', functions, 'name'),
  ];
}

/** JSON with its lines as they were: a key of several lines is known by them. */
function readable(record: object): string {
  return safeJson(record).replaceAll('\\n', '\n');
}

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
    await refuseLeaks(context, passagesOf(trace));
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

/** Takes in a trace from elsewhere, beside the graph. All of it is checked before anything is written. */
export const traceImport = operation({
  name: 'trace.import',
  input: z.strictObject({
    file: z.string().check(z.minLength(1)),
    from: text,
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
    const source = checkedTag(input.source ?? tagOfFile(input.from ?? path.basename(input.file)));
    await context.graph(); // an import belongs to a project
    const files = await context.traceFiles();
    const { tasks, evaluations } = importTrace(
      input.from === undefined
        ? await files.read(input.file, LIMITS.traceFileBytes)
        : await textOfPeer(context, input.from, input.file),
      source,
    );
    const counts = { source, tasks: tasks.length, evaluations: evaluations.length };
    if (input.dry_run === true) return { ...counts, replaced: await files.hasImport(source), dry_run: true };
    const stored = await files.keepImport({ source, tasks, evaluations, prefix: evaluationPrefix(source) });
    return { ...counts, ...stored, dry_run: false };
  },
});

async function textOfPeer(context: Context, peer: string, file: string): Promise<string> {
  const text = await (await peerProject(context, peer)).text(file, LIMITS.traceFileBytes);
  if (typeof text === 'string') return text;
  const shown = cut(inert(file), 200);
  if (text === undefined) throw new TroupeError('unreadable', { what: `${inert(peer)} has no file ${shown}.` });
  throw new TroupeError('bad_trace', {
    what: `${shown} is larger than ${LIMITS.traceFileBytes / 1024 / 1024} MB: nothing was written.`,
  });
}
