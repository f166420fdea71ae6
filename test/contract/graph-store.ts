import { describe, expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { Entry } from '#core/graph/event.js';
import { claimTask, doneTask, logTask } from '#core/graph/moves.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';
import { verifies } from '../verifies.js';

export const NOW = Date.parse('2026-03-21T10:00:00.000Z');
export const clock: Clock = { now: () => NOW };
const by = { name: 'ann' };

/** What every adapter of the graph store must do. `make` gives a fresh store, `again` a second one on the same place. */
export function graphStoreContract(
  name: string,
  make: () => Promise<{ store: GraphStore; again?: () => Promise<GraphStore> }>,
): void {
  const add = (store: GraphStore, title: string, after: string[] = []) =>
    store.commit((view) => addTask(view, { title, after }, { now: NOW, actor: 'ann' }));

  describe(`the graph store contract: ${name}`, () => {
    verifies(
      'graph.port.shared',
      `${name}: seq has no gap, groups commit whole, a refusal writes nothing`,
      async () => {
        const { store } = await make();
        await add(store, 'Write draft');
        await store.commit((view) => {
          const first = addTask(view, { title: 'One' }, { now: NOW });
          return { events: [...first.events, { op: 'note', patch: [] }, { op: 'note', patch: [] }], result: undefined };
        });
        await expect(
          store.commit(() => {
            throw new TroupeError('wrong_status');
          }),
        ).rejects.toMatchObject({ code: 'wrong_status' });
        const entries = await collect(store.entries(1));
        expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4]);
        expect(entries.map((entry) => entry.tx)).toEqual([undefined, [1, 3], [2, 3], [3, 3]]);
        expect(entries.slice(1).map((entry) => entry.prev)).toEqual(entries.slice(0, -1).map((entry) => entry.id));
        expect((await store.view()).seq).toBe(4);
        await store.close();
      },
    );

    verifies(
      'graph.port.shared',
      `${name}: a view never changes, and an earlier one is what was seen then`,
      async () => {
        const { store } = await make();
        await add(store, 'Write draft');
        const before = await store.view();
        await store.commit((view) => claimTask(view, 'write-draft', { now: NOW, by }));
        await store.commit((view) => doneTask(view, 'write-draft', { now: NOW, by }));
        expect(before.task('write-draft')?.status).toBe('open');
        expect([...before.candidates()]).toEqual(['write-draft']);
        expect((await store.view()).task('write-draft')?.status).toBe('done');
        expect((await store.view(2)).task('write-draft')?.status).toBe('in-progress');
        await store.close();
      },
    );

    verifies('graph.port.shared', `${name}: a repeated request returns its first result and does nothing`, async () => {
      const { store } = await make();
      const ask = () => store.commit((view) => addTask(view, { title: 'Once' }, { now: NOW }), { requestId: 'r-1' });
      const first = await ask();
      const second = await ask();
      expect(second.result).toEqual(first.result);
      expect((await store.view()).size).toBe(1);
      await store.close();
    });

    verifies('graph.port.shared', `${name}: follow gives each entry once, in order, past and to come`, async () => {
      const { store } = await make();
      await add(store, 'First thing');
      const stop = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const entry of store.follow(1, stop.signal)) {
          seen.push(entry.seq);
          if (seen.length === 30) stop.abort();
        }
      })();
      await Promise.all(Array.from({ length: 29 }, (_, index) => add(store, `Thing ${index}`)));
      await following;
      expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
      await store.close();
    });

    verifies(['graph.task.unknown', 'graph.port.shared'], `${name}: unknown fields and kinds are kept`, async () => {
      const { store } = await make();
      await store.commit(() => ({
        events: [
          {
            op: 'adopt',
            patch: [
              { id: 'a', put: { kind: 'task', id: 'a', title: 'A', status: 'open', colour: { shade: 'blue' } } },
              { id: 'x', put: { kind: 'weather', id: 'x', wind: 3 } },
            ],
          },
        ],
        result: undefined,
      }));
      await store.commit((view) => logTask(view, 'a', 'hello', { now: NOW, by }));
      const view = await store.view();
      expect(view.node('a')?.['colour']).toEqual({ shade: 'blue' });
      expect(view.node('x')?.['wind']).toBe(3);
      expect(view.task('x')).toBeUndefined();
      await store.close();
    });

    test(`${name}: close is safe twice, and a closed store refuses`, async () => {
      const { store } = await make();
      await store.close();
      await store.close();
      await expect(add(store, 'Late')).rejects.toBeInstanceOf(TroupeError);
    });

    verifies('graph.port.shared', `${name}: two stores on one place agree`, async () => {
      const { store, again } = await make();
      if (!again) return store.close();
      const other = await again();
      await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => add(store, `Left ${index} x`)),
        ...Array.from({ length: 20 }, (_, index) => add(other, `Right ${index} x`)),
      ]);
      const [left, right] = [await store.view(), await other.view()];
      expect(left.size).toBe(40);
      expect([...left.nodes()].map((node) => node.id).sort()).toEqual([...right.nodes()].map((node) => node.id).sort());
      await store.close();
      await other.close();
    });
  });
}

export async function collect(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const list: Entry[] = [];
  for await (const entry of entries) list.push(entry);
  return list;
}
