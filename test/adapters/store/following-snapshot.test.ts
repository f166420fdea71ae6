import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import type { Patch, Plan } from '#core/graph/event.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';
import { until } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';

function place() {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const time = { now: Date.parse('2026-03-21T10:00:00.000Z') };
  const clock = { now: () => time.now };
  const open = (hold: boolean) => FileStore.open({ folder, clock, processes: new ProcessTable(), hold });
  const graph = path.join(folder, 'graph.jsonl');
  return { open, time, text: () => readFileSync(graph, 'utf8') };
}

function put(from: number, count: number): Patch[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `t${from + index}`;
    return { id, put: { kind: 'task', id, title: id, status: 'open' } };
  });
}

const adding = (patch: Patch[]) => (): Plan<undefined> => ({ events: [{ op: 'add_task', patch }], result: undefined });
const noting = (id: string) => (): Plan<undefined> => ({
  events: [{ op: 'edit', task_id: id, patch: [{ id, set: { description: `of ${id}` } }] }],
  result: undefined,
});
const LARGE = WORK_LIMITS.snapshotNodesAtOnce + 1;

verifies(
  'graph.store.append',
  'a small graph’s snapshot follows at once, a large one’s when the tail grew long',
  async () => {
    const { open, text } = place();
    const command = async (...decisions: ReturnType<typeof adding>[]) => {
      const store = await open(false);
      await Promise.all(decisions.map((decide) => store.commit(decide)));
      await store.close();
    };
    await command(adding(put(0, 2)));
    expect(text()).toContain('"t1"');
    await command(adding(put(2, LARGE)));
    const store = await open(false);
    await store.snapshot();
    await store.close();
    await command(noting('t5'));
    expect(text()).not.toContain('of t5');
    await command(...Array.from({ length: WORK_LIMITS.snapshotTailEvents }, (_, index) => noting(`t${index + 10}`)));
    expect(text()).toContain('of t5');
  },
);

verifies(
  'graph.store.append',
  'a service writes a large one after a quiet spell, on stop, and when told to',
  async () => {
    const { open, text } = place();
    const store = await open(true);
    await store.commit(adding(put(0, LARGE)));
    await store.snapshot();
    await store.commit(noting('t1'));
    expect(text()).not.toContain('of t1');
    const begun = Date.now();
    await until('the snapshot to follow', () => text().includes('of t1'));
    expect(Date.now() - begun).toBeGreaterThan(WORK_LIMITS.snapshotQuietMs / 2);
    await store.commit(noting('t2'));
    expect(await store.snapshot()).toBe((await store.view()).seq);
    expect(text()).toContain('of t2');
    await store.commit(noting('t3'));
    await store.close();
    expect(text()).toContain('of t3');
  },
);

verifies(
  'graph.store.append',
  'without a quiet spell it comes after many events, and after half a minute',
  async () => {
    const { open, text, time } = place();
    const store = await open(true);
    await store.commit(adding(put(0, LARGE)));
    await store.snapshot();
    let number = 0;
    const never = 20_000;
    for (; !text().includes('of t0"') && number < never; number++) await store.commit(noting(`t${number % LARGE}`));
    expect(number).toBeGreaterThan(WORK_LIMITS.snapshotTailEvents);
    expect(number).toBeLessThan(never);
    await store.snapshot();
    await store.commit(noting('t1500'));
    time.now += WORK_LIMITS.snapshotLatestMs;
    // Never a quiet spell, and never many events: half a minute is what brings it.
    const few = WORK_LIMITS.snapshotTailEvents / 2;
    for (let later = 0; !text().includes('of t1501') && later < few; later++) {
      await store.commit(noting('t1501'));
      await new Promise((resolve) => setTimeout(resolve, 10)); // time in which the snapshot is written
    }
    expect(text()).toContain('of t1501');
    await store.close();
  },
);

verifies(
  'graph.store.append',
  'what several processes write in turn each of them takes in, whatever else happens to the files between two changes',
  async () => {
    const { open, text } = place();
    const [left, right] = [await open(false), await open(false)];
    await left.commit(adding(put(0, LARGE)));
    await left.snapshot();
    const before = text();
    for (let turn = 0; turn < 40; turn++) {
      await left.commit(noting(`t${turn}`));
      await right.commit(noting(`t${turn + 100}`));
    }
    expect(text()).toBe(before); // all of it came from the log
    const seen = await left.view();
    expect((await right.view()).seq).toBe(seen.seq);
    expect(seen.task('t139')?.description).toBe('of t139');
    await right.commit(() => ({ events: [{ op: 'gc', patch: [{ id: 't139', del: true }] }], result: undefined }));
    expect((await left.view()).task('t139')).toBeUndefined();
    await right.snapshot();
    await left.commit(noting('t200'));
    await right.commit(noting('t201'));
    const fresh = await open(false);
    const all = async (store: FileStore) =>
      [...(await store.view()).nodes()].sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(await all(left)).toEqual(await all(fresh));
    expect(await all(right)).toEqual(await all(fresh));
    expect(await fresh.health()).toEqual([]);
    await Promise.all([left, right, fresh].map((store) => store.close()));
  },
);
