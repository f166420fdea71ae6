import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { LogCloser } from '#adapters/store/files/log-closer.js';
import type { Closing } from '#adapters/store/files/rotation.js';
import { graphLayout } from '#kernel/graph-folder.js';
import type { LogRotation } from '#ports/graph-store.js';
import { graphPlace } from './graph-place.js';

/** A closer of a log with two entries, and a store that says how long it is and whether it may write. */
async function closer(logBytes: number) {
  const place = graphPlace();
  await place.add('Alpha');
  await place.add('Beta');
  const picture = await place.view();
  const said = { logEnd: 0, opened: [] as number[], adopted: [] as LogRotation[], failed: [] as unknown[], owns: true };
  const refusal = new Error('the lock is lost');
  const one = new LogCloser(
    graphLayout(place.folder),
    {
      open: async (from) => {
        said.opened.push(from);
        return { picture, lastId: 'x', from } as Closing;
      },
      adopt: async (rotated) => {
        said.adopted.push(rotated);
      },
      failed: (error) => said.failed.push(error),
      logEnd: () => said.logEnd,
      mustOwn: () => {
        if (!said.owns) throw refusal;
      },
      appending: () => undefined,
    },
    logBytes,
  );
  const asked = () => new Promise((resolve, reject) => one.ask({ resolve, reject }));
  return { ...place, one, said, asked, refusal };
}

test('a log is closed when it is as long as it may be, and when somebody asks', async () => {
  const { one, said, asked, folder } = await closer(1_000);
  said.logEnd = 999;
  one.closeIfDue();
  await one.idle();
  expect(said.opened).toEqual([]);
  said.logEnd = 1_000;
  said.owns = false; // it is not closed, and tried again later
  one.closeIfDue();
  one.closeIfDue();
  await one.idle();
  expect([said.opened.length, said.failed.length]).toEqual([0, 1]);
  said.logEnd = 1_099;
  one.closeIfDue();
  await one.idle();
  expect(said.failed, 'it has to grow by a tenth first').toHaveLength(1);
  said.logEnd = 1_100;
  one.closeIfDue();
  await one.idle();
  expect(said.failed).toHaveLength(2);

  said.owns = true;
  said.logEnd = 0;
  expect(one.asked).toBe(false);
  const [first, second] = [asked(), asked()];
  expect(one.asked).toBe(true);
  one.closeIfDue();
  expect(one.asked).toBe(false);
  const files = ['log/base-2.jsonl.gz', 'log/operations-1-2.jsonl.gz'];
  const rotated = { from: 1, to: 2, before: expect.any(Number), after: 0, files };
  await expect(first).rejects.toThrow('the log holds the entry 3'); // the fake appends no base event
  await expect(second).rejects.toThrow('the log holds the entry 3');
  expect(said.opened).toEqual([1]);
  expect(said.failed).toHaveLength(3);
  expect(said.adopted).toEqual([]);
  expect(rotated.files.map((file) => existsSync(path.join(folder, file)))).toEqual([false, false]);
});

test('whoever asks is turned away with the reason, once', async () => {
  const { one, said, asked, refusal } = await closer(1_000);
  const waiting = asked();
  one.refuse(refusal);
  await expect(waiting).rejects.toBe(refusal);
  expect(one.asked).toBe(false);
  one.refuse(refusal);
  said.owns = false;
  const other = asked();
  one.closeIfDue();
  await expect(other).rejects.toBe(refusal);
  expect(said.failed).toEqual([refusal]);
});

test('an empty log is not closed, and whoever asked is told so', async () => {
  const place = graphPlace();
  initialiseStore(place.folder);
  const store = await place.open();
  expect(await store.rotate()).toBeUndefined();
  await store.close();
});
