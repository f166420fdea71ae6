import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from '#adapters/processes/file-lock.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileDoctor } from '#adapters/store/files/doctor.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { addTask } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import type { ProcessIdentity } from '#ports/processes.js';
import { room } from '../../room.js';
import { textOf } from '../../scenarios/program.js';

export const clock = { now: () => Date.now() };
export const by = { name: 'ann' };

/** Writes a lock file as a process with these facts leaves it; missing facts are those of this process. */
export function leaveLock(file: string, said: Partial<ProcessIdentity>): void {
  const holder = { ...new ProcessTable().self(), ...said, nonce: 'left-1', folder: identityOf(path.dirname(file)) };
  writeFileSync(file, JSON.stringify(holder));
}

/** A graph on disk, and ways to change it from outside. */
export function graphPlace() {
  const folder = path.join(room(), '.workgraph');
  initialiseStore(folder);
  const graph = path.join(folder, 'graph.jsonl');
  const log = path.join(folder, 'operations.jsonl');
  const processes = new ProcessTable();
  const open = (hold = false) => FileStore.open({ folder, clock, processes, hold });
  const withStore = async <Value>(use: (store: FileStore) => Promise<Value>): Promise<Value> => {
    const store = await open();
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  return {
    folder,
    graph,
    log,
    open,
    doctor: new FileDoctor({ folder, clock, processes }),
    lines: () => textOf(log).trimEnd().split('\n'),
    ops: () =>
      textOf(log)
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { op: string }).op),
    commit: (decide: (view: GraphView) => Plan<unknown>) => withStore((store) => store.commit(decide)),
    add: (title: string) =>
      withStore((store) => store.commit((view) => addTask(view, { title }, { now: clock.now(), actor: 'ann' }))),
    view: () => withStore((store) => store.view()),
    health: () => withStore((store) => store.health()),
  };
}

/** Throws the error of a failing disk. */
export function failing(code: string): never {
  throw Object.assign(new Error(`${code}: the disk says no`), { code });
}
