import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { RunSnapshotFolders } from '#adapters/store/run-snapshot-folders.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { commitWithSnapshot } from '#operations/history/store-files.js';
import { world } from '../../e2e/world.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const put = (id: string) => ({
  events: [{ op: 'add_task', patch: [{ id, put: { kind: 'task', id, title: id, status: 'open' } }] }],
  result: undefined,
});

function place() {
  const folder = room();
  const store = new GraphInMemory({ now: () => 0 });
  const context = {
    ...world().context,
    graph: async () => store,
    runSnapshots: async () => new RunSnapshotFolders(folder),
  };
  const facts = { timestamp: 't', model: null, reset_tasks: [], preserved_tasks: [], filter: 'all tasks' };
  const runs = () => (existsSync(path.join(folder, 'runs')) ? readdirSync(path.join(folder, 'runs')) : []);
  return { folder, store, context, facts, runs };
}

verifies('graph.replay.reset', 'a refusal leaves nothing behind', async () => {
  const { context, facts, runs } = place();
  const refusing = commitWithSnapshot(context, {
    facts: () => facts,
    decide: () => {
      throw new TroupeError('task_running');
    },
  });
  await expect(refusing).rejects.toMatchObject({ code: 'task_running' });
  expect(runs()).toEqual([]);
});

verifies('graph.replay.reset', 'a graph that never rests is left alone after eight times', async () => {
  const { store, context, facts, runs } = place();
  let asked = 0;
  const restless = commitWithSnapshot(context, {
    facts: () => {
      void store.commit(() => put(`other-${asked++}`));
      return facts;
    },
    decide: () => put('mine'),
  });
  await expect(restless).rejects.toMatchObject({ code: 'internal' });
  expect([asked, runs()]).toEqual([8, []]);
});

verifies(
  'graph.replay.reset',
  'what is kept is what was there right before the change, also when somebody is quicker',
  async () => {
    const { folder, store, context, facts, runs } = place();
    const seen: number[] = [];
    const decide = (_: GraphView, run: string) => ({ ...put('mine'), result: run });
    const run = await commitWithSnapshot(context, {
      facts: (view) => {
        seen.push(view.seq);
        if (seen.length < 3) void store.commit(() => put(`other-${seen.length}`)); // between our look and our commit
        return facts;
      },
      decide,
    });
    expect(seen).toEqual([0, 1, 2]);
    expect(runs()).toEqual([run]);
    const kept = readFileSync(path.join(folder, 'runs', run, 'graph.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(kept.map((line) => JSON.parse(line).id)).toEqual(['other-1', 'other-2']);
  },
);
