import * as z from 'zod/mini';
import { isTask } from '#core/graph/task.js';
import { changesSince, refuseLiveRuns, restoreRun, runChangeShape, runMetaShape } from '#core/history/archived-runs.js';
import { filterText } from '#core/history/replay-filter.js';
import { timestamp } from '#kernel/clock.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { flag } from '#operations/shapes.js';
import { commitWithSnapshot } from './store-files.js';
import { refuseTidyingRun } from './store-shapes.js';

/** Lists all snapshots saved before replays. */
export const runsList = operation({
  name: 'runs.list',
  command: 'runs list',
  group: 'History',
  kind: 'read',
  instead: 'replay --list',
  summary: 'List the graph snapshots taken before replays',
  examples: ['troupe replay --list', 'troupe replay --list --json'],
  input: z.strictObject({}),
  output: z.object({
    runs: z.readonly(z.array(runMetaShape)),
    /** Ids of those whose metadata cannot be read. */
    unreadable: z.readonly(z.array(z.string())),
  }),
  run: async (context: GraphContext) => await (await context.runSnapshots()).list(),
});

export const runsShow = operation({
  name: 'runs.show',
  command: 'runs show',
  instead: 'replay --show',
  group: 'History',
  kind: 'read',
  summary: 'Show which tasks a replay reopened or kept',
  examples: ['troupe replay --show run-001', 'troupe replay --show run-001 --json'],
  input: z.strictObject({ id: argument('The run', z.string()) }),
  output: runMetaShape,
  run: async (context: GraphContext, input) => (await (await context.runSnapshots()).read(input.id)).meta,
});

export const runsDiff = operation({
  name: 'runs.diff',
  command: 'runs diff',
  group: 'History',
  kind: 'read',
  instead: 'replay --diff',
  summary: 'Compare a graph snapshot with the current graph',
  examples: ['troupe replay --diff run-001', 'troupe replay --diff run-001 --json'],
  input: z.strictObject({ id: argument('The run', z.string()) }),
  output: z.object({
    run_id: z.string(),
    changes: z.array(runChangeShape),
    total_changes: z.number(),
  }),
  async run(context: GraphContext, input) {
    const { meta, nodes } = await (await context.runSnapshots()).read(input.id);
    const changes = changesSince(nodes, await (await context.graph()).view());
    return { run_id: meta.id, changes, total_changes: changes.length };
  },
});

/** Restores the graph from a snapshot, after saving the present one. */
export const runsRestore = operation({
  name: 'runs.restore',
  command: 'runs restore',
  group: 'History',
  kind: 'write',
  instead: 'replay --restore',
  summary: 'Restore a graph snapshot; the current graph is saved first',
  examples: ['troupe replay --restore run-001', 'troupe replay --restore run-001 --force'],
  input: z.strictObject({ id: argument('The run', z.string()), force: option('Even while runs are active', flag) }),
  output: z.object({
    run_id: z.string(),
    /** Id of the snapshot saved before this restore; null if nothing had to be changed. */
    snapshot_id: z.nullable(z.string()),
    restored_tasks: z.array(z.string()),
    removed_tasks: z.array(z.string()),
  }),
  async run(context: GraphContext, input) {
    refuseTidyingRun(context, 'restore a graph');
    const { meta, nodes } = await (await context.runSnapshots()).read(input.id);
    const options = { now: context.clock.now(), by: context.caller.name, run: meta.id };
    const current = await (await context.graph()).view();
    if (restoreRun(current, nodes, options).events.length === 0)
      return { run_id: meta.id, snapshot_id: null, restored_tasks: [], removed_tasks: [] };
    return commitWithSnapshot(context, {
      facts: (view) => {
        if (input.force !== true) refuseLiveRuns(view);
        return {
          timestamp: timestamp(options.now),
          model: null,
          reset_tasks: [],
          preserved_tasks: [...view.nodes()]
            .filter(isTask)
            .map(({ id }) => id)
            .sort(),
          filter: filterText({ restore: meta.id }),
        };
      },
      decide: (view, snapshotId) => {
        const plan = restoreRun(view, nodes, options);
        const { restored, removed } = plan.result;
        const events = plan.events.map((event) => ({ ...event, detail: { ...event.detail, kept: snapshotId } }));
        const result = { run_id: meta.id, snapshot_id: snapshotId, restored_tasks: restored, removed_tasks: removed };
        return { events, result };
      },
    });
  },
});
