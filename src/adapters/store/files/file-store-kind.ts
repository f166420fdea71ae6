import { existsSync } from 'node:fs';
import type { Clock } from '#kernel/clock.js';
import { graphLayout } from '#kernel/graph-folder.js';
import type { HoldOptions, StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';

interface FileStoreKindParts {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: () => Promise<Processes>;
}

/** Graph store in two text files. Modules are loaded only when a call needs them. */
export function fileStoreKind({ folder, clock, processes }: FileStoreKindParts): StoreKind {
  const paths = graphLayout(folder);
  const parts = async () => ({ folder, clock, processes: await processes() });
  return {
    async initialise() {
      const { takeOrInitialise } = await import('./initialise.js');
      return { folder, ...takeOrInitialise(folder) };
    },
    async open(stopWaiting) {
      const { FileStore } = await import('./file-store.js');
      return await FileStore.open({ ...(await parts()), hold: false, stopWaiting });
    },
    turn(stopWaiting) {
      return {
        isFree: () => !existsSync(paths.lock),
        async exclusively(work) {
          const lock = (await processes()).lock(paths.lock, clock);
          await lock.acquire(stopWaiting);
          try {
            return work();
          } finally {
            lock.release();
          }
        },
      };
    },
    async hold(options: HoldOptions) {
      const { FileStore } = await import('./file-store.js');
      return await FileStore.open({ ...(await parts()), ...options, hold: true });
    },
    async holder() {
      return (await processes()).lock(paths.lock, clock).holder()?.who;
    },
    async doctor() {
      const { FileDoctor } = await import('./doctor.js');
      return new FileDoctor(await parts());
    },
    async *lines() {
      const { logFileLines } = await import('./log-copy.js');
      yield* logFileLines(paths);
    },
    async receive(lines) {
      const { receiveLogFile } = await import('./log-copy.js');
      await receiveLogFile(paths, lines);
    },
  };
}
