import * as z from 'zod/mini';
import type { Plan } from '#core/graph/event.js';
import { STATUSES } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { wordsFor } from '#core/imports/ids.js';
import { type ParsedImport, TRACKERS } from '#core/imports/imported-task.js';
import { IMPORTED } from '#core/imports/origin.js';
import { type ImportResult, importTasks } from '#core/imports/plan.js';
import { parseImport, recognised } from '#core/imports/recognise.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { plainLetters } from '#operations/plain-letters.js';
import { departedTasks } from './store-shapes.js';

const flag = z.optional(z.boolean());
const rows = <Shape extends z.core.$ZodShape>(shape: Shape) => z.readonly(z.array(z.object(shape)));

/** Answer of what takes over the records of a tracker. */
export const importedShape = {
  /** Tasks that were added, or would be. */
  tasks: rows({
    id: z.string(),
    key: z.string(),
    title: z.string(),
    status: z.enum(STATUSES),
    /** The tracker's own word for the status. */
    state: z.string(),
    after: z.readonly(z.array(z.string())),
    paused: z.boolean(),
    /** It has a command, which waits for `troupe trust`. */
    command: z.boolean(),
  }),
  /** Records that were imported before and are the same. */
  present: z.number(),
  /** Records that were imported before and differ now. Their tasks are left as they are. */
  changed: rows({ id: z.string(), key: z.string(), differs: z.readonly(z.array(z.string())) }),
  /** Records that are no work to be done here. */
  left: rows({ key: z.string(), title: z.string(), why: z.string() }),
  /** Records that cannot be read: lines, files or places. */
  broken: rows({ place: z.string(), why: z.string() }),
  warnings: z.readonly(z.array(z.string())),
};

/** Imports the tasks of another tracker in one commit; with `dry_run`, only computes them. */
export const importWork = operation({
  name: 'task.import',
  command: 'import',
  group: 'Tasks',
  kind: 'write',
  summary: 'Import the tasks of another tracker: beads, Task Master, Backlog.md, GitHub, a checklist, a workgraph',
  examples: ['troupe import TODO.md --dry-run', 'troupe import .beads/issues.jsonl --from beads --skip-broken'],
  input: z.strictObject({
    file: argument('Its file or folder', z.string().check(z.minLength(1)), { path: 'always' }),
    from: option('The tracker (default: recognised from the content)', z.optional(z.enum(TRACKERS)), {
      value: 'TRACKER',
    }),
    dry_run: option('Show what would come and what is left out; change nothing', flag),
    open: option('Unfinished tasks may start at once (default: they are paused)', flag),
    skip_broken: option('Leave out records that cannot be read', flag),
    source: option(
      'Distinguishes several trackers of one kind (default: for a checklist, its path)',
      z.optional(z.string().check(z.maxLength(IMPORT_LIMITS.sourceCharacters))),
      { value: 'NAME' },
    ),
  }),
  output: z.object({
    tracker: z.enum(TRACKERS),
    file: z.string(),
    source: z.string(),
    dry_run: z.boolean(),
    ...importedShape,
    seq: z.number(),
  }),
  async run(context: GraphContext & FilesContext, input) {
    const store = await context.graph();
    const named = await (await context.files()).trackers(input.file);
    const found = recognised(named, input.from);
    const parsed = parseImport(found);
    const dryRun = input.dry_run === true;
    // A project has many checklists, but usually one tracker of each other kind.
    const source = input.source ?? (found.tracker === 'checklist' ? named.name : '');
    const view = await store.view();
    const options = {
      tracker: found.tracker,
      source,
      actor: context.caller.name,
      open: input.open === true,
      skipBroken: dryRun || input.skip_broken === true,
      latin: await latinWords(parsed),
      departed: (await departedTasks(store, [...view.departures()])).filter((task) => IMPORTED.of(task) !== undefined),
    };
    const decide = (at: GraphView): Plan<ImportResult> =>
      importTasks(at, parsed, { ...options, now: context.clock.now() });
    const { result, seq } = dryRun ? { ...decide(view), seq: view.seq } : await store.commit(decide, context.request);
    const warnings = result.warnings.slice(0, IMPORT_LIMITS.warnings);
    return { tracker: found.tracker, file: named.name, source, dry_run: dryRun, ...result, warnings, seq };
  },
});

/** Titles and wished ids in Latin letters, where ids are derived from them. */
export async function latinWords({ tasks }: ParsedImport): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  for (const task of tasks) {
    const text = wordsFor(task);
    if (text !== undefined && !words.has(text)) words.set(text, await plainLetters(text));
  }
  return words;
}
