import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { addTask } from '#core/graph/add.js';

/** Started by a test as a process of its own: adds tasks, one commit each, and prints each acknowledged one. */
const [folder = '', hold = '', logBytes = '0', prefix = ''] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const processes = new ProcessTable();
const store = await FileStore.open({ folder, clock, processes, hold: hold === 'hold', logBytes: Number(logBytes) });
for (let number = 0; ; number++) {
  const id = `${prefix}-${number}`;
  await store.commit((view) => addTask(view, { title: id, id }, { now: clock.now() }));
  process.stdout.write(`${id}\n`);
}
