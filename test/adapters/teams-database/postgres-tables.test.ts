import { expect, onTestFinished, test } from 'vitest';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { migrateDatabase } from '#adapters/postgres/schema.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { InboxTables } from '#adapters/teams/inbox-tables.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { PostgresTables, type PostgresTablesParts } from '#adapters/teams-database/postgres-tables.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import { EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { withoutQueries } from '#kernel/query.js';
import { airlock, mailStoreContract } from '../../contract/mail-store.js';
import { outboxContract } from '../../contract/outbox.js';
import { taskTalkContract } from '../../contract/task-talk.js';
import { teamInboxContract } from '../../contract/team-inbox.js';
import { teamStoreContract } from '../../contract/team-store.js';
import { teamTalkContract } from '../../contract/team-talk.js';
import { Calls, PERSON } from '../../core/mail/stage.js';
import { plain } from '../../plain-statements.js';
import { freshProject, MIGRATIONS, postgresAddress } from '../../postgres.js';
import { verifies } from '../../verifies.js';
import { CutLine } from '../store/postgres/cut-line.js';
import { STATEMENTS } from './all-statements.js';

const CLOCK = { now: () => 1_000 };
const address = await postgresAddress();

/** A project that nobody else uses: each call of `tables` is another process in it. */
function place(at: string) {
  const project = freshProject(at);
  let made: Promise<unknown> | undefined;
  const connect = async () => {
    const database = await PostgresDatabase.of(at, project);
    made ??= inUse(database);
    await made;
    return database;
  };
  const tables = (parts: Partial<PostgresTablesParts> = {}) => {
    const opened = new PostgresTables({
      ...{ connect, turn: (database) => new WriterTurn(database), migrations: MIGRATIONS, clock: CLOCK },
      ...parts,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { connect, tables, project };
}

if (address === undefined) test.skip('teams and mail in PostgreSQL: there is no server here');
else {
  mailStoreContract('PostgreSQL', () => {
    const { tables } = place(address);
    const again = () => new MailTables(tables());
    const outbox = new OutboxTable(tables());
    return { mail: again(), outbox, again, team: (status) => airlock(new TeamTables(tables()), status) };
  });

  taskTalkContract('PostgreSQL', () => {
    const { tables } = place(address);
    const again = () => new MailTables(tables());
    return { mail: again(), outbox: new OutboxTable(tables()), again };
  });

  teamStoreContract('PostgreSQL', () => {
    const { tables } = place(address);
    const again = () => new TeamTables(tables());
    return { store: again(), again };
  });

  teamTalkContract('PostgreSQL', () => {
    const { tables } = place(address);
    const again = () => new TeamTables(tables());
    return { store: again(), outbox: new OutboxTable(tables()), again };
  });

  teamInboxContract('PostgreSQL', () => {
    const { tables } = place(address);
    const again = () => new InboxTables(tables());
    return { inbox: again(), again };
  });

  outboxContract('PostgreSQL', () => {
    const { tables } = place(address);
    const teams = new TeamTables(tables());
    const write = (rows: readonly OutboxRow[]) =>
      teams.change(() => withoutQueries({ ...EMPTY_TEAM_PLAN, outbox: rows, result: undefined }));
    const again = () => new OutboxTable(tables());
    return { outbox: again(), write, again };
  });

  verifies(
    'fleet.store',
    'every statement of teams and mail is understood by PostgreSQL, by the same text',
    async () => {
      const { connect } = place(address);
      const database = await connect();
      await database.transaction(async (queries) => {
        for (const [name, { text }] of STATEMENTS) {
          const sql = text.reduce((words, piece, index) => `${words}$${index}${piece}`);
          await queries.query(`PREPARE ${name} AS ${sql}`);
        }
      });
      await database.close();
      expect(STATEMENTS.length).toBeGreaterThan(80);
    },
  );

  verifies('fleet.store', 'beside a leader nobody else writes, and everybody reads', async () => {
    const { connect, tables } = place(address);
    const database = await connect();
    const lead = { who: 'left', seize: false, stopWaiting: () => true, onLost: () => undefined };
    const leadership = await Leadership.take(database, lead);
    const leader = new OutboxTable(tables({ turn: () => leadership.turn }));
    const other = tables({ turn: (own) => new WriterTurn(own, { stopWaiting: () => true }) });
    await expect(new OutboxTable(other).settle('o-1', 'done')).rejects.toMatchObject({ code: 'locked' });
    await leader.settle('o-1', 'done');
    expect(await new OutboxTable(other).pending(5)).toEqual([]);
    await leadership.release();
    await new OutboxTable(other).settle('o-1', 'done');
    await expect(leader.settle('o-1', 'done')).rejects.toMatchObject({ code: 'locked' });
    await database.close();
  });

  verifies('fleet.store', 'a look of several statements sees one moment', async () => {
    const { connect, tables } = place(address);
    const database = await connect();
    const look = tables();
    await look.open();
    const isWritten = database.transaction(async (queries) => {
      await queries.query('SELECT pg_advisory_xact_lock(7)');
      const seen = look.read<unknown[]>([], function* () {
        const before = yield* plain('SELECT count(*) AS count FROM teams');
        yield* plain('SELECT pg_advisory_xact_lock_shared(7)'); // until the other is done
        return [before, yield* plain('SELECT count(*) AS count FROM teams')];
      });
      await waits(database);
      await queries.query("INSERT INTO teams (id, name, status, created_at) VALUES ('t', 't', 'active', 1)");
      return { seen };
    });
    const { seen } = await isWritten;
    expect(await seen).toEqual([[{ count: 0 }], [{ count: 0 }]]);
    expect(await look.read<unknown>([], () => plain('SELECT count(*) AS count FROM teams'))).toEqual([{ count: 1 }]);
    await database.close();
  });

  verifies('fleet.store', 'an answer is kept until somebody changes a table, in whichever process', async () => {
    const { tables } = place(address);
    const one = new MailTables(tables());
    const none = await one.taskMail();
    expect([await one.taskMail(), none]).toEqual([[], []]);
    const another = new MailTables(tables());
    await another.change(new Calls().send(PERSON, 'teaparty/coding/lead'));
    let some = await one.taskMail();
    expect(some).toMatchObject([{ open: 0, unread: [{ shownTo: null, asked: false }] }]);
    // Other tests change the same server: at some moment nobody does.
    for (let before: unknown; before !== some; some = await one.taskMail()) before = some;
  });

  verifies('fleet.store', 'a change under a request whose commit got no answer is done once', async () => {
    const { connect, tables, project } = place(address);
    await (await connect()).close();
    for (const cut of ['before', 'after'] as const) {
      const line = await CutLine.to(address);
      const teams = new TeamTables(tables({ connect: () => PostgresDatabase.of(line.address, project) }));
      await teams.followed();
      line.breakAtCommit(cut);
      const add = () => withoutQueries({ ...EMPTY_TEAM_PLAN, outbox: [{ ...NOTE, id: `o-${cut}` }], result: cut });
      const once = () => teams.changeOnce({ requestId: cut, input: 'i' }, add);
      expect([await once(), await once()]).toEqual([cut, cut]);
      await teams.close();
    }
    expect((await new OutboxTable(tables()).pending(9)).map(({ id }) => id)).toEqual(['o-before', 'o-after']);
  });

  verifies('fleet.store', 'tables that cannot be used are told, with no copy to restore', async () => {
    const { connect, tables } = place(address);
    const made = tables();
    expect([await made.fault(), await made.restore(), made.exists()]).toEqual([undefined, [], true]);
    const database = await connect();
    await database.query("INSERT INTO migrations (version, name, sha256) VALUES (9999, 'later', 'x')");
    expect(await tables().fault()).toMatchObject({ code: 'newer', copy: null });
    await database.query('DROP TABLE migrations CASCADE');
    const broken = tables({ connect: () => PostgresDatabase.of(address, database.schema.slice('troupe_'.length)) });
    expect(await broken.fault()).toMatchObject({ code: 'unusable', copy: null });
    await expect(broken.read([], () => plain('SELECT 1 AS one'))).rejects.toMatchObject({ code: 'not_initialized' });
    await database.close();
  });
}

/** As a project is left by whoever made it. */
async function inUse(database: PostgresDatabase): Promise<void> {
  await migrateDatabase(database, MIGRATIONS);
  await new WriterTurn(database).fill(async () => undefined);
}

const NOTE: OutboxRow = { id: 'o', op: 'task.message', args: { task_id: 'a', from: 'ann', kind: 'person', number: 1 } };

/** Until somebody waits for a lock of this kind. */
async function waits(database: PostgresDatabase): Promise<void> {
  const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted";
  while ((await database.query(waiting)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
}
