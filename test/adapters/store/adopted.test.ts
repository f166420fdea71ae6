import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readMarks } from '#adapters/store/files/store-load.js';
import { addTask } from '#core/graph/add.js';
import { doneTask, logTask } from '#core/graph/moves.js';
import type { GraphView } from '#core/graph/view.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

type FileStore = Awaited<ReturnType<ReturnType<typeof graphPlace>['open']>>;

/** What a person may do first with a graph they found. */
const FIRST: Readonly<Record<string, (store: FileStore) => Promise<unknown>>> = {
  add: (store) => store.commit((view) => addTask(view, { title: 'Mine' }, { now: clock.now() })),
  done: (store) => store.commit((view) => doneTask(view, 'old-1', { now: clock.now(), by })),
  log: (store) => store.commit((view) => logTask(view, 'old-1', 'hello', { now: clock.now(), by })),
  nothing: (store) => store.commit(() => ({ events: [], result: undefined })),
  rotate: (store) => store.rotate(),
};

const SIZES = [1, 3, WORK_LIMITS.snapshotNodesAtOnce + 1];

function lineOf(number: number, title = `Old ${number}`): string {
  return JSON.stringify({ kind: 'task', id: `old-${number}`, title, status: 'open' });
}

/** A folder of another tool: its graph, and nothing of ours. */
function found(size: number) {
  const place = graphPlace();
  for (const file of [place.log, path.join(place.folder, 'service')]) rmSync(file, { recursive: true });
  writeFileSync(place.graph, Array.from({ length: size }, (_, number) => `${lineOf(number + 1)}\n`).join(''));
  const by = async (act: (store: FileStore) => Promise<unknown>, hold = false) => {
    const store = await place.open(hold);
    try {
      await act(store);
    } finally {
      await store.close();
    }
  };
  return { ...place, by };
}

/** Nodes as others see them, without what a history counts for itself. */
async function nodesSeen(view: () => Promise<GraphView>) {
  return [...(await view()).nodes()]
    .map(({ rev: _rev, ...node }) => node)
    .sort((left, right) => (left['id'] < right['id'] ? -1 : 1));
}

for (const size of SIZES)
  verifies(
    'hold.adopt',
    `whatever is done first to ${size} found tasks lasts, with and without a service`,
    async () => {
      for (const [name, act] of Object.entries(FIRST)) {
        for (const hold of [false, true]) {
          const { by, view, ops, add } = found(size);
          let after: unknown;
          await by(async (store) => {
            await act(store);
            after = await nodesSeen(() => store.view());
          }, hold);
          expect(await nodesSeen(view), `${name}, ${hold}`).toEqual(after);
          await add('Second');
          expect(await nodesSeen(view), `${name}, ${hold}`).toHaveLength((after as unknown[]).length + 1);
          expect(ops(), `${name}, ${hold}`).not.toContain('hand_edit');
          expect(ops().filter((op) => op === 'adopt').length, `${name}, ${hold}`).toBeLessThanOrEqual(1);
        }
      }
    },
  );

for (const size of SIZES.slice(1))
  verifies(
    'hold.adopt',
    `what the other tool writes into its file of ${size} after that is taken in, and takes nothing else back`,
    async () => {
      const { graph, add, view, ops } = found(size);
      const theirs = readFileSync(graph, 'utf8');
      await add('Mine');
      writeFileSync(graph, theirs.replace(lineOf(1), lineOf(1, 'By hand')).replace(`${lineOf(2)}\n`, ''));
      await add('More');
      const seen = await view();
      expect(seen.task('old-1')?.title).toBe('By hand');
      expect(seen.task('old-2')).toBeUndefined();
      expect([seen.task('mine')?.title, seen.task('more')?.title]).toEqual(['Mine', 'More']);
      expect(ops()).toEqual(['adopt', 'add_task', 'hand_edit', 'add_task']);
    },
  );

verifies(
  'hold.adopt',
  'the first change writes a snapshot of ours, however large the graph is: nobody replays the log after that',
  async () => {
    const { graph, folder, add } = found(WORK_LIMITS.snapshotNodesAtOnce + 1);
    await add('Mine');
    expect(readFileSync(graph, 'utf8')).toContain('"title":"Mine"');
    expect(readMarks(path.join(folder, 'service/snapshot.json')).current?.seq).toBe(2);
  },
);

verifies('hold.adopt', 'what is added while the log that adopted it is closed is in the snapshot too', async () => {
  const { graph, doctor, by } = found(WORK_LIMITS.snapshotNodesAtOnce + 1);
  await by(async (store) => {
    const rotation = store.rotate();
    const add = store.commit((view) => addTask(view, { title: 'Meanwhile' }, { now: clock.now() }));
    expect(await rotation).toMatchObject({ from: 1 });
    await add;
  }, true);
  expect(readFileSync(graph, 'utf8')).toContain('"title":"Meanwhile"');
  expect((await doctor.examine()).filter(({ severity }) => severity !== 'note')).toEqual([]);
});

verifies('hold.adopt', 'also where marks of an earlier life lie beside it, or get lost', async () => {
  const { folder, log, graph, add, view, ops } = found(WORK_LIMITS.snapshotNodesAtOnce + 1);
  await add('Mine');
  const store = path.join(folder, 'service');
  const before = readFileSync(graph, 'utf8');
  rmSync(log); // the log was not kept, the marks were
  writeFileSync(graph, before);
  await add('Again');
  await add('Lasts');
  expect((await view()).task('again')?.title).toBe('Again');
  rmSync(store, { recursive: true });
  await add('Third');
  const seen = await view();
  expect(['again', 'lasts', 'third'].map((id) => seen.task(id)?.status)).toEqual(['open', 'open', 'open']);
  expect(ops()).not.toContain('hand_edit');
});
