import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { type StoreDisk, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { asTroupeError } from '#kernel/errors.js';
import { PATIENCE } from '../../patience.js';
import { textOf } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';
import { failing } from './graph-place.js';
import { adding, flushes, onDisk, titlesIn, turns } from './scripted-disk.js';

const CODES = {
  EIO: 'disk_failed',
  EROFS: 'read_only',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};

for (const hold of [true, false])
  verifies(
    'hold.append.back',
    `a change that the disk refuses is taken back to where it began ${hold ? 'by a service' : 'by a command'}`,
    async () => {
      const { store, disk, log, view } = await onDisk(hold);
      const before = textOf(log);
      const refusals: ((code: string) => Partial<StoreDisk>)[] = [
        (code) => ({ open: () => failing(code) }),
        (code) => ({ write: () => failing(code) }),
        (code) => ({ sync: () => failing(code) }),
        (code) => {
          let writes = 0;
          const half = (descriptor: number, data: Uint8Array) =>
            writes++ === 0 ? SYSTEM_DISK.write(descriptor, data.subarray(0, data.length / 2)) : failing(code);
          return { write: half };
        },
      ];
      for (const [said, code] of Object.entries(CODES)) {
        for (const refuse of refusals) {
          disk.broken = refuse(said);
          const error = await store.commit(adding('Refused')).catch((caught) => caught);
          expect(error).toMatchObject({ code });
          expect(error.message).toContain(log);
          expect(textOf(log), `${said}, ${refuse}`).toBe(before);
        }
      }
      disk.broken = {};
      await store.commit(adding('After'));
      await store.close();
      expect([...(await view()).nodes()].map(({ id }) => id).sort()).toEqual(['after', 'before']);
    },
  );

verifies('hold.append.back', 'what cannot be taken back is said, and what others wrote behind it stays', async () => {
  const { store, disk, log } = await onDisk(true);
  const before = textOf(log);
  disk.broken = { sync: () => failing('EIO'), truncate: () => failing('EIO') };
  const error = await store.commit(adding('Stays')).catch((caught) => caught);
  expect(error).toMatchObject({ code: 'disk_failed', message: expect.stringContaining('could not be undone') });
  expect((await store.view()).task('stays')?.title).toBe('Stays'); // it is there, so it counts
  disk.broken = {
    sync: () => {
      appendFileSync(log, '{"of":"another"}\n');
      failing('EIO');
    },
  };
  await expect(store.commit(adding('Also'))).rejects.toMatchObject({ code: 'disk_failed' });
  expect(textOf(log)).toContain('{"of":"another"}\n');
  expect(textOf(log).startsWith(before)).toBe(true);
  disk.broken = {};
  await store.close();
});

for (const hold of [true, false])
  verifies(
    'graph.store.append',
    `${hold ? 'a service' : 'a command'} shows a change once it is on disk, and writes the next one after that`,
    async () => {
      const { store, disk } = await onDisk(hold);
      const { begun, end } = flushes(disk);
      const seen: string[] = [];
      const note = (what: string) => (value: unknown) => void seen.push(`${what} ${String(value)}`);
      const commits = [store.commit(adding('One')).then(({ seq }) => note('one')(seq))];
      await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
      const view = titlesIn(store).then(note('view'));
      commits.push(store.commit(adding('Two')).then(({ seq }) => note('two')(seq)));
      await turns(5);
      expect([seen, begun()]).toEqual([[], 1]);
      end();
      await view;
      await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
      expect(seen.sort()).toEqual(['one 2', 'view Before,One']);
      end();
      await Promise.all(commits);
      disk.broken = {};
      expect(await titlesIn(store)).toBe('Before,One,Two');
      await store.close();
    },
  );

verifies('graph.store.append', 'whoever follows hears of a change once it is on disk, and finds it then', async () => {
  const { store, disk } = await onDisk(true);
  const { begun, end } = flushes(disk);
  const over = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    for await (const { task_id: id } of store.follow(2, over.signal)) heard.push(`${id}: ${await titlesIn(store)}`);
  })();
  const one = store.commit(adding('One'));
  const two = vi.waitFor(() => expect(begun()).toBe(1), PATIENCE).then(() => store.commit(adding('Two')));
  const read = (async () => {
    await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
    const ids: unknown[] = [];
    for await (const { task_id: id } of store.entries(2)) ids.push(id);
    return ids;
  })();
  await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
  await new Promise((resolve) => setTimeout(resolve, 300)); // a follower looks again by itself in that time
  expect(heard).toEqual([]);
  end();
  await one;
  await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
  end();
  await two;
  expect(await read).toEqual(['one']);
  await vi.waitFor(() => expect(heard.map((line) => line.includes('One'))).toEqual([true, true]), PATIENCE);
  expect(heard[1]).toBe('two: Before,One,Two');
  over.abort();
  await following;
  disk.broken = {};
  await store.close();
});

verifies(
  'hold.append.back',
  'a change whose flush fails is never shown, also not to one who asked meanwhile',
  async () => {
    const { store, disk } = await onDisk(true);
    let fail: () => void = () => undefined;
    disk.broken = {
      sync: () =>
        new Promise((_, reject) => {
          fail = () => reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
        }),
    };
    const begun = fail;
    const commit = store.commit(adding('Refused')).catch(({ code }) => code);
    await vi.waitFor(() => expect(fail).not.toBe(begun), PATIENCE);
    const view = store.view();
    await turns(3);
    fail();
    expect((await view).task('refused')).toBeUndefined();
    expect(await commit).toBe('disk_failed');
    disk.broken = {};
    await store.close();
  },
);

verifies('graph.store.rotate', 'a log is not replaced while a change in it is being flushed', async () => {
  const { store, disk, log } = await onDisk(true);
  const { begun, end } = flushes(disk);
  const rotated = store.rotate();
  await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
  const inode = statSync(log).ino;
  end(); // of the event that the next log starts with
  const commit = store.commit(adding('Meanwhile'));
  await vi.waitFor(() => expect(begun()).toBe(1), PATIENCE);
  await vi.waitFor(() => expect(readdirSync(path.join(path.dirname(log), 'log')).length).toBe(2), PATIENCE);
  await turns(20);
  expect(statSync(log).ino).toBe(inode);
  end();
  await commit;
  expect(await rotated).toMatchObject({ from: 1, to: 1 });
  expect(statSync(log).ino).not.toBe(inode);
  disk.broken = {};
  expect((await store.view()).task('meanwhile')?.title).toBe('Meanwhile');
  await store.close();
});

verifies('hold.append.back', 'wherever else a disk refuses, no surface calls it internal', () => {
  for (const [said, code] of Object.entries(CODES))
    expect(asTroupeError(Object.assign(new Error(said), { code: said })).code).toBe(code);
});
