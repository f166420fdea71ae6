import { describe, expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { Entry } from '#core/graph/event.js';
import { abandonTask, claimTask, doneTask, logTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { forArchive, removeTasks, restoreTasks } from '#core/history/departures.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';
import { verifies } from '../verifies.js';

export const NOW = Date.parse('2026-03-21T10:00:00.000Z');
export const clock: Clock = { now: () => NOW };
const by = { name: 'ann' };

/**
 * Contract of every adapter of the graph store. `make` creates a fresh store, `again` opens a second one on the same
 * place.
 */
export function graphStoreContract(
  name: string,
  make: () => Promise<{ store: GraphStore; again?: () => Promise<GraphStore> }>,
): void {
  const add = (store: GraphStore, title: string, after: string[] = []) =>
    store.commit((view) => addTask(view, { title, after }, { now: NOW, actor: 'ann' }));

  describe(`the graph store contract: ${name}`, () => {
    verifies(
      'run.number',
      `${name}: the highest number of a run is told for ever, also of tasks that are gone`,
      async () => {
        const { store, again } = await make();
        const highest = async () => (await store.view()).lastRun;
        for (const title of ['One', 'Two', 'Three']) await add(store, title);
        expect(await highest()).toBe(0);
        await store.commit((view) => claimTask(view, 'one', { now: NOW, by }));
        expect(await highest(), 'a person is no run').toBe(0);
        await store.commit((view) => claimTask(view, 'two', { now: NOW, by: { name: 'agent-12' } }));
        await store.commit((view) => claimTask(view, 'three', { now: NOW, by: { name: 'agent-9' } }));
        expect(await highest()).toBe(12);
        await store.commit((view) => abandonTask(view, 'two', { now: NOW, by }));
        await store.commit((view) =>
          removeTasks(
            [view.task('two')].flatMap((task) => task ?? []),
            'gc',
            'ann',
          ),
        );
        expect([await highest(), (await store.view()).task('two')]).toEqual([12, undefined]);
        await store.files.rotate();
        await store.files.snapshot();
        expect(await highest()).toBe(12);
        if (!again) return;
        await store.close();
        expect((await (await again()).view()).lastRun, 'read again').toBe(12);
      },
    );
    verifies('run.clock', `${name}: entries have the moments of the clock that the store shows`, async () => {
      const { store } = await make();
      const before = store.clock.now();
      const { entries } = await add(store, 'One');
      const at = Date.parse(entries[0]?.timestamp ?? '');
      expect([before <= at, at <= store.clock.now()]).toEqual([true, true]);
    });
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

    verifies('graph.port.shared', `${name}: a request that two ask at once is done once`, async () => {
      const { store } = await make();
      const ask = () => store.commit((view) => addTask(view, { title: 'Once' }, { now: NOW }), { requestId: 'r-1' });
      const [first, second, third] = await Promise.all([ask(), ask(), ask()]);
      expect([second, third]).toEqual([first, first]);
      expect((await store.view()).seq).toBe(1);
      await store.close();
    });

    verifies('graph.port.shared', `${name}: a repeated request returns its first result and does nothing`, async () => {
      const { store } = await make();
      const ask = () => store.commit((view) => addTask(view, { title: 'Once' }, { now: NOW }), { requestId: 'r-1' });
      const first = await ask();
      const second = await ask();
      expect(second.result).toEqual(first.result);
      expect((await store.view()).size).toBe(1);
      await store.close();
    });

    verifies(
      'db.once',
      `${name}: an id that was answered is refused for another input, and nothing is done`,
      async () => {
        const { store, again } = await make();
        const ask = (of: GraphStore, title: string, request: { requestId: string; input?: string }) =>
          of.commit((view) => addTask(view, { title }, { now: NOW }), request);
        const first = await ask(store, 'Once', { requestId: 'r-1', input: 'one' });
        const other = (await again?.()) ?? store;
        for (const by of [store, other]) {
          const reused = ask(by, 'Twice', { requestId: 'r-1', input: 'two' });
          await expect(reused).rejects.toMatchObject({ code: 'request_id_reused' });
          expect((await ask(by, 'Once', { requestId: 'r-1', input: 'one' })).result).toEqual(first.result);
        }
        await ask(store, 'Of the log', { requestId: 'outbox:1' });
        expect((await ask(other, 'Of the log', { requestId: 'outbox:1' })).seq).toBe(2);
        expect((await store.view()).size).toBe(2);
        await other.close();
        await store.close();
      },
    );

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
      expect(fieldsOf(view.node('a'))['colour']).toEqual({ shade: 'blue' });
      expect(fieldsOf(view.node('x'))['wind']).toBe(3);
      expect(view.task('x')).toBeUndefined();
      await store.close();
    });

    verifies(
      ['graph.port.shared', 'graph.archive.move', 'graph.task.id-once', 'graph.edge.success'],
      `${name}: what was archived is found, never given again, and still asked how it ended`,
      async () => {
        const { store, again } = await make();
        for (const title of ['Write draft', 'Old plan', 'Later work']) await add(store, title);
        await store.commit((view) => abandonTask(view, 'old-plan', { now: NOW, by }));
        await store.commit((view) => doneTask(view, 'write-draft', { now: NOW, by }));
        await store.commit((view) => removeTasks(forArchive(view, {}), 'archive', 'ann'));
        const view = await store.view();
        expect([...view.nodes()].map((node) => node.id)).toEqual(['later-work']);
        expect([view.wasUsed('old-plan'), view.departed('old-plan')?.last]).toEqual([true, 'abandoned']);
        await expect(
          store.commit((now) => addTask(now, { title: 'x', id: 'old-plan' }, { now: NOW })),
        ).rejects.toMatchObject({ code: 'id_taken' });
        for (const [id, wanted] of [
          ['after-bad', 'old-plan'],
          ['after-good', 'write-draft'],
        ] as const) {
          const draft = { title: id, id, after_success: [wanted] };
          await store.commit((now) => addTask(now, draft, { now: NOW }));
        }
        const later = await store.view();
        expect(readiness(later, 'after-bad', NOW).reasons).toEqual([{ code: 'needs-success', ids: ['old-plan'] }]);
        expect(readiness(later, 'after-good', NOW).ready).toBe(true);
        expect([...later.candidates()].sort()).toEqual(['after-good', 'later-work']);
        expect((await store.archived({})).map((task) => task.id)).toEqual(['old-plan', 'write-draft']);
        expect((await store.archived({ text: 'OLD plan' })).map((task) => task.title)).toEqual(['Old plan']);
        expect(await store.archived({ limit: 1 })).toHaveLength(1);
        if (again) {
          const other = await again();
          expect(await other.archived({})).toEqual(await store.archived({}));
          await other.close();
        }
        const [old] = await store.archived({ text: 'old' });
        if (old) await store.commit((now) => restoreTasks(now, [old], { now: NOW, by: 'ann', reopen: true }));
        expect((await store.archived({})).map((task) => task.id)).toEqual(['write-draft']);
        expect((await store.view()).task('old-plan')?.status).toBe('open');
        await store.close();
      },
    );

    verifies('graph.port.shared', `${name}: a view as of a time is what was seen then`, async () => {
      const { store } = await make();
      await add(store, 'First');
      await store.commit((view) => claimTask(view, 'first', { now: NOW, by }));
      const entries = await collect(store.entries(1));
      const last = entries.at(-1)?.timestamp ?? '';
      expect((await store.view(last)).seq).toBe(2);
      expect((await store.view('2001-01-01T00:00:00Z')).size).toBe(0);
      await expect(store.view('last week')).rejects.toMatchObject({ code: 'bad_input' });
      await store.close();
    });

    verifies('graph.port.shared', `${name}: closing a piece of the log changes nothing that readers see`, async () => {
      const { store } = await make();
      await add(store, 'First');
      await add(store, 'Second');
      const before = await store.files.text(await store.view());
      const rotated = await store.files.rotate();
      await add(store, 'Third');
      const entries = await collect(store.entries(1));
      expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
      expect(entries).toHaveLength(rotated ? 4 : 3);
      expect(await store.files.text(await store.view(2))).toBe(before);
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
