import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { doneTask, logTask } from '#core/graph/moves.js';
import { collect } from '../../contract/graph-store.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

type Decide = Parameters<FileStore['commit']>[0];

/** The same graph in two folders, as two clones have it. */
async function clones() {
  const left = graphPlace();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await left.add(title);
  const right = path.join(room(), '.workgraph');
  cpSync(left.folder, right, { recursive: true });
  const at = async (folder: string, decide?: Decide, close = false) => {
    const store = await FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false });
    if (decide) await store.commit(decide);
    if (close) await store.rotate();
    await store.close();
  };
  /** As git's union leaves it: our lines, then theirs that we lack. */
  const union = () => {
    const lines = (folder: string) => readFileSync(path.join(folder, 'operations.jsonl'), 'utf8').trimEnd().split('\n');
    const mine = lines(left.folder);
    const all = [...mine, ...lines(right).filter((line) => !mine.includes(line))];
    writeFileSync(left.log, `${all.join('\n')}\n`);
    rmSync(path.join(left.folder, 'service'), { recursive: true });
  };
  return { left, right, at, union };
}

const log =
  (id: string, message: string): Decide =>
  (view) =>
    logTask(view, id, message, { now: clock.now(), by });

verifies(
  ['graph.store.merge', 'graph.store.rotate'],
  'branches merge although one of them closed its log',
  async () => {
    const { left, right, at, union } = await clones();
    await at(left.folder, log('alpha', 'left, before'), true);
    await at(left.folder, log('alpha', 'left, after'));
    await at(right, (view) => editTask(view, 'alpha', { title: 'Right' }, { by }));
    await at(right, (view) => doneTask(view, 'beta', { now: clock.now(), by }));
    await at(right, (view) => addTask(view, { title: 'Delta' }, { now: clock.now() }));
    union();
    const seen = await left.view();
    expect([...seen.nodes()].map((node) => node.id).sort()).toEqual(['alpha', 'beta', 'delta', 'gamma']);
    expect(seen.task('alpha')?.title).toBe('Right');
    expect(seen.task('alpha')?.log?.map((entry) => entry.message)).toEqual(['left, before', 'left, after']);
    expect(seen.task('beta')?.status).toBe('done');
    expect(left.ops().filter((op) => op === 'merge')).toHaveLength(1);
    const store = await left.open();
    const numbers = (await collect(store.entries(1))).map((entry) => entry.seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await store.view(2)).size).toBe(2);
    await store.close();
    expect((await left.doctor.examine()).filter((finding) => finding.severity !== 'note')).toEqual([]);
  },
);

verifies('graph.store.merge', 'what a branch put into the archive can come back after the merge', async () => {
  const { left, right, at, union } = await clones();
  const gone: Decide = (view) => ({
    events: [
      {
        op: 'archive',
        patch: [{ id: 'gamma', del: true, to: 'archive', kept: { ...(view.task('gamma') as object) } }],
      },
    ],
    result: undefined,
  });
  await at(right, gone);
  await at(left.folder, log('alpha', 'one'));
  await at(left.folder, log('alpha', 'two'));
  union();
  await left.add('Delta');
  const store = await left.open();
  expect((await store.view()).task('gamma')).toBeUndefined();
  expect((await store.view()).departed('gamma')).toMatchObject({ to: 'archive', last: 'open' });
  expect((await store.archived({})).map((task) => task.title)).toEqual(['Gamma']);
  await store.close();
});
