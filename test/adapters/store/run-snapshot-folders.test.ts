import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RunSnapshotFolders } from '#adapters/store/run-snapshot-folders.js';
import type { GraphNode } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const NODES = ['b', 'a'].map((id) => ({ kind: 'task', id, title: id, status: 'open' }) as GraphNode);
const FACTS = { timestamp: 't', model: null, reset_tasks: ['a'], preserved_tasks: [], filter: '--tasks a' };

function place() {
  const folder = room('snapshots');
  const runs = path.join(folder, 'runs');
  return { folder, runs, snapshots: new RunSnapshotFolders(folder) };
}

test('the graph, the settings and the facts are kept under the next number, for reading alone', async () => {
  const { folder, runs, snapshots } = place();
  expect(await snapshots.list()).toEqual({ runs: [], unreadable: [] });
  writeFileSync(path.join(folder, 'config.toml'), 'x = 1\n');
  expect(await snapshots.keep(NODES, FACTS)).toEqual({ id: 'run-001', ...FACTS });
  const second = await snapshots.keep([], { ...FACTS, model: 'opus' });
  expect(second.id).toBe('run-002');
  expect((await snapshots.list()).runs).toEqual([{ id: 'run-001', ...FACTS }, second]);
  const { meta, nodes } = await snapshots.read('run-001');
  expect([meta, nodes.map(({ id }) => id)]).toEqual([{ id: 'run-001', ...FACTS }, ['a', 'b']]);
  expect(readdirSync(runs).sort()).toEqual(['run-001', 'run-002']);
  expect(readFileSync(path.join(runs, 'run-001/config.toml'), 'utf8')).toBe('x = 1\n');
  expect(readFileSync(path.join(runs, 'run-001/meta.json'), 'utf8')).toMatchInlineSnapshot(`
    "{
      "id": "run-001",
      "timestamp": "t",
      "model": null,
      "reset_tasks": [
        "a"
      ],
      "preserved_tasks": [],
      "filter": "--tasks a"
    }
    "
  `);
  expect(statSync(path.join(runs, 'run-001')).mode & 0o777).toBe(0o755);
  for (const name of ['graph.jsonl', 'config.toml', 'meta.json'])
    expect(statSync(path.join(runs, 'run-001', name)).mode & 0o777, name).toBe(0o444 & ~process.umask());
  await snapshots.drop('../runs');
  await snapshots.drop('run-001');
  expect((await snapshots.list()).runs.map(({ id }) => id)).toEqual(['run-002']);
});

test('numbers go on from the greatest, and one that another took meanwhile is passed', async () => {
  const { runs, snapshots } = place();
  for (const name of ['run-010', 'run-9', 'run-0011', 'run-NaN', 'notes'])
    mkdirSync(path.join(runs, name), { recursive: true });
  writeFileSync(path.join(runs, 'run-020'), '');
  expect((await snapshots.keep([], FACTS)).id).toBe('run-011');
  mkdirSync(path.join(runs, 'run-012/full'), { recursive: true });
  const racing = new RunSnapshotFolders(path.dirname(runs));
  Object.defineProperty(racing, 'numbers', { value: () => [11] });
  expect((await racing.keep([], FACTS)).id).toBe('run-013');
  expect((await snapshots.list()).runs.map(({ id }) => id)).toEqual(['run-011', 'run-013']);
  for (const name of ['run-1000', 'run-002', 'run-101', 'run-100']) {
    mkdirSync(path.join(runs, name));
    writeFileSync(path.join(runs, name, 'meta.json'), '{"timestamp":"t"}');
  }
  expect((await snapshots.list()).runs.map(({ id }) => id)).toEqual([
    ...['run-002', 'run-011', 'run-013', 'run-100', 'run-101', 'run-1000'],
  ]);
  expect((await snapshots.keep([], FACTS)).id).toBe('run-1001');
});

test('nothing is left of a run that could not be kept, nor anything open', async () => {
  const { folder, runs, snapshots } = place();
  await expect(snapshots.keep(NODES, { ...FACTS, filter: 1n as never })).rejects.toThrow(TypeError);
  expect(readdirSync(runs)).toEqual([]);
  const settings = (size: number) => writeFileSync(path.join(folder, 'config.toml'), ' '.repeat(size));
  for (const [more, size] of [
    [0, WORK_LIMITS.settingsBytes],
    [1, undefined],
  ] as const) {
    settings(WORK_LIMITS.settingsBytes + more);
    const { id } = await snapshots.keep(NODES, FACTS);
    expect(statSync(path.join(runs, id, 'config.toml'), { throwIfNoEntry: false })?.size, id).toBe(size);
  }
  expect(openBelow(folder)).toEqual([]);
  writeFileSync(path.join(folder, 'file'), '');
  await expect(new RunSnapshotFolders(path.join(folder, 'file')).list()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await snapshots.drop('run-001');
  await snapshots.drop('run-001');
  expect(readdirSync(runs)).toEqual(['run-002']);
});

test('what cannot be read is refused, and what a fact should be and is not is none', async () => {
  const { runs, snapshots } = place();
  await snapshots.keep(NODES, FACTS);
  const write = (id: string, name: string, text: string) => {
    mkdirSync(path.join(runs, id), { recursive: true });
    writeFileSync(path.join(runs, id, name), text);
  };
  for (const id of ['run-009', 'run-1', '../runs', ''])
    await expect(snapshots.read(id), id).rejects.toMatchObject({ code: 'unknown_run' });
  write('run-002', 'meta.json', '{"timestamp":"t"}');
  await expect(snapshots.read('run-002')).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/run-002 cannot be read/),
  });
  write('run-002', 'graph.jsonl', '{"kind":"task"}\n');
  await expect(snapshots.read('run-002')).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/^Line 1 of run-002/),
  });
  write('run-003', 'graph.jsonl', '');
  write('run-003', 'meta.json', '{"timestamp":7}');
  await expect(snapshots.read('run-003')).rejects.toMatchObject({ code: 'corrupt' });
  write('run-004', 'meta.json', '{"timestamp":"t","model":7,"reset_tasks":"a","preserved_tasks":["a",7],"filter":[]}');
  write('run-005', 'meta.json', '{"timestamp":"t","filter":{"tasks":["a","b"],"keep_done":0.9}}');
  expect((await snapshots.list()).unreadable).toEqual(['run-003']);
  expect((await snapshots.list()).runs.slice(1)).toEqual([
    { id: 'run-002', timestamp: 't', model: null, reset_tasks: [], preserved_tasks: [], filter: 'all tasks' },
    { id: 'run-004', timestamp: 't', model: null, reset_tasks: [], preserved_tasks: ['a'], filter: 'all tasks' },
    {
      id: 'run-005',
      timestamp: 't',
      model: null,
      reset_tasks: [],
      preserved_tasks: [],
      filter: '--tasks a,b --keep-done 0.9',
    },
  ]);
});

test('nothing is kept or read through a link', async () => {
  for (const target of ['.', 'nowhere']) {
    const { runs, snapshots } = place();
    symlinkSync(path.join(room('elsewhere'), target), runs);
    await expect(snapshots.list(), target).rejects.toMatchObject({ code: 'unsafe_path' });
    await expect(snapshots.keep([], FACTS), target).rejects.toMatchObject({ code: 'unsafe_path' });
  }
});
