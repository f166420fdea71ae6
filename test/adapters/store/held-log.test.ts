import { appendFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileIdentity, SYSTEM_DISK } from '#adapters/store/files/disk.js';
import { followedLog } from '#adapters/store/files/followed-log.js';
import { HeldLog } from '#adapters/store/files/held-log.js';
import { logPlace } from '#adapters/store/files/log-file.js';
import type { LogPosition } from '#adapters/store/files/store-load.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

/** A log of three entries, and what lies in its place when git has put something else there. */
async function held() {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await place.add(title);
  const paths = graphLayout(place.folder);
  const entries = place.lines();
  const ids = entries.map((line) => JSON.parse(line).id as string);
  const position = { lastId: ids[2], logEnd: readFileSync(paths.log).length, identity: fileIdentity(paths.log) };
  /** As git does: another file takes the place of the log. */
  const put = (lines: readonly string[]) => {
    writeFileSync(`${paths.log}.git`, lines.map((line) => `${line}\n`).join(''));
    renameSync(`${paths.log}.git`, paths.log);
  };
  const one = new HeldLog(paths, SYSTEM_DISK);
  const look = (at: LogPosition) => one.look(at, logPlace(paths.log));
  return { ...place, paths, entries, ids, position, put, one, look };
}

/** What is known of the log that lies there. */
const standing = (one: HeldLog) => ({ away: one.away, unchanged: one.isUnchanged, problem: one.problem });

verifies('tree.rewind', 'the log that was acknowledged is kept, and told from what git puts in its place', async () => {
  const { one, look, paths, entries, ids, position, put } = await held();
  one.keep();
  expect(fileIdentity(paths.kept)).toBe(position.identity);
  look(position);
  expect(standing(one)).toEqual({ away: false, unchanged: false, problem: '' });
  expect(one.paths).toBe(paths);
  one.keep();
  expect(fileIdentity(paths.kept), 'kept once').toBe(position.identity);

  put(entries.slice(0, 1));
  look(position);
  const lacks = `git put another log in its place, without the last 2 changes (up to ${ids[2]})`;
  expect(standing(one)).toEqual({ away: true, unchanged: true, problem: lacks });
  expect(one.paths).toEqual({ ...paths, log: paths.kept, graph: paths.base });
  put(entries.slice(0, 2));
  expect(one.isUnchanged).toBe(false);
  look(position);
  expect(one.problem).toBe(
    `git put another log in its place, without the last change (up to ${ids[2]})`.replace(
      'last change',
      'last 1 change',
    ),
  );
  put(entries);
  look(position);
  expect(one.away, 'it has the last change').toBe(false);
  rmSync(paths.log);
  look(position);
  expect(standing(one)).toEqual({ away: true, unchanged: true, problem: 'the log was removed' });
  look({ ...position, lastId: undefined });
  expect(one.away, 'looked at already').toBe(true);
});

verifies(
  'tree.rewind',
  'what counts as another log: one that lacks the last change, of a log that was kept',
  async () => {
    const { one, look, entries, position, put, paths } = await held();
    put(entries.slice(0, 1));
    look(position);
    expect(one.away, 'none was kept').toBe(false);
    put(entries);
    one.keep();
    put(entries.slice(0, 1));
    look({ ...position, lastId: undefined });
    expect(one.away, 'nothing was acknowledged').toBe(false);
    rmSync(paths.kept);
    look(position);
    expect(one.away, 'the kept one is gone').toBe(false);
  },
);

verifies('tree.rewind', 'ours is written again, and what a branch has besides behind it', async () => {
  const { one, look, lines, entries, paths, position, put } = await held();
  one.keep();
  const theirs = entries[2]?.replace(/"id":"[^"]+"/, '"id":"of-a-branch"') ?? '';
  const older = entries[0]?.replace(/"id":"[^"]+"/, '"id":"before-us"').replace('"seq":1', '"seq":0') ?? '';
  put([entries[0] ?? '', theirs, 'not an entry', older]);
  look(position);
  const merged = one.restoreLog(position);
  expect(lines()).toEqual([...entries, theirs]);
  const size = readFileSync(paths.log).length;
  expect(merged).toEqual({ identity: fileIdentity(paths.log), size, merged: true });
  expect(standing(one)).toMatchObject({ away: false, problem: '' });
  expect(fileIdentity(paths.kept)).toBe(fileIdentity(paths.log));
  put(entries.slice(0, 2));
  look({ ...position, logEnd: size });
  appendFileSync(paths.kept, '{"half":');
  expect(one.restoreLog({ ...position, logEnd: size })).toMatchObject({ merged: false, size });
  expect(lines()).toEqual([...entries, theirs]);
  expect(existsSync(paths.logDraft)).toBe(false);
});

verifies(
  'tree.rewind',
  'after a service that was killed: what it had acknowledged, where the log is an older state of it',
  async () => {
    const { entries, paths, put, one, ids } = await held();
    one.keep();
    const recovered = (lines: readonly string[]) => {
      put(lines);
      const next = new HeldLog(paths, SYSTEM_DISK);
      next.recover();
      return next.away;
    };
    const [first = '', second = '', third = ''] = entries;
    const foreign = second.replace(/"id":"[^"]+"/, '"id":"other"');
    const later = third.replace(/"id":"[^"]+"/, '"id":"later"').replace('"seq":3', '"seq":4');
    expect(recovered([first])).toBe(true);
    expect(recovered([first, second])).toBe(true);
    expect(recovered(entries), 'it has the last one').toBe(false);
    expect(recovered([first, foreign]), 'somebody went on from there').toBe(false);
    expect(recovered([first, second, later]), 'it goes further').toBe(false);
    expect(recovered([])).toBe(true);
    put([first]);
    const next = new HeldLog(paths, SYSTEM_DISK);
    next.recover();
    expect(next.problem).toContain(`without the last 2 changes (up to ${ids[2]})`);
    next.release();
    expect(existsSync(paths.kept)).toBe(false);
    expect(recovered([first]), 'nothing was kept').toBe(false);
  },
);

test('where there is no log nothing is kept, and a copy of the folder keeps its own', async () => {
  const { one, paths, folder } = await held();
  one.keep();
  one.release();
  expect(existsSync(paths.kept)).toBe(false);
  one.release();
  rmSync(paths.log);
  one.keep();
  expect(existsSync(paths.kept)).toBe(false);
  writeFileSync(paths.kept, 'of another');
  one.release();
  expect(existsSync(paths.kept), 'not ours').toBe(true);
  cpSync(folder, path.join(path.dirname(folder), 'copy'), { recursive: true });
});

test('whoever holds nothing follows what lies there', async () => {
  const { paths, position } = await held();
  const log = followedLog(paths);
  log.keep();
  log.recover();
  log.look(position, logPlace(paths.log));
  log.release();
  expect([log.away, log.isUnchanged, log.problem, log.paths]).toEqual([false, false, '', paths]);
  expect(() => log.restoreLog(position)).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(existsSync(paths.kept)).toBe(false);
});
