import { describe, expect } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { PostgresStore } from '#adapters/store/postgres/postgres-store.js';
import { postgresStoreKind } from '#adapters/store/postgres/postgres-store-kind.js';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import type { GraphStore, StoreKind } from '#ports/graph-store.js';
import { each, HOLD, linesOf } from '../../../contract/graph-copy.js';
import { collect, NOW } from '../../../contract/graph-store.js';
import { freshDatabase, freshProject, MIGRATIONS, postgresAddress } from '../../../postgres.js';
import { room } from '../../../room.js';
import { verifies } from '../../../verifies.js';
import { CutLine } from './cut-line.js';

const address = await postgresAddress();
const never = () => false;
const add = (store: GraphStore, title: string, requestId?: string) =>
  store.commit((view) => addTask(view, { title }, { now: NOW }), requestId === undefined ? {} : { requestId });
const titles = async (store: GraphStore) =>
  [...(await store.view()).nodes()].map((node) => String((node as { title?: unknown }).title)).sort();

describe.skipIf(address === undefined)('the graph in PostgreSQL', () => {
  const server = address ?? '';

  /** A project, ways to open it under several names, and its tables. */
  async function project(): Promise<{ kind: (who: string) => StoreKind; database: PostgresDatabase; name: string }> {
    const database = await freshDatabase(server);
    const name = database.schema.slice('troupe_'.length);
    const kind = (who: string) =>
      postgresStoreKind({ address: server, project: name, migrations: MIGRATIONS, folder: room(), who });
    return { kind, database, name };
  }

  verifies('fleet.elect', 'one leads, by name; the others are told who, and write nothing', async () => {
    const { kind, database } = await project();
    const [left, right] = [kind('left'), kind('right')];
    expect(await left.holder()).toBeUndefined();
    const leader = await left.hold(HOLD);
    await add(leader, 'By left');
    expect(await right.holder()).toBe('left');
    await expect(right.hold(HOLD)).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining('left') });
    const command = await right.open(() => true);
    await expect(add(command, 'Past them')).rejects.toMatchObject({ code: 'locked' });
    await expect(right.turn(() => true).exclusively(() => 1)).rejects.toMatchObject({ code: 'locked' });
    expect(await leader.exclusively(() => 2)).toBe(2);
    expect(right.turn(() => true).isFree()).toBe(false);
    expect(await titles(command), 'who only looks needs no turn').toEqual(['By left']);

    const lost: string[] = [];
    await leader.close();
    await expect(add(leader, 'After the end')).rejects.toMatchObject({ code: 'internal' });
    const next = await right.hold({ ...HOLD, onLost: () => lost.push('right') });
    const seizing = await left.hold({ ...HOLD, seize: true });
    expect(await epochOf(database)).toBe(3);
    await expect(add(next, 'Too late')).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining('left'),
    });
    await expect(add(next, 'Again')).rejects.toMatchObject({ code: 'locked' });
    await expect(next.exclusively(() => 1)).rejects.toMatchObject({ code: 'locked' });
    expect([next.lost, lost, seizing.lost]).toEqual([true, ['right'], false]);
    await next.close();
    await add(seizing, 'By left again');
    await seizing.close();
    expect(await right.holder()).toBeUndefined();
    await add(command, 'By nobody');
    expect(await titles(command)).toEqual(['By left', 'By left again', 'By nobody']);
    await command.close();
  });

  verifies(
    'fleet.elect',
    'a leader that does not renew its lease is succeeded, and a command waits for that',
    async () => {
      const { kind, database } = await project();
      const stopped = await kind('stopped').hold(HOLD);
      const end = (ms: number) =>
        database.query(`UPDATE head SET lease_until = clock_timestamp() + $1 * interval '1 ms'`, [ms]);
      await end(700);
      const command = await kind('command').open(never);
      await add(command, 'After the lease');
      await end(700);
      const standby = await kind('standby').hold({ ...HOLD, stopWaiting: never });
      await add(standby, 'By the next');
      expect(await epochOf(database)).toBe(2);
      await expect(add(stopped, 'Woken up')).rejects.toMatchObject({ code: 'locked' });
      expect(stopped.lost).toBe(true);
      const lost = { code: 'locked', details: { epoch: 1, retriable: true } };
      await expect(add(stopped, 'Again'), 'a service that is told so stands by').rejects.toMatchObject(lost);
      await expect(stopped.exclusively(() => 1)).rejects.toMatchObject(lost);
      await stopped.close();
      expect(await kind('x').holder(), 'the end of the other takes nothing away').toBe('standby');
      await standby.close();
      await command.close();
    },
  );

  verifies(['fleet.round', 'fleet.log'], 'eight write at once: no number is missing, no line is changed', async () => {
    const { kind, database } = await project();
    const stores = await Promise.all(Array.from({ length: 8 }, (_, index) => kind(`w${index}`).open(never)));
    await Promise.all(
      stores.flatMap((store, index) => [1, 2, 3, 4, 5, 6].map((round) => add(store, `Task ${index} ${round}`))),
    );
    const entries = await collect((stores[0] as GraphStore).entries(1));
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 48 }, (_, index) => index + 1));
    expect(entries.slice(1).map(({ prev }) => prev)).toEqual(entries.slice(0, -1).map(({ id }) => id));
    const { rows } = await database.query<{ line: string }>('SELECT line FROM events ORDER BY seq');
    expect(rows.map(({ line }) => line)).toEqual(entries.map((entry) => JSON.stringify(entry)));
    expect(await (await kind('doctor').doctor()).examine()).toEqual([]);
    for (const store of stores) await store.close();
  });

  verifies('fleet.round', 'changes that come together are one transaction', async () => {
    const { kind, database } = await project();
    const leader = await kind('leader').hold(HOLD);
    await Promise.all(Array.from({ length: 50 }, (_, index) => add(leader, `Task ${index}`)));
    await add(leader, 'Alone');
    const { rows } = await database.query('SELECT count(DISTINCT xmin::text)::int AS transactions FROM events');
    expect(rows).toEqual([{ transactions: 2 }]);
    await leader.close();
  });

  /** A store at the other end of a line that breaks. */
  async function beyond(line: CutLine, name: string, unsureMs = 5_000): Promise<PostgresStore> {
    const database = await PostgresDatabase.of(line.address, name);
    return await PostgresStore.open({ database, unsureMs });
  }

  verifies(
    'fleet.round',
    'a line cut before the commit: nothing was changed, and the same request is done once',
    async () => {
      const { name, kind } = await project();
      const line = await CutLine.to(server);
      const store = await beyond(line, name);
      await add(store, 'Before');
      line.breakAtCommit('before');
      const failed = add(store, 'Once', 'r-1');
      await expect(failed).rejects.toMatchObject({
        code: 'database_away',
        message: expect.stringContaining('nothing'),
      });
      expect(await titles(store)).toEqual(['Before']);
      const again = await add(store, 'Once', 'r-1');
      expect([again.seq, await titles(store)]).toEqual([2, ['Before', 'Once']]);
      await store.close();
      expect(await (await kind('doctor').doctor()).examine()).toEqual([]);
    },
  );

  verifies('fleet.round', 'a line cut after the commit: what was done is found and told', async () => {
    const { name } = await project();
    const line = await CutLine.to(server);
    const store = await beyond(line, name);
    line.breakAtCommit('after');
    const done = await add(store, 'Once', 'r-1');
    expect([done.seq, done.result]).toEqual([1, (await add(store, 'Once', 'r-1')).result]);
    expect(await titles(store)).toEqual(['Once']);
    await add(store, 'More');
    await store.close();
  });

  verifies(
    'fleet.round',
    'a line cut for good after the commit: it is told that nobody knows, and asking again tells',
    async () => {
      const { name } = await project();
      const line = await CutLine.to(server);
      const store = await beyond(line, name, 0);
      line.breakAtCommit('after', true);
      const unsure = add(store, 'Once', 'r-1');
      await expect(unsure).rejects.toMatchObject({ code: 'database_unsure', details: { retriable: true } });
      line.mend();
      expect((await add(store, 'Once', 'r-1')).seq).toBe(1);
      expect(await titles(store)).toEqual(['Once']);
      await store.close();
    },
  );

  verifies(
    'fleet.clock',
    'entries have the moments of the database, whatever the clock of this machine says',
    async () => {
      const { kind, database } = await project();
      const store = await kind('a').open(never);
      const now = async () =>
        (await database.query<{ ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'))
          .rows[0]?.ms ?? 0;
      const before = await now();
      const { entries } = await add(store, 'One');
      const at = Date.parse(entries[0]?.timestamp ?? '');
      // As far as a round trip can tell, to the millisecond.
      expect([at > before - 50, at < (await now()) + 50]).toEqual([true, true]);
      await store.close();
    },
  );

  verifies('fleet.log', 'followers hear what others write, also when their line was cut', async () => {
    const { kind, database } = await project();
    const [writer, reader] = [await kind('writer').open(never), await kind('reader').open(never)];
    const stop = new AbortController();
    const following = reader.follow(1, stop.signal)[Symbol.asyncIterator]();
    const next = async () => (await following.next(undefined)).value?.seq as unknown;
    await add(writer, 'One');
    expect(await next()).toBe(1);
    const waiting = next();
    await add(writer, 'Two');
    expect(await waiting).toBe(2);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN ${database.schema}'`,
    );
    await add(writer, 'Three');
    expect(await next()).toBe(3);
    stop.abort();
    await reader.close();
    await writer.close();
  });

  verifies('fleet.store', 'a snapshot spares readers the log, and is taken when the log has grown', async () => {
    const { kind, database } = await project();
    const store = await kind('a').open(never);
    const titlesAdded = Array.from({ length: 1_001 }, (_, index) => `Task ${index}`);
    await Promise.all(titlesAdded.map((title) => add(store, title)));
    await store.close();
    const { rows } = await database.query<{ seq: number }>('SELECT seq FROM snapshots');
    expect(rows).toEqual([{ seq: 1_001 }]);
    await database.query('DELETE FROM events WHERE seq < 1001');
    const again = await kind('a').open(never);
    const view = await again.view();
    expect([view.size, view.task('task-7')?.title]).toEqual([1_001, 'Task 7']);
    await add(again, 'One more');
    await again.commit((now) => claimTask(now, 'task-7', { now: NOW, by: { name: 'ann' } }));
    expect((await again.view()).task('task-7')?.status).toBe('in-progress');
    await again.close();
  });

  verifies(
    'fleet.log',
    'lines that come from elsewhere are kept to the byte, also with blanks at their ends',
    async () => {
      const name = freshProject(server);
      const to = postgresStoreKind({
        address: server,
        project: name,
        migrations: MIGRATIONS,
        folder: room(),
        who: 'a',
      });
      const moment = '2026-03-21T10:00:00.000Z';
      const lines = [
        `{"timestamp":"${moment}","op":"claim","task_id":"a"}  `,
        `{"seq":1,"id":"one","timestamp":"${moment}","op":"note","patch":[]} \t\r`,
        ` {"seq":2,"id":"two","prev":"one","timestamp":"${moment}","op":"note","patch":[]}`,
      ];
      await to.receive(each(lines));
      expect(await linesOf(to)).toEqual(lines);
    },
  );

  verifies(
    'fleet.log',
    'the doctor finds what was changed behind its back, and makes again what follows from the log',
    async () => {
      const { kind, database } = await project();
      const store = await kind('a').open(never);
      for (const title of ['One', 'Two', 'Three', 'Four']) await add(store, title);
      expect(await store.files.snapshot()).toBe(4);
      await store.close();
      const doctor = await kind('a').doctor();
      const codes = async () => (await doctor.examine()).map(({ code }) => code);
      expect(await codes()).toEqual([]);
      await database.query('UPDATE head SET seq = 3');
      expect(await codes()).toEqual(['head_differs']);
      expect(await doctor.repair()).toEqual(['Set the head of the log to its last entry, 4.']);
      expect([await codes(), await doctor.repair()]).toEqual([[], []]);
      await database.query(`UPDATE snapshots SET packed = 'x'`);
      expect(await codes()).toEqual(['snapshot_damaged']);
      await expect(kind('a').open(never)).rejects.toMatchObject({ code: 'data_corrupt' });
      expect(await doctor.rebuild()).toEqual(['Made the snapshot of the graph again from the log.']);
      expect(await codes()).toEqual([]);
      await database.query(`UPDATE events SET line = replace(line, 'Two', 'Too') WHERE seq = 2`);
      expect(await codes()).toEqual(['log_edited', 'log_differs']);
      await expect(doctor.rebuild()).rejects.toMatchObject({ code: 'corrupt' });
      await database.query('DELETE FROM events WHERE seq = 2');
      expect(await codes()).toEqual(['log_gap', 'log_differs']);
      await expect(doctor.mergeFiles({ base: '', ours: '', theirs: '' })).rejects.toMatchObject({
        code: 'project_elsewhere',
      });
    },
  );
});

async function epochOf(database: PostgresDatabase): Promise<number | undefined> {
  return (await database.query<{ epoch: number }>('SELECT epoch FROM head')).rows[0]?.epoch;
}
