import path from 'node:path';
import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { taskOf } from '#core/graph/task-of.js';
import { exportTrace, type TraceExport, traceExportShape } from '#core/history/export-trace.js';
import { checkedTag, evaluationPrefix, importTrace, tagOfFile } from '#core/history/import-trace.js';
import { maskedTrace, recordName, recordTexts } from '#core/history/mask-trace.js';
import { ZONES } from '#core/history/zone.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inert, inSentence } from '#kernel/text.js';
import { peerProject } from '#operations/agency/remotes.js';
import type { FilesContext, GraphContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { REPLACE } from '#operations/options.js';
import { refuseLeaks } from '#operations/refuse-leaks.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Passage } from '#ports/inspector.js';

/** Log entries from the beginning up to an event. */
export const logUpTo = (store: GraphStore, seq: number): Promise<Entry[]> => collected(store.entries(1, seq));

/** Entries that another tool had written before the log began. */
export const entriesBefore = (store: GraphStore): Promise<Entry[]> => collected(store.entries(0, 0));

async function collected(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

const _records = z.readonly(z.array(z.record(z.string(), z.unknown())));
const text = z.optional(z.string());

/** Splits a trace into one text per record, so that a leak can be attributed to its record. */
function passagesOf({ metadata, tasks, evaluations, operations, functions }: TraceExport): readonly Passage[] {
  const passages = (part: Parameters<typeof recordName>[0], records: readonly object[]) =>
    records.map((record) => ({ name: recordName(part, record), text: readable(record) }));
  return [
    { name: 'its head', text: readable(metadata) },
    ...passages('tasks', tasks),
    ...passages('evaluations', evaluations),
    ...passages('operations', operations),
    ...passages('functions', functions),
  ];
}

/**
 * Masks or refuses secrets. An `internal` export contains everything with its secrets masked, because old events cannot
 * be corrected. Exports for others contain only editable data and are refused.
 */
async function withoutSecrets(context: Pick<Context, 'inspector'>, whole: TraceExport) {
  if (whole.metadata.visibility !== 'internal') {
    await refuseLeaks(context, passagesOf(whole));
    return { trace: whole, notes: [] };
  }
  const found = await (await context.inspector()).leaks(recordTexts(whole));
  const { trace, masked } = maskedTrace(whole, found);
  await refuseLeaks(context, passagesOf(trace));
  return { trace, notes: notesOf(masked) };
}

const NOTED_MOST = 5;

function notesOf(masked: readonly string[]): string[] {
  if (masked.length === 0) return [];
  const more = masked.length > NOTED_MOST ? `; and ${masked.length - NOTED_MOST} more` : '';
  const places = masked.slice(0, NOTED_MOST).map((place) => inert(place));
  return [`masked: ${places.join('; ')}${more}. Change these secrets: the log keeps them.`];
}

/** JSON with real line feeds, which are needed to recognise multi-line keys. */
function readable(record: object): string {
  return safeJson(record).replaceAll('\\n', '\n');
}

/** Exports a trace for a zone: the trace itself or, with `output`, the number of records written. */
export const traceExport = operation({
  name: 'trace.export',
  command: 'trace export',
  group: 'History',
  kind: 'read',
  where: 'caller',
  summary: 'Export what happened to a file for others',
  examples: [
    'troupe trace export --visibility public -o trace.json',
    'troupe trace export --visibility peer --root write-the-parser',
  ],
  input: z.strictObject({
    visibility: option('Who will see it: internal (everything), peer or public (required)', z.enum(ZONES), {
      value: 'ZONE',
    }),
    root: option('Only this task and what grew from it', text, { value: 'ID', names: 'task' }),
    output: option('Output file (default: standard output)', text, {
      short: 'o',
      value: 'FILE',
      path: 'always',
      writes: true,
    }),
    force: REPLACE,
  }),
  output: z.union([
    traceExportShape,
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
  async run(context: GraphContext & FilesContext, input) {
    const store = await context.graph();
    const files = await context.traceFiles();
    const view = await store.view();
    const [evaluations, functions] = [await files.evaluations(), await files.functions()];
    const whole = exportTrace({
      view,
      entries: await logUpTo(store, view.seq),
      evaluations: evaluations.records,
      functions: functions.records,
      zone: input.visibility,
      root: input.root === undefined ? undefined : taskOf(view, input.root),
      exportedAt: timestamp(context.clock.now()),
      source: path.basename(context.projectFolder),
    });
    const { trace, notes } = await withoutSecrets(context, whole);
    if (input.output === undefined) return trace;
    const file = await keepOutput(context, input.output, `${safeJson(trace)}\n`, input);
    return {
      file,
      visibility: trace.metadata.visibility,
      tasks: trace.tasks.length,
      evaluations: trace.evaluations.length,
      operations: trace.operations.length,
      functions: trace.functions.length,
      warnings: [...notes, ...evaluations.warnings, ...functions.warnings],
    };
  },
});

/** Imports a foreign trace beside the graph. Everything is validated before anything is written. */
export const traceImport = operation({
  name: 'trace.import',
  command: 'trace import',
  group: 'History',
  kind: 'write',
  where: 'caller',
  summary: 'Import a trace from others, beside the graph; nothing in it runs',
  examples: ['troupe trace import trace.json --dry-run', 'troupe trace import trace.json --from shared'],
  input: z.strictObject({
    file: argument('The exported file', z.string().check(z.minLength(1))),
    from: option('The file is in this project, one of `agency remote show`', text, { value: 'PEER' }),
    source: option(
      'Its source (default: the remote or file name); replaces an earlier import of it',
      z.optional(z.string()),
      { value: 'TAG' },
    ),
    dry_run: option('Only check it', z.optional(z.boolean())),
  }),
  output: z.object({
    source: z.string(),
    tasks: z.number(),
    evaluations: z.number(),
    replaced: z.boolean(),
    dry_run: z.boolean(),
    path: z.optional(z.string()),
  }),
  async run(context: WorkContext, input) {
    const source = checkedTag(input.source ?? tagOfFile(input.from ?? path.basename(input.file)));
    await context.graph(); // an import needs a project
    const files = await context.traceFiles();
    const { tasks, evaluations } = importTrace(
      input.from === undefined
        ? await files.read(input.file, TEAM_LIMITS.traceFileBytes)
        : await textOfPeer(context, input.from, input.file),
      source,
    );
    const counts = { source, tasks: tasks.length, evaluations: evaluations.length };
    if (input.dry_run === true) return { ...counts, replaced: await files.hasImport(source), dry_run: true };
    const stored = await files.keepImport({ source, tasks, evaluations, prefix: evaluationPrefix(source) });
    return { ...counts, ...stored, dry_run: false };
  },
});

async function textOfPeer(context: TeamContext, peer: string, file: string): Promise<string> {
  const text = await (await peerProject(context, peer)).text(file, TEAM_LIMITS.traceFileBytes);
  if (typeof text === 'string') return text;
  const shown = inSentence(file);
  if (text === undefined)
    throw new TroupeError('unreadable', { what: `${inert(peer)} has no file ${shown}.`, hint: 'Check the name.' });
  throw new TroupeError('bad_trace', {
    what: `${shown} is larger than ${TEAM_LIMITS.traceFileBytes / 1024 / 1024} MB: nothing was written.`,
  });
}
