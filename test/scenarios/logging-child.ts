import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { logTask } from '#core/graph/moves.js';

/** Started by a test as a process of its own: logs to one task this many times, one commit each. */
const [folder = '', times = '0'] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const store = await FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false });
for (let time = 0; time < Number(times); time++) {
  await store.commit((view) => logTask(view, 'shared', `entry ${time}`, { now: clock.now(), by: { name: 'child' } }));
}
await store.close();
