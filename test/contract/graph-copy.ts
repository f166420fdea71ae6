import { describe, expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { abandonTask, claimTask, doneTask } from '#core/graph/moves.js';
import { forArchive, removeTasks } from '#core/history/departures.js';
import type { StoreKind } from '#ports/graph-store.js';
import { verifies } from '../verifies.js';
import { NOW } from './graph-store.js';

/** Returns a store kind whose place is empty. */
export type EmptyPlace = () => Promise<StoreKind>;

export const HOLD = { seize: false, stopWaiting: () => true, onHandEdit: () => undefined, onLost: () => undefined };
const by = { name: 'ann' };

/** Creates a graph with history: a closed log segment, ended, archived and running tasks. */
export async function withPast(kind: StoreKind): Promise<void> {
  await kind.initialise();
  const store = await kind.open(() => false);
  try {
    for (const title of ['Draft', 'Größe „messen“', 'Old plan', 'Later work'])
      await store.commit((view) => addTask(view, { title }, { now: NOW }), { requestId: `add-${title}`, input: title });
    await store.commit((view) => claimTask(view, 'draft', { now: NOW, by: { name: 'agent-7' } }));
    await store.commit((view) => abandonTask(view, 'old-plan', { now: NOW, by }));
    await store.files.rotate();
    await store.commit((view) => removeTasks(forArchive(view, {}), 'archive', 'ann'));
    await store.commit((view) => doneTask(view, 'draft', { now: NOW, by: { name: 'agent-7' } }));
  } finally {
    await store.close();
  }
}

export async function linesOf(kind: StoreKind): Promise<string[]> {
  const held = await kind.hold(HOLD);
  try {
    const lines: string[] = [];
    for await (const line of kind.lines()) lines.push(line);
    return lines;
  } finally {
    await held.close();
  }
}

export async function* each(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

/** Contract of moving a graph from one store to another and back. */
export function graphCopyContract(name: string, from: EmptyPlace, to: EmptyPlace): void {
  describe(`a graph moves: ${name}`, () => {
    verifies('fleet.db', `${name}: line for line, with its archive, requests and numbers of runs`, async () => {
      const [here, there, back] = [await from(), await to(), await from()];
      await withPast(here);
      const lines = await linesOf(here);
      expect(lines.length).toBeGreaterThan(7);
      await there.receive(each(lines));
      expect(await linesOf(there)).toEqual(lines);
      const [left, right] = [await here.open(() => false), await there.open(() => false)];
      const seen = async (store: typeof left) => {
        const view = await store.view();
        return [await store.files.text(view), view.seq, view.lastRun, await store.archived({})];
      };
      expect(await seen(right)).toEqual(await seen(left));
      const again = await right.commit((view) => addTask(view, { title: 'Draft' }, { now: NOW }), {
        requestId: 'add-Draft',
        input: 'Draft',
      });
      expect(again.seq, 'answered before it moved').toBe(1);
      await expect(
        right.commit((view) => addTask(view, { title: 'x', id: 'old-plan' }, { now: NOW })),
      ).rejects.toMatchObject({ code: 'id_taken' });
      await right.commit((view) => addTask(view, { title: 'New there' }, { now: NOW }));
      await Promise.all([left.close(), right.close()]);
      const more = await linesOf(there);
      expect(more.slice(0, -1)).toEqual(lines);
      await back.receive(each(more));
      expect(await linesOf(back)).toEqual(more);
    });

    verifies(
      'fleet.db',
      `${name}: never onto a graph that is there, and a stream that breaks off leaves none`,
      async () => {
        const [here, there] = [await from(), await to()];
        await withPast(here);
        const lines = await linesOf(here);
        async function* broken() {
          yield* lines.slice(0, 3);
          throw new Error('cut off');
        }
        await expect(there.receive(broken())).rejects.toThrow('cut off');
        await there.receive(each(lines));
        await expect(there.receive(each(lines))).rejects.toMatchObject({ code: 'store_not_empty' });
        expect(await linesOf(there)).toEqual(lines);
      },
    );

    verifies('fleet.db', `${name}: nobody writes any more where the graph was`, async () => {
      const here = await from();
      await withPast(here);
      const beside = await here.open(() => false);
      const held = await here.hold(HOLD);
      const lines: string[] = [];
      for await (const line of here.lines()) lines.push(line);
      await held.retire();
      await held.close();
      const refused = { code: expect.stringMatching(/^(storage_retired|not_initialized|locked)$/) };
      const add = (store: typeof beside) => store.commit((view) => addTask(view, { title: 'Late' }, { now: NOW }));
      await expect(add(beside), 'opened before').rejects.toMatchObject(refused);
      await expect(add(held)).rejects.toThrow();
      await expect(here.open(() => false).then(add)).rejects.toMatchObject(refused);
      await expect(here.hold(HOLD)).rejects.toMatchObject(refused);
      await beside.close();
      const there = await to();
      await there.receive(each(lines));
      expect(await linesOf(there)).toEqual(lines);
    });
  });
}
