import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { type StoreDisk, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import type { MarkFile } from '#adapters/store/files/store-load.js';
import type { Plan } from '#core/graph/event.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { failing } from './graph-place.js';

const saying = (description: string) => (): Plan<undefined> => ({
  events: [{ op: 'edit', task_id: 'a', patch: [{ id: 'a', set: { description } }] }],
  result: undefined,
});

function world() {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const paths = graphLayout(folder);
  const clock = { now: () => Date.parse('2026-03-21T10:00:00.000Z') };
  const open = (disk: StoreDisk, hold: boolean) =>
    FileStore.open({ folder, clock, processes: new ProcessTable(), hold, disk });
  const command = async (decide: () => Plan<undefined>, disk: StoreDisk = SYSTEM_DISK) => {
    const store = await open(disk, false);
    try {
      await store.commit(decide).catch(() => undefined); // where its snapshot cannot be written, the log has it
      const entries = [];
      for await (const entry of store.entries(1)) entries.push(entry);
      return { entries, task: (await store.view()).task('a') };
    } finally {
      await store.close();
    }
  };
  return { paths, open, command };
}

const adding = (): Plan<undefined> => ({
  events: [{ op: 'add_task', patch: [{ id: 'a', put: { kind: 'task', id: 'a', title: 'A', status: 'open' } }] }],
  result: undefined,
});

verifies(
  ['graph.store.crash', 'crash.service-commit'],
  'killed after a snapshot took its place, and again before the next one could: nobody is taken for a hand',
  async () => {
    const { paths, command } = world();
    const marks = (): MarkFile => JSON.parse(readFileSync(paths.mark, 'utf8'));
    await command(adding);
    const before = { current: marks().current, base: readFileSync(paths.base) };
    await command(saying('one'));
    // The first kill: announced and in its place, and nothing after that.
    const { graph_mtime: _, ...next } = { graph_mtime: '', ...marks().current };
    writeFileSync(paths.mark, JSON.stringify({ ...marks(), current: before.current, next }));
    writeFileSync(paths.base, before.base);
    // The second: announced, and not in its place.
    await command(saying('two'), { ...SYSTEM_DISK, rename: () => failing('EIO') });
    expect(marks()).toMatchObject({ current: { seq: 2 }, next: { seq: 3 } });
    expect(readFileSync(paths.graph, 'utf8')).toContain('"one"');

    const { entries, task } = await command(saying('three'));
    expect(entries.map((entry) => entry.op)).toEqual(['add_task', 'edit', 'edit', 'edit']);
    expect(task?.description).toBe('three');
  },
);

verifies(
  ['graph.store.crash', 'graph.store.hand'],
  'a hand’s edit that is in the log is not done again because its snapshot was never written',
  async () => {
    const { paths, command } = world();
    await command(adding);
    writeFileSync(paths.graph, readFileSync(paths.graph, 'utf8').replace('"A"', '"By hand"'));
    mkdirSync(paths.graphDraft);
    const after = await command(() => ({
      events: [{ op: 'edit', task_id: 'a', patch: [{ id: 'a', set: { title: 'By command' } }] }],
      result: undefined,
    }));
    expect(after.entries.map((entry) => entry.op)).toEqual(['add_task', 'hand_edit', 'edit']);
    rmdirSync(paths.graphDraft);
    const { entries, task } = await command(saying('later'));
    expect(entries.map((entry) => entry.op)).toEqual(['add_task', 'hand_edit', 'edit', 'edit']);
    expect(task?.title).toBe('By command');
    // The same text once more, after a snapshot that shows it: now it is a new edit.
    writeFileSync(paths.graph, readFileSync(paths.graph, 'utf8').replace('"By command"', '"By hand"'));
    expect((await command(saying('last'))).task?.title).toBe('By hand');
  },
);

for (const nodes of [1, WORK_LIMITS.snapshotNodesAtOnce + 1])
  verifies(
    'graph.store.hand',
    `what a hand writes as soon as a snapshot of ${nodes} tasks is there is not taken for ours`,
    async () => {
      const { paths, open, command } = world();
      const ids = Array.from({ length: nodes }, (_, index) => (index === 0 ? 'a' : `a${index}`));
      let snapshots = 0;
      const rename = (from: string, to: string) => {
        SYSTEM_DISK.rename(from, to);
        if (to !== paths.graph || snapshots++ > 0) return;
        const text = readFileSync(to, 'utf8');
        writeFileSync(to, text.replace('"A"', '"By hand"'));
      };
      const patch = ids.map((id) => ({ id, put: { kind: 'task', id, title: 'A', status: 'open' } }) as const);
      const store = await open({ ...SYSTEM_DISK, rename }, true);
      await store.commit(() => ({ events: [{ op: 'add_task', patch }], result: undefined }));
      await store.snapshot();
      await store.commit(saying('later'));
      await store.close();
      const { entries, task } = await command(saying('last'));
      expect(entries.map((entry) => entry.op)).toEqual(['add_task', 'hand_edit', 'edit', 'edit']);
      expect(task).toMatchObject({ title: 'By hand', description: 'last' });
    },
  );
