import * as z from 'zod/mini';
import { departedOf, forArchive, forRemoval, lastBatch, removeTasks, restoreTasks } from '#core/history/departures.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { CallContext, GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { flag, text, texts } from '#operations/shapes.js';
import type { GraphStore } from '#ports/graph-store.js';
import {
  askFirst,
  changeAnswer,
  departedTasks,
  momentBefore,
  movedOutShape,
  onlyOneOf,
  previewAnswer,
  refuseTidyingRun,
} from './store-shapes.js';

/** Archives finished tasks, lists archived ones, or undoes the last archiving. */
export const archive = operation({
  name: 'archive.move',
  command: 'archive',
  group: 'History',
  kind: 'write',
  summary: 'Archive done and abandoned tasks that nothing active depends on',
  examples: ['troupe archive --older 30d --dry-run', 'troupe archive -y', 'troupe archive --undo'],
  input: z.strictObject({
    ids: argument('Only these (default: all eligible)', texts),
    older: option('Only tasks that ended longer ago than this: 12h, 30d, 2w', text, { value: 'DURATION' }),
    dry_run: option('Show what would change, change nothing', flag),
    yes: option('Skip the confirmation', flag, { short: 'y' }),
    list: option('List the archived tasks instead', flag),
    undo: option('Undo the last archiving', flag),
  }),
  output: movedOutShape,
  async run(context: GraphContext, input) {
    onlyOneOf(['--list', input.list], ['--undo', input.undo], ['task ids', input.ids]);
    onlyOneOf(['--list', input.list], ['--dry-run', input.dry_run]);
    const store = await context.graph();
    const endedBefore = momentBefore(context, input.older);
    if (input.list === true) {
      return previewAnswer('listed', await store.archived({ endedBefore }), (await store.view()).seq);
    }
    refuseTidyingRun(context, 'archive');
    if (input.undo === true) return undo(context, store, input.dry_run === true);
    const selection = { ids: input.ids, endedBefore };
    const view = await store.view();
    const selected = forArchive(view, selection);
    if (input.dry_run === true || selected.length === 0) {
      return previewAnswer(input.dry_run === true ? 'preview' : 'moved', selected, view.seq);
    }
    if (input.ids === undefined && input.yes !== true)
      throw askFirst(
        'archive',
        selected.map(({ id }) => id),
      );
    const commit = await store.commit((now) => {
      const tasks = forArchive(now, selection);
      return { ...removeTasks(tasks, 'archive', context.caller.name), result: { tasks } };
    }, context.request);
    return changeAnswer('moved', commit.result.tasks, commit);
  },
});

async function undo(context: CallContext, store: GraphStore, dryRun: boolean) {
  const view = await store.view();
  const tasks = await departedTasks(store, lastBatch(view, 'archive'));
  if (dryRun || tasks.length === 0) return previewAnswer(dryRun ? 'preview' : 'restored', tasks, view.seq);
  const options = { now: context.clock.now(), by: context.caller.name, reopen: false };
  const commit = await store.commit((now) => restoreTasks(now, tasks, options), context.request);
  return changeAnswer('restored', tasks, commit);
}

/** Searches archived tasks by words of their id, title, description, tags or artifacts. */
export const archiveSearch = operation({
  name: 'archive.search',
  command: 'archive search',
  group: 'History',
  kind: 'read',
  instead: 'archive --search',
  summary: 'Search the archived tasks',
  examples: ['troupe archive --search parser', 'troupe archive --search "write draft" --limit 5 --json'],
  input: z.strictObject({
    query: argument(
      'Words that must all occur in id, title, description, tags or artifacts',
      z.string().check(z.minLength(1)),
    ),
    limit: option(
      'Maximum number of tasks (default: 20)',
      z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1_000))),
      { value: 'N' },
    ),
  }),
  output: movedOutShape,
  async run(context: GraphContext, input) {
    const store = await context.graph();
    const matches = await store.archived({ text: input.query });
    const rows = matches.slice(0, input.limit ?? WORK_LIMITS.archiveRows);
    return previewAnswer('listed', rows, (await store.view()).seq, matches.length);
  },
});

/** Restores tasks that were archived or removed by `gc`, unchanged or reopened. */
export const archiveRestore = operation({
  name: 'archive.restore',
  command: 'archive restore',
  group: 'History',
  kind: 'write',
  instead: 'archive --restore',
  summary: 'Restore archived or removed tasks',
  examples: ['troupe archive write-the-parser --restore', 'troupe archive write-the-parser --restore --reopen'],
  input: z.strictObject({
    ids: argument('The tasks', z.array(z.string()).check(z.minLength(1)), { names: 'task' }),
    reopen: option('Reopen them, without the state of their last attempt', flag),
  }),
  output: movedOutShape,
  async run(context: GraphContext, input) {
    refuseTidyingRun(context, 'bring tasks back');
    const store = await context.graph();
    const view = await store.view();
    const tasks = await departedTasks(
      store,
      [...new Set(input.ids)].map((id) => departedOf(view, id)),
    );
    const options = { now: context.clock.now(), by: context.caller.name, reopen: input.reopen === true };
    const commit = await store.commit((now) => restoreTasks(now, tasks, options), context.request);
    const present = await store.view();
    return changeAnswer(
      'restored',
      tasks.map((task) => present.task(task.id) ?? task),
      commit,
    );
  },
});

/**
 * Removes failed and abandoned tasks that nothing active depends on; with `include_done` also done ones. A large number
 * needs confirmation.
 */
export const gc = operation({
  name: 'gc.remove',
  command: 'gc',
  group: 'History',
  kind: 'write',
  summary: 'Remove failed and abandoned tasks that nothing active depends on',
  examples: ['troupe gc --dry-run', 'troupe gc --include-done --older 2w'],
  input: z.strictObject({
    ids: argument('Only these (default: all eligible)', texts),
    include_done: option('Include done tasks', flag),
    older: option('Only tasks that ended longer ago than this: 12h, 30d, 2w', text, { value: 'DURATION' }),
    dry_run: option('Show what would change, change nothing', flag),
    yes: option('Skip the confirmation', flag, { short: 'y' }),
    list: option('List the removed tasks that can be restored', flag),
  }),
  output: movedOutShape,
  async run(context: GraphContext, input) {
    onlyOneOf(['--list', input.list], ['--dry-run', input.dry_run]);
    onlyOneOf(['--list', input.list], ['task ids', input.ids]);
    const store = await context.graph();
    const view = await store.view();
    if (input.list === true) {
      const departures = [...view.departures()].filter(({ to }) => to === 'gc');
      return previewAnswer('listed', await departedTasks(store, departures), view.seq);
    }
    refuseTidyingRun(context, 'remove tasks');
    const endedBefore = momentBefore(context, input.older);
    const selection = { ids: input.ids, endedBefore, includeDone: input.include_done === true };
    if (input.dry_run === true) return previewAnswer('preview', forRemoval(view, selection), view.seq);
    const commit = await store.commit((now) => {
      const tasks = forRemoval(now, selection);
      const many = input.ids === undefined && tasks.length > WORK_LIMITS.removedUnasked;
      if (many && input.yes !== true)
        throw askFirst(
          'gc',
          tasks.map(({ id }) => id),
        );
      return { ...removeTasks(tasks, 'gc', context.caller.name), result: { tasks } };
    }, context.request);
    return changeAnswer('moved', commit.result.tasks, commit);
  },
});
