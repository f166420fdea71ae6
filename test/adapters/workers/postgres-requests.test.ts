import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { publishedLeaders } from '#adapters/postgres/leaders.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { grantRoles, rolesOf } from '#adapters/postgres/roles.js';
import { PostgresRequests } from '#adapters/workers/postgres-requests.js';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { standsByAfter, untilNobodyLeads } from '#main/standby.js';
import type { RemoteRequest } from '#ports/remote-requests.js';
import { PATIENCE } from '../../patience.js';
import { freshDatabase, postgresAddress } from '../../postgres.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

const address = (await postgresAddress()) ?? '';
const SEAL = sealFor('shop');
const ADA = { kind: 'person', name: 'Ada' } as const;
const asking = (line: string): RemoteRequest => ({ line, caller: ADA });

interface Machines {
  readonly database: PostgresDatabase;
  machine(who: string): Promise<PostgresRequests>;
  lead(who?: string): Promise<Leadership>;
}

/** A project to which several machines connect. */
async function machines(): Promise<Machines> {
  const database = await freshDatabase(address);
  const connected = async () => {
    const own = await PostgresDatabase.of(address, database.schema.replace('troupe_', ''));
    return own;
  };
  return {
    database,
    machine: async (who) => {
      const requests = new PostgresRequests({ database: await connected(), who, leader: async () => SEAL.card });
      onTestFinished(() => requests.close());
      return requests;
    },
    lead: async (who = 'process 1 on desk') => {
      const leadership = await Leadership.take(database, {
        ...{ who, seize: false, stopWaiting: () => false, onLost: () => undefined },
      });
      onTestFinished(() => leadership.release());
      return leadership;
    },
  };
}

const left = async ({ database }: Machines) => (await database.query('SELECT FROM asked')).rowCount;

describe.skipIf(address === '')('requests between machines', () => {
  verifies('fleet.ask', 'whoever leads answers what another machine asks, in the order in which it came', async () => {
    const world = await machines();
    const [desk, laptop] = [await world.machine('desk'), await world.machine('laptop')];
    expect(await laptop.ask(asking('nobody leads')), 'nobody is asked').toEqual({ state: 'absent' });
    expect(await left(world)).toBe(0);
    await world.lead();
    const heard: RemoteRequest[] = [];
    const early = laptop.ask(asking('"early"')); // before the leader listens
    await desk.serve(async (request) => {
      heard.push(request);
      return `${request.line}!`;
    });
    expect(await early).toEqual({ state: 'answered', line: '"early"!' });
    const lines = Array.from({ length: 20 }, (_, index) => `"${index}"`);
    const answers = await Promise.all(lines.map((line) => laptop.ask(asking(line))));
    expect(answers.map((answer) => answer.state === 'answered' && answer.line)).toEqual(
      lines.map((line) => `${line}!`),
    );
    expect(heard).toHaveLength(21);
    expect(heard.every(({ caller }) => caller.name === 'Ada')).toBe(true);
    expect(await left(world), 'nothing stays').toBe(0);
  });

  verifies('fleet.ask', 'neither a request nor its answer waits for the disk of the database', async () => {
    const world = await machines();
    const { database } = world;
    await database.query('CREATE TABLE kept (at serial, what text, wait text)');
    await database.query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO kept (what, wait) VALUES (TG_OP, current_setting('synchronous_commit')); RETURN NULL; END $$`);
    await database.query(
      'CREATE TRIGGER keep AFTER INSERT OR UPDATE OR DELETE ON asked FOR EACH ROW EXECUTE FUNCTION keep()',
    );
    const [desk, laptop] = [await world.machine('desk'), await world.machine('laptop')];
    await world.lead();
    await desk.serve(async () => 'yes');
    expect(await laptop.ask(asking('no disk?'))).toEqual({ state: 'answered', line: 'yes' });
    const { rows } = await database.query<{ told: string }>(`SELECT DISTINCT what || ' ' || wait AS told FROM kept`);
    expect(rows.map(({ told }) => told).sort()).toEqual(['DELETE off', 'INSERT off', 'UPDATE off']);
  });

  verifies('fleet.ask', 'one that takes long keeps no other waiting, and is heard of at once', async () => {
    const world = await machines();
    const [desk, laptop] = [await world.machine('desk'), await world.machine('laptop')];
    await world.lead();
    let finish: (line: string) => void = () => undefined;
    await desk.serve(({ line }) =>
      line === 'long' ? new Promise((resolve) => (finish = resolve)) : Promise.resolve('short'),
    );
    const long = laptop.ask(asking('long'));
    expect(await laptop.ask(asking('other'))).toEqual({ state: 'answered', line: 'short' });
    await delay(300); // it listens by now
    const from = performance.now();
    finish('at last');
    expect(await long).toEqual({ state: 'answered', line: 'at last' });
    expect(performance.now() - from).toBeLessThan(500);
  });

  verifies(
    'fleet.ask',
    'a request outlives its leader: the next one answers it, or whoever asked is told',
    async () => {
      const world = await machines();
      const [desk, box, laptop] = await Promise.all(['desk', 'box', 'laptop'].map((who) => world.machine(who)));
      const first = await world.lead();
      await desk?.serve(() => Promise.reject(new Error('it leads no more')));
      const kept = laptop?.ask(asking('kept'));
      await delay(200);
      await world.database.query("UPDATE head SET lease_until = clock_timestamp() - interval '1 second'");
      await world.lead('process 2 on box');
      await box?.serve(async ({ line }) => `${line} by box`);
      expect(await kept).toEqual({ state: 'answered', line: 'kept by box' });

      await box?.close();
      const lost = laptop?.ask(asking('lost'));
      await delay(200);
      await world.database.query('UPDATE head SET leader = NULL, lease_until = NULL');
      expect(await lost).toEqual({ state: 'broken' });
      expect(await left(world), 'no later leader finds it').toBe(0);
      await world.lead('process 3 on desk');
      const cut = laptop?.ask(asking('cut'));
      await delay(200);
      await world.database.query('ALTER TABLE asked RENAME TO elsewhere');
      expect(await cut, 'what was sent may have been done, whatever went wrong then').toEqual({ state: 'broken' });
      await first.release();
    },
  );

  verifies('fleet.ask', 'whoever stops leading finishes what it began, and says so before it goes', async () => {
    const world = await machines();
    const [desk, laptop] = [await world.machine('desk'), await world.machine('laptop')];
    await world.lead();
    const steps: string[] = [];
    let finish: (line: string) => void = () => undefined;
    await desk.serve(() => {
      steps.push('begun');
      return new Promise((resolve) => (finish = resolve));
    });
    const asked = laptop.ask(asking('slow'));
    await expect.poll(() => steps, PATIENCE).toEqual(['begun']);
    const closing = desk.close().then(() => steps.push('closed'));
    await delay(50);
    steps.push('finished');
    finish('at last');
    await closing;
    expect(steps).toEqual(['begun', 'finished', 'closed']);
    expect(await asked).toEqual({ state: 'answered', line: 'at last' });
  });

  verifies('fleet.ask', 'an answer that could not be written is written with the next look', async () => {
    const world = await machines();
    const { database } = world;
    const desk = await world.machine('desk');
    await world.lead();
    await database.query('INSERT INTO asked (id, line, caller) VALUES ($1, $2, $3)', ['a-1', 'x', JSON.stringify(ADA)]);
    let count = 0;
    await desk.serve(async () => {
      count++;
      await database.query('ALTER TABLE asked RENAME TO elsewhere');
      return 'kept';
    });
    const there = async () =>
      (await database.query<{ there: boolean }>("SELECT to_regclass('elsewhere') IS NOT NULL AS there")).rows[0]?.there;
    await expect.poll(there, PATIENCE).toBe(true);
    for (let round = 0; round < 5; round++) await there(); // meanwhile the answer is refused
    await database.query('ALTER TABLE elsewhere RENAME TO asked');
    await database.query('SELECT pg_notify($1, $2)', [`${database.schema}_asked`, '']);
    const answer = async () => (await database.query('SELECT answer FROM asked')).rows;
    await expect.poll(answer, PATIENCE).toEqual([{ answer: 'kept' }]);
    expect(count).toBe(1);
  });

  verifies('fleet.read', 'whoever may only read asks nothing and is no standby, and is told who leads', async () => {
    const world = await machines();
    const { database } = world;
    const { schema } = database;
    await world.lead('process 1 on desk');
    await grantRoles(database);
    await database.query(`CREATE ROLE ${schema}_eve LOGIN IN ROLE ${rolesOf(schema).viewer}`);
    onTestFinished(async () => {
      const cleaner = await PostgresDatabase.of(address, schema.replace('troupe_', ''));
      await cleaner.query(`DROP ROLE ${schema}_eve`);
      await cleaner.close();
    });
    const url = new URL(address);
    url.username = `${schema}_eve`;
    const own = await PostgresDatabase.of(url.href, schema.replace('troupe_', ''));
    const eve = new PostgresRequests({ database: own, who: 'eve', leader: async () => SEAL.card });
    const refused = { code: 'database_read_only', details: { by: 'login', leader: 'process 1 on desk' } };
    await expect(eve.ask(asking('x'))).rejects.toMatchObject(refused);
    await expect(eve.standBy()).rejects.toMatchObject(refused);
    expect([await left(world), (await database.query('SELECT FROM standbys')).rowCount]).toEqual([0, 0]);
    await eve.close();
    const desk = await world.machine('desk');
    await desk.standBy();
    await desk.standBy();
    expect((await publishedLeaders(database)).map(({ key }) => key)).toEqual([SEAL.card.key]);
    expect((await desk.leaders()).standbys).toEqual(['desk']);
    await database.query("INSERT INTO standbys (who, seen_at) VALUES ('old', now() - interval '2 h'), ('new', now())");
    await desk.standDown();
    expect((await database.query('SELECT who FROM standbys')).rows).toEqual([{ who: 'new' }]);
    await database.query('UPDATE head SET leader = NULL, lease_until = NULL');
    expect(await desk.leaders()).toEqual({ leader: undefined, epoch: 1, standbys: ['new'] });
  });

  verifies(
    'fleet.read',
    'a right that is lost after a request was sent leaves open whether it was carried out',
    async () => {
      const world = await machines();
      const { database } = world;
      const { schema } = database;
      const name = schema.replace('troupe_', '');
      await world.lead();
      await grantRoles(database);
      const { leader, viewer } = rolesOf(schema);
      await database.query(`CREATE ROLE ${schema}_bob LOGIN IN ROLE ${leader}`);
      onTestFinished(async () => {
        const cleaner = await PostgresDatabase.of(address, name);
        await cleaner.query(`DROP ROLE ${schema}_bob`);
        await cleaner.close();
      });
      const url = new URL(address);
      url.username = `${schema}_bob`;
      const own = await PostgresDatabase.of(url.href, name);
      const bob = new PostgresRequests({ database: own, who: 'bob', leader: async () => SEAL.card });
      const asked = bob.ask(asking('x'));
      await expect.poll(() => left(world), PATIENCE).toBe(1);
      await database.query(`REVOKE ${leader} FROM ${schema}_bob`);
      await database.query(`GRANT ${viewer} TO ${schema}_bob`);
      expect(await asked).toEqual({ state: 'broken' });
      await bob.close();
    },
  );

  verifies('fleet.leader', 'a standby is named as long as it says so, and takes over when nobody leads', async () => {
    const world = await machines();
    const [desk, box] = [await world.machine('process 1 on desk'), await world.machine('process 2 on box')];
    await world.lead();
    const waiting = untilNobodyLeads(box, () => false);
    await expect.poll(async () => (await desk.leaders()).standbys, PATIENCE).toEqual(['process 2 on box']);
    expect(await desk.leaders()).toMatchObject({ leader: 'process 1 on desk', epoch: 1 });
    await world.database.query('UPDATE head SET leader = NULL, lease_until = NULL');
    expect(await waiting).toBe(true);
    expect((await desk.leaders()).standbys).toEqual([]);

    await box.standBy();
    await world.database.query("UPDATE standbys SET seen_at = seen_at - interval '16 seconds'");
    expect((await desk.leaders()).standbys, 'one that says nothing for longer than a lease is gone').toEqual([]);
    expect(await untilNobodyLeads(box, () => true), 'told to go').toBe(false);

    let looks = 0;
    const standBy = async () => {
      if (looks++ === 0) throw new TroupeError('database_read_only');
      return await box.standBy();
    };
    const once = { standBy, standDown: () => box.standDown() };
    expect(await untilNobodyLeads(once as typeof box, () => false), 'a database that could only be read').toBe(true);

    await world.database.query("UPDATE head SET lease_until = clock_timestamp() + interval '200 milliseconds'");
    const begun = performance.now();
    expect(await box.standBy()).toBeGreaterThan(0);
    expect(await untilNobodyLeads(box, () => false)).toBe(true);
    expect(performance.now() - begun, 'a lease that is not renewed is awaited to its end').toBeLessThan(
      DATABASE_LIMITS.standbyLookMs,
    );
  });
});

verifies(
  ['fleet.leader', 'fleet.faults'],
  'whoever led before waits for a database that is away or full; whoever begins is told',
  () => {
    const led = new TroupeError('locked', { details: { epoch: 3, retriable: true } });
    const held = new TroupeError('locked', { details: { pid: 7 } });
    const away = new TroupeError('database_away', { details: { retriable: true } });
    const refused = new TroupeError('database_refused', { details: { retriable: false } });
    const [full, ours] = [true, false].map((retriable) => new TroupeError('disk_full', { details: { retriable } }));
    const all = [led, held, away, refused, full, ours, new TroupeError('database_read_only')];
    expect(all.map((error) => standsByAfter(error, false))).toEqual([true, ...Array(6).fill(false)]);
    expect(all.map((error) => standsByAfter(error, true))).toEqual([true, false, true, false, true, false, true]);
  },
);
