import { ProcessTable } from '#adapters/processes/process-table.js';
import { type StoreDisk, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { addTask } from '#core/graph/add.js';
import { clock, failing, graphPlace } from './graph-place.js';

/** Decision to add a task. */
export const adding = (title: string) => (view: Parameters<typeof addTask>[0]) =>
  addTask(view, { title }, { now: clock.now() });

/** The disk of the system, but for what a test says of it. */
export class Disk implements StoreDisk {
  broken: Partial<StoreDisk> = {};
  open = (file: string) => (this.broken.open ?? SYSTEM_DISK.open)(file);
  write = (descriptor: number, data: Uint8Array) => (this.broken.write ?? SYSTEM_DISK.write)(descriptor, data);
  sync = (descriptor: number) => (this.broken.sync ?? SYSTEM_DISK.sync)(descriptor);
  truncate = (descriptor: number, bytes: number) => (this.broken.truncate ?? SYSTEM_DISK.truncate)(descriptor, bytes);
  rename = (from: string, to: string) => (this.broken.rename ?? SYSTEM_DISK.rename)(from, to);
}

/** A graph with one task on such a disk. */
export async function onDisk(hold: boolean) {
  const place = graphPlace();
  await place.add('Before');
  const disk = new Disk();
  const store = await FileStore.open({ folder: place.folder, clock, processes: new ProcessTable(), hold, disk });
  return { ...place, disk, store };
}

/** Flushes that end when told, the latest first. */
export function flushes(disk: Disk) {
  const open: { readonly end: () => void; readonly fail: () => void }[] = [];
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      const fail = () => {
        try {
          failing('EIO');
        } catch (error) {
          reject(error);
        }
      };
      open.push({ end: resolve, fail });
    });
  disk.broken = { sync };
  return { begun: () => open.length, end: () => open.pop()?.end(), fail: () => open.pop()?.fail() };
}

/** Lets what can go on without a disk go on. */
export const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Titles of the tasks that a store shows. */
export async function titlesIn(store: FileStore): Promise<string> {
  const titles = [...(await store.view()).nodes()].map(({ title }) => title);
  return titles.sort().join();
}
