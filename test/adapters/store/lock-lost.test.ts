import { appendFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { fileIdentity, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { LogAppender } from '#adapters/store/files/log-appender.js';
import { logSize, setTornEndAside } from '#adapters/store/files/log-file.js';
import { addTask } from '#core/graph/add.js';
import { openBelow } from '../../open-files.js';
import { textOf } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';
import { clock, graphPlace } from './graph-place.js';

const adding = (title: string) => (view: Parameters<typeof addTask>[0]) =>
  addTask(view, { title }, { now: clock.now() });

/** A graph with a task, held for life. */
async function held() {
  const place = graphPlace();
  await place.add('Before');
  let lost = 0;
  const open = () =>
    FileStore.open({
      folder: place.folder,
      clock,
      processes: new ProcessTable(),
      hold: true,
      onLost: () => {
        lost++;
      },
    });
  return { ...place, open, first: await open(), service: path.join(place.folder, 'service'), lost: () => lost };
}

verifies(
  'hold.lock.owned',
  'whoever lost the lock appends nothing more, and the new holder loses nothing',
  async () => {
    const { open, first, service, log, graph, view, lost } = await held();
    await first.commit(adding('Mine'));
    rmSync(service, { recursive: true }); // as `git clean -fdx` does
    const second = await open();
    await second.commit(adding('Theirs'));
    const before = textOf(log);
    await expect(first.commit(adding('Late'))).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`pid ${process.pid}`),
    });
    await expect(first.commit(() => ({ events: [], result: 'nothing' }))).rejects.toMatchObject({ code: 'locked' });
    expect(lost()).toBe(1);
    expect(first.lost).toBe(true);
    const snapshot = statSync(graph, { bigint: true }).mtimeNs;
    await first.close(); // writes no snapshot, and takes nobody's lock or log away
    expect(readdirSync(service)).toContain('operations.kept.jsonl');
    expect([textOf(log), statSync(graph, { bigint: true }).mtimeNs]).toEqual([before, snapshot]);
    await expect(first.commit(adding('Later'))).rejects.toMatchObject({ code: 'locked' });
    await second.commit(adding('More'));
    await second.close();
    expect([...(await view()).nodes()].map(({ id }) => id).sort()).toEqual(['before', 'mine', 'more', 'theirs']);
  },
);

verifies('hold.lock.owned', 'it is noticed although nobody asks for anything', async () => {
  const { first, service } = await held();
  rmSync(service, { recursive: true });
  await expect.poll(() => first.lost, { timeout: 5_000 }).toBe(true);
  await first.close();
});

verifies('hold.lock.owned', 'it is asked right before the append, however long the decision took', async () => {
  const { folder, log, open, add } = graphPlace();
  await add('Before');
  const before = textOf(log);
  const store = await open();
  const decide = (view: Parameters<typeof addTask>[0]) => {
    rmSync(path.join(folder, 'service'), { recursive: true });
    return addTask(view, { title: 'Late' }, { now: clock.now() });
  };
  await expect(store.commit(decide)).rejects.toMatchObject({ code: 'locked' });
  expect(textOf(log)).toBe(before);
  await store.commit(adding('Again')); // a command may take it anew
  await store.close();
});

verifies('hold.lock.owned', 'a torn end that somebody wrote to since it was read is left alone', async () => {
  const { log, folder, add } = graphPlace();
  await add('Before');
  const end = logSize(log);
  appendFileSync(log, '{"seq":2,"id":"x",');
  const read = { file: log, identity: fileIdentity(log), size: logSize(log) };
  const aside = { folder: path.join(folder, 'service/lost+found'), name: 'piece' };
  const whole = textOf(log);
  appendFileSync(log, '"op":"add_task",');
  expect(setTornEndAside(SYSTEM_DISK, read, end, aside)).toBeUndefined();
  writeFileSync(`${log}.other`, whole);
  renameSync(`${log}.other`, log);
  expect(setTornEndAside(SYSTEM_DISK, read, end, aside)).toBeUndefined();
  expect(textOf(log)).toBe(whole);
  expect(readdirSync(path.join(folder, 'service'))).not.toContain('lost+found');
  expect(setTornEndAside(SYSTEM_DISK, { ...read, identity: fileIdentity(log) }, end, aside)).toContain('piece');
  expect(logSize(log)).toBe(end);
});

test('appending answers the identity of the log, also of one that it makes', async () => {
  const { log } = graphPlace();
  rmSync(log);
  const appender = new LogAppender(SYSTEM_DISK, log);
  const made = appender.append({ identity: '', size: 0 }, Buffer.from('one\n'));
  await made.flushed;
  expect(made.identity).toBe(fileIdentity(log));
  const next = appender.append({ identity: made.identity, size: 4 }, Buffer.from('two\n'));
  await next.flushed;
  appender.close();
  expect(next.identity).toBe(made.identity);
  expect(textOf(log)).toBe('one\ntwo\n');
});

test('a log that replaced the open one is appended to, and the open one is closed', async () => {
  const { log, folder } = graphPlace();
  const appender = new LogAppender(SYSTEM_DISK, log);
  const append = (text: string) =>
    appender.append({ identity: fileIdentity(log), size: logSize(log) }, Buffer.from(text));
  const before = textOf(log);
  await append('one\n').flushed;
  expect(openBelow(folder)).toEqual([log]);
  renameSync(log, `${log}.older`);
  writeFileSync(log, 'other\n');
  await append('two\n').flushed;
  expect([textOf(`${log}.older`), textOf(log)]).toEqual([`${before}one\n`, 'other\ntwo\n']);
  expect(openBelow(folder)).toEqual([log]);
  rmSync(log);
  expect(() => appender.append({ identity: fileIdentity(`${log}.older`), size: 0 }, Buffer.from('x'))).toThrow(
    expect.objectContaining({ code: 'locked' }),
  );
  appender.close();
  expect(openBelow(folder)).toEqual([]);
});
