import { rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { allGoOn, between, type Fault, now, pause, type Strike } from './strike.js';
import type { World } from './world.js';

const RECOVERED_AGAIN_MS = 60_000;

/** Faults of what all machines share: the database server, its tables and the git remote. */
export const SHARED_FAULTS: readonly Fault[] = [
  { name: 'database killed', make: (world) => restarted(world, () => world.server.kill(), between(world, 0, 3_000)) },
  {
    name: 'database stopped at once',
    make: (world) => restarted(world, () => world.server.stopAtOnce(), between(world, 0, 3_000)),
  },
  {
    name: 'database away past all leases',
    isLong: true,
    make: (world) => restarted(world, () => world.server.stopAtOnce(), 40_000),
  },
  {
    name: 'database paused',
    async make(world) {
      const goOn = world.server.pause();
      await pause(world.isQuick ? 2_000 : between(world, 2_000, 25_000));
      goOn();
      return allGoOn(world, now());
    },
  },
  { name: 'database read only for a moment', make: (world) => readOnly(world, 2_000) },
  { name: 'database read only past the lease', isLong: true, make: (world) => readOnly(world, 20_000) },
  {
    name: 'disk of the database full',
    make: (world) => full(world, world.isQuick ? 2_000 : between(world, 2_000, 25_000)),
  },
  {
    name: 'all connections ended',
    async make(world) {
      const ended = world.database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid()",
      );
      await ended.catch(() => undefined); // its own connection may be among them
      return allGoOn(world, now());
    },
  },
  {
    name: 'tables of a newer version',
    make: (world) =>
      otherSchema(world, 'schema_newer', {
        begin: "INSERT INTO migrations (version, name, sha256) VALUES (9999, 'later', 'x')",
        end: 'DELETE FROM migrations WHERE version = 9999',
      }),
  },
  {
    name: 'tables of an older version',
    make: (world) =>
      otherSchema(world, 'database_older', {
        begin: `CREATE TABLE kept_migrations AS SELECT * FROM migrations;
          DELETE FROM migrations WHERE version = (SELECT max(version) FROM migrations)`,
        end: 'INSERT INTO migrations SELECT * FROM kept_migrations ON CONFLICT DO NOTHING; DROP TABLE kept_migrations',
      }),
  },
  {
    name: 'git remote away',
    async make(world) {
      const away = `${world.hub}.away`;
      writeFileSync(away, '');
      await pause(world.isQuick ? 3_000 : between(world, 1_000, 25_000));
      rmSync(away);
      return allGoOn(world, now());
    },
  },
];

async function restarted(world: World, stop: () => Promise<void>, awayMs: number): Promise<Strike> {
  await stop();
  await pause(awayMs);
  await world.server.start();
  return allGoOn(world, now());
}

async function readOnly(world: World, milliseconds: number): Promise<Strike> {
  await world.server.set('default_transaction_read_only', 'on');
  await pause(milliseconds);
  await world.server.set('default_transaction_read_only');
  return allGoOn(world, now());
}

/** A server that cannot write its WAL ends; it is started again once there is room. */
async function full(world: World, milliseconds: number): Promise<Strike> {
  const empty = world.server.fill();
  await pause(milliseconds);
  empty();
  await world.server.start();
  return allGoOn(world, now());
}

/** Changes the schema version. Programs that start meanwhile are refused; running ones continue. */
async function otherSchema(
  world: World,
  code: string,
  { begin, end }: { readonly begin: string; readonly end: string },
): Promise<Strike> {
  await world.database.query(begin);
  const { standby } = world.leading();
  const [worker] = world.workers;
  await standby.killProgram();
  await worker?.killProgram();
  const since = now();
  try {
    const [service, work] = await Promise.all([standby.serve(), worker?.work()]);
    const refusals = { service: service ?? 'none', worker: work ?? 'none' };
    const refused = expect.stringContaining(code);
    expect(refusals, (await world.standing()).join('\n')).toEqual({ service: refused, worker: refused });
  } finally {
    await world.database.query(end);
  }
  await world.whole();
  return { ...allGoOn(world, now()), since, mostMs: RECOVERED_AGAIN_MS };
}
