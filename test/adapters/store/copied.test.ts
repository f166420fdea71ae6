import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import type { Plan } from '#core/graph/event.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { failing } from './graph-place.js';

const clock = { now: () => Date.parse('2026-03-21T10:00:00.000Z') };

const adding = (id: string) => (): Plan<undefined> => ({
  events: [{ op: 'add_task', patch: [{ id, put: { kind: 'task', id, title: 'A', status: 'open' } }] }],
  result: undefined,
});
const saying = (description: string) => (): Plan<undefined> => ({
  events: [{ op: 'edit', task_id: 'a', patch: [{ id: 'a', set: { description } }] }],
  result: undefined,
});

async function change(folder: string, decide: () => Plan<undefined>, disk = SYSTEM_DISK) {
  const store = await FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false, disk });
  try {
    await store.commit(decide).catch(() => undefined);
    const ops = [];
    for await (const entry of store.entries(1)) ops.push(entry.op);
    const view = await store.view();
    return { ops, tasks: [...view.nodes()].map(({ id }) => id).sort(), text: view.task('a')?.description };
  } finally {
    await store.close();
  }
}

/** A graph of two tasks, copied while its service wrote: the files named are as they were before the last two changes. */
async function copyOf(older: readonly ('graph' | 'mark' | 'base' | 'log')[]) {
  const original = path.join(room(), '.workgraph');
  initialiseStore(original);
  await change(original, adding('a'));
  const before = graphLayout(original);
  const texts = older.map((name) => [name, readFileSync(before[name])] as const);
  await change(original, saying('one'));
  await change(original, adding('b'));
  const copied = path.join(room(), '.workgraph');
  cpSync(original, copied, { recursive: true });
  const paths = graphLayout(copied);
  for (const [name, text] of texts) writeFileSync(paths[name], text);
  return { copied, paths };
}

for (const older of [['graph'], ['mark'], ['mark', 'base'], ['graph', 'base'], ['base']] as const)
  verifies(
    ['graph.store.hand', 'hold.lock.owned'],
    `in a copy of a project at work, an older ${older.join(' and ')} is not taken for a hand's edit`,
    async () => {
      const { copied } = await copyOf(older);
      const { ops, tasks, text } = await change(copied, adding('c'));
      expect({ ops, tasks, text }).toEqual({
        ops: ['add_task', 'edit', 'add_task', 'add_task'],
        tasks: ['a', 'b', 'c'],
        text: 'one',
      });
    },
  );

verifies(
  'graph.store.hand',
  'in a copy whose log is older than its snapshot, nothing of the snapshot is lost',
  async () => {
    const { copied } = await copyOf(['log']);
    const { ops, tasks, text } = await change(copied, adding('c'));
    expect({ ops, tasks, text }).toEqual({
      ops: ['add_task', 'hand_edit', 'add_task'],
      tasks: ['a', 'b', 'c'],
      text: 'one',
    });
  },
);

verifies('graph.store.hand', 'killed before its first snapshot is in its place, a copy is none the worse', async () => {
  const { copied } = await copyOf(['graph']);
  await change(copied, adding('c'), { ...SYSTEM_DISK, rename: () => failing('EIO') });
  const { ops, tasks } = await change(copied, adding('d'));
  expect(ops).toEqual(['add_task', 'edit', 'add_task', 'add_task', 'add_task']);
  expect(tasks).toEqual(['a', 'b', 'c', 'd']);
});

verifies('graph.store.hand', 'in a copy too, what a hand writes before the first command counts', async () => {
  const { copied, paths } = await copyOf([]);
  writeFileSync(paths.graph, readFileSync(paths.graph, 'utf8').replace('"one"', '"by hand"'));
  const { ops, text } = await change(copied, adding('c'));
  expect(ops).toEqual(['add_task', 'edit', 'add_task', 'hand_edit', 'add_task']);
  expect(text).toBe('by hand');
});
