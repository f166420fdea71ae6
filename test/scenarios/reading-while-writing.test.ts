import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { addTask } from '#core/graph/add.js';
import { bundle, run } from '../adapters/squad/program.js';
import { mass } from '../mass.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';

const COMMITS = mass(300, 1_500);
const clock = { now: () => Date.now() };

verifies(
  ['graph.port.shared', 'graph.store.lock', 'graph.store.hand'],
  'a reader without the lock never sees a mixture of two moments',
  async () => {
    const folder = path.join(room(), '.workgraph');
    initialiseStore(folder);
    const open = () => FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false });
    const first = await open();
    await first.commit((view) => addTask(view, { title: 'Shared' }, { now: clock.now() }));
    await first.close();
    const program = await bundle(path.join(import.meta.dirname, 'logging-child.ts'), room());
    let writing = true;
    const writer = run(program, [folder, String(COMMITS)]).finally(() => {
      writing = false;
    });
    let looks = 0;
    let last = 0;
    while (writing) {
      const store = await open();
      const view = await store.view();
      expect(view.task('shared')?.log?.length ?? 0, 'entries, one for each event since the first').toBe(view.seq - 1);
      expect(view.seq).toBeGreaterThanOrEqual(last);
      last = view.seq;
      await store.close();
      looks++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    const store = await open();
    const ops = [];
    for await (const entry of store.entries(1)) ops.push(entry.op);
    expect(ops.filter((op) => op === 'hand_edit')).toEqual([]);
    expect(ops).toHaveLength(COMMITS + 1);
    expect(looks).toBeGreaterThan(COMMITS / 30);
    await store.close();
  },
);
