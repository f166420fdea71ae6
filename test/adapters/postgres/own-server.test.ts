import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { placesOfServers, startOwnServer, UNPRIVILEGED } from '#adapters/postgres/own-server.js';
import type { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { openToAll } from '../../room.js';
import { verifies } from '../../verifies.js';

const INITDB = `mkdir "$2"; printf '%s\\n' "$@" > "$2/../made"; echo 17 > "$2/PG_VERSION"`;
/** Serves until SIGQUIT, which a shell that runs it in the background makes a program ignore at first. */
const waits = (before: string) => `exec '${process.execPath}' -e '
  const [, data] = process.argv.slice(1);
  const { writeFileSync } = require("node:fs");
  process.on("SIGQUIT", () => process.exit());
  setInterval(() => {}, 1_000);
  ${before}' -- "$@"`;
const POSTGRES = waits(`writeFileSync(data + "/../served", process.argv.slice(1).join("\\n"));
  writeFileSync(data + "/../.s.PGSQL.5432", "");`);

/** Server programs of these texts, in a folder that another user can enter, too. */
function programs(texts: { initdb?: string; postgres?: string }): { folder: string; parent: string } {
  const parent = mkdtempSync(path.join(path.dirname(process.env['TROUPE_TEST_ROOM'] ?? tmpdir()), 'own-server-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = path.join(parent, 'bin');
  mkdirSync(folder);
  openToAll(parent, folder);
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`);
    openToAll(path.join(folder, name));
  }
  return { folder, parent };
}

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

verifies(
  'fleet.try',
  'a database server is made in a folder of its own, serves there alone and goes with it',
  async () => {
    const { folder, parent } = programs({ initdb: INITDB, postgres: POSTGRES });
    const server = await startOwnServer(parent, ['fsync=off', 'port=5432'], ['/nowhere', folder]);
    const [home = ''] = readdirSync(parent).filter((name) => name !== 'bin');
    const place = path.join(parent, home);
    expect(home).toMatch(/^pg-/);
    expect([server.address, server.version]).toEqual([
      `postgresql://troupe@localhost/postgres?host=${encodeURIComponent(place)}`,
      '17',
    ]);
    expect(lines(path.join(place, 'made'))).toEqual([
      ...['--pgdata', path.join(place, 'data'), '--username', 'troupe'],
      ...['--encoding', 'UTF8', '--auth', 'trust', '--no-sync', '--no-instructions'],
    ]);
    expect(lines(path.join(place, 'served'))).toEqual([
      ...['-D', path.join(place, 'data'), '-c', 'fsync=off', '-c', 'port=5432'],
      ...['-c', 'listen_addresses=', '-c', `unix_socket_directories=${place}`],
    ]);
    if (process.getuid?.() === 0)
      for (const name of ['made', 'served'])
        expect(statSync(path.join(place, name)).uid, 'a server refuses to run as root').toBe(UNPRIVILEGED);
    await server.stop();
    expect(existsSync(place)).toBe(false);
    await server.stop();
  },
);

verifies('fleet.try', 'a server that does not start says why and leaves nothing', async () => {
  const started = async (texts: { initdb?: string; postgres?: string }) => {
    const { folder, parent } = programs(texts);
    const error: unknown = await startOwnServer(parent, [], [folder]).catch((error: unknown) => error);
    const { code, why = '' } = error as TroupeError;
    return [code, readdirSync(parent), /because of (\w+)/.exec(why)?.[1]];
  };
  const fail = (word: string) => `echo first; echo "because of ${word}" >&2; echo "because of ${word}"`;
  expect([
    await started({}),
    await started({ initdb: INITDB }),
    await started({ postgres: POSTGRES }),
    await started({ initdb: `${fail('making')}; exit 1`, postgres: POSTGRES }),
    await started({ initdb: INITDB, postgres: waits('console.log("FATAL: because of waiting")') }),
  ]).toEqual([
    ['database_server_missing', ['bin'], undefined],
    ['database_server_missing', ['bin'], undefined],
    ['database_server_missing', ['bin'], undefined],
    ['database_server_failed', ['bin'], 'making'],
    ['database_server_failed', ['bin'], 'waiting'],
  ]);
});

verifies('fleet.try', 'a server that says nothing is not waited for without end', async () => {
  const { folder, parent } = programs({ initdb: INITDB, postgres: waits('writeFileSync(data + "/../served", "")') });
  vi.useFakeTimers({ toFake: ['performance'] });
  const isUp = () => readdirSync(parent).some((name) => existsSync(path.join(parent, name, 'served')));
  const later = setInterval(() => {
    if (isUp()) vi.advanceTimersByTime(DATABASE_LIMITS.ownServerMs + 1);
  }, 20);
  onTestFinished(() => {
    clearInterval(later);
    vi.useRealTimers();
  });
  await expect(startOwnServer(parent, [], [folder])).rejects.toMatchObject({ code: 'database_server_failed' });
  expect(readdirSync(parent)).toEqual(['bin']);
});

verifies('fleet.try', 'server programs are looked for along PATH first', () => {
  const places = placesOfServers({ PATH: `/b${path.delimiter}/a` });
  expect(places.slice(0, 2)).toEqual(['/b', '/a']);
  expect(placesOfServers({})).toEqual(['', ...places.slice(2)]);
});
