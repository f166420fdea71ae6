import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { room } from '../room.js';
import { clock, graphStoreContract } from './graph-store.js';

graphStoreContract('memory', async () => ({ store: new GraphInMemory(clock) }));

graphStoreContract('files, lock taken for each commit', async () => {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const open = () =>
    FileStore.open({ folder, clock: { now: () => Date.now() }, processes: new ProcessTable(), hold: false });
  return { store: await open(), again: open };
});

graphStoreContract('files, lock held for life', async () => {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const processes = new ProcessTable();
  return { store: await FileStore.open({ folder, clock, processes, hold: true }) };
});
