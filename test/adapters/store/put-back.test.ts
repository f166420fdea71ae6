import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, onTestFinished, vi } from 'vitest';
import type { FileStore } from '#adapters/store/files/file-store.js';
import { addTask } from '#core/graph/add.js';
import { claimTask, doneTask } from '#core/graph/moves.js';
import { PATIENCE } from '../../patience.js';
import { git } from '../../repository.js';
import { textOf } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

const open: FileStore[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

/** A repository whose last commit has one task; a service holds its graph, and has added another since. */
async function served() {
  const place = graphPlace();
  const top = path.dirname(place.folder);
  git(top, 'init', '--quiet', '--initial-branch=main');
  await place.add('First');
  commitAll(top, 'first');
  const hold = async () => {
    const store = await place.open(true);
    open.push(store);
    return store;
  };
  const store = await hold();
  const add = (title: string) => store.commit((view) => addTask(view, { title }, { now: clock.now() }));
  const look = () => store.commit(() => ({ events: [], result: undefined }));
  await add('Second');
  await store.snapshot();
  return { ...place, top, store, hold, add, look };
}

function commitAll(top: string, message: string): void {
  git(top, 'add', '--all');
  git(top, 'commit', '--quiet', '-m', message);
}

const ids = async (store: FileStore) => [...(await store.view()).nodes()].map(({ id }) => id).sort();
const logged = (file: string) => [...textOf(file).matchAll(/"task_id":"([^"]+)"/g)].map(([, id]) => id);

verifies('tree.rewind', 'a stash under a service takes no task away, and pops again', async () => {
  const { top, store, look, log, graph, add } = await served();
  git(top, 'stash', '--quiet');
  await look();
  expect(await ids(store)).toEqual(['first', 'second']);
  expect(await store.health()).toMatchObject([{ code: 'put_back', text: expect.stringContaining('1 change') }]);
  // While there is nothing new, the files are the person's: git can go on.
  expect(logged(log)).toEqual(['first']);
  expect(git(top, 'status', '--porcelain')).toBe('');
  git(top, 'stash', 'pop', '--quiet');
  await add('Third');
  await store.snapshot();
  expect(logged(log)).toEqual(['first', 'second', 'third']);
  expect(textOf(graph)).toContain('"third"');
  expect(await store.health()).toEqual([]);
});

verifies('tree.rewind', 'the next change writes the log that was acknowledged again, and says so', async () => {
  const { top, store, look, log, graph, add, view } = await served();
  git(top, 'reset', '--quiet', '--hard');
  await look();
  await add('Third');
  expect(logged(log)).toEqual(['first', 'second', 'third']);
  expect(await store.health()).toMatchObject([{ code: 'put_back', text: expect.stringContaining('again') }]);
  await store.snapshot();
  expect(textOf(graph)).toContain('"second"');
  await store.close();
  expect([...(await view()).nodes()].map(({ id }) => id).sort()).toEqual(['first', 'second', 'third']);
});

verifies(
  'tree.rewind',
  'a branch with a graph of its own is left alone, and one graph with it at the next change',
  async () => {
    const { top, store, hold, commit } = await served();
    commitAll(top, 'second');
    await store.close();
    git(top, 'switch', '--quiet', '-c', 'side', 'HEAD~1');
    await commit((view) => addTask(view, { title: 'Beside' }, { now: clock.now() }));
    await commit((view) => doneTask(view, 'first', { now: clock.now(), by }));
    commitAll(top, 'side');
    git(top, 'switch', '--quiet', 'main');
    const again = await hold();
    const change = (title: string) => again.commit((view) => addTask(view, { title }, { now: clock.now() }));
    await change('Third');
    await again.snapshot();
    commitAll(top, 'third');
    git(top, 'switch', '--quiet', 'side');
    const idle = () => again.commit(() => ({ events: [], result: undefined }));
    await idle();
    expect(await ids(again)).toEqual(['first', 'second', 'third']);
    git(top, 'switch', '--quiet', 'main');
    await idle();
    expect(git(top, 'status', '--porcelain')).toBe('');
    git(top, 'switch', '--quiet', 'side');
    await change('Fourth');
    await expect.poll(() => ids(again), PATIENCE).toEqual(['beside', 'first', 'fourth', 'second', 'third']);
    expect((await again.view()).node('first')).toMatchObject({ status: 'done' });
  },
);

verifies('tree.rewind', 'no snapshot is written while lines of a branch stand in the log unread', async () => {
  const { top, store, hold, view, commit } = await served();
  commitAll(top, 'second');
  await store.close();
  git(top, 'switch', '--quiet', '-c', 'side', 'HEAD~1');
  await commit((graph) => addTask(graph, { title: 'Beside' }, { now: clock.now() }));
  commitAll(top, 'side');
  git(top, 'switch', '--quiet', 'main');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const again = await hold();
  const change = (title: string) => again.commit((graph) => addTask(graph, { title }, { now: clock.now() }));
  await change('Third');
  await again.snapshot();
  commitAll(top, 'third');
  git(top, 'switch', '--quiet', 'side');
  await change('Fourth');
  vi.runOnlyPendingTimers(); // what was put off is due before the next round
  vi.useRealTimers();
  const all = ['beside', 'first', 'fourth', 'second', 'third'];
  await expect.poll(() => ids(again), { timeout: 3_000 }).toEqual(all);
  await again.close();
  expect([...(await view()).nodes()].map(({ id }) => id).sort()).toEqual(all);
});

verifies('tree.rewind', 'a log that is gone is written again at once', async () => {
  const { store, look, log, graph } = await served();
  for (const file of [log, graph]) rmSync(file); // as `git stash -u` does with files that are not in git
  await look();
  expect(logged(log)).toEqual(['first', 'second']);
  expect(await store.health()).toMatchObject([{ text: expect.stringContaining('was removed') }]);
  await expect.poll(() => existsSync(graph) && textOf(graph), PATIENCE).toContain('"second"');
});

verifies(
  'tree.rewind',
  'a service that starts while git has an older log there goes on with the runs that it left',
  async () => {
    const { top, store, hold, log, folder } = await served();
    const kept = path.join(folder, 'service/operations.kept.jsonl');
    await store.commit((view) => claimTask(view, 'second', { now: clock.now(), by: { name: 'agent-1' } }));
    await store.close();
    git(top, 'reset', '--quiet', '--hard');
    const next = await hold();
    expect((await next.view()).node('second')).toMatchObject({ status: 'in-progress' });
    await next.commit((view) => doneTask(view, 'second', { now: clock.now(), by }));
    expect(logged(log)).toEqual(['first', 'second', 'second', 'second']);
    await next.close();
    // Nothing runs any more: whatever git puts there is the graph.
    expect(existsSync(kept)).toBe(false);
    git(top, 'reset', '--quiet', '--hard');
    expect(await ids(await hold())).toEqual(['first']);
  },
);

verifies('tree.rewind', 'what a hand wrote is followed as before', async () => {
  const { store, graph, look } = await served();
  writeFileSync(graph, textOf(graph).replace('"Second"', '"Other"'));
  await look();
  expect((await store.view()).node('second')).toMatchObject({ title: 'Other' });
});
