import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { createTeam, EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { teamStoreContract } from '../../contract/team-store.js';
import { teamTalkContract } from '../../contract/team-talk.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = () => {
    const store = new TeamTables(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: MIGRATIONS,
        clock: { now: () => 1_000 },
      }),
    );
    onTestFinished(() => store.close());
    return store;
  };
  return { folder, file: path.join(folder, 'teams.db'), open };
}

teamStoreContract('SQLite', () => {
  const { open } = place();
  return { store: open(), again: open };
});

teamTalkContract('SQLite', () => {
  const { folder, open } = place();
  const database = new TeamsDatabase({
    turn: FREE_TURN,
    copies: path.join(folder, 'copies'),
    folder,
    migrations: MIGRATIONS,
    clock: { now: () => 1_000 },
  });
  onTestFinished(() => database.close());
  return { store: open(), outbox: new OutboxTable(database), again: open };
});

test('looking makes no file', async () => {
  const { file, open } = place();
  expect(await open().listTeams(5)).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

verifies(
  'team.db.unknown-status',
  'a word that is not known is an error that names row, column and value',
  async () => {
    const { file, open } = place();
    const wish = { id: 't-1', leaderId: 'l-1', name: 'crew', leader: 'Ripley', description: '', mesh: false };
    await open().change((view) => createTeam(view, { ...wish, reserved: 'project' }, { by: 'ann', at: 1 }));
    const corrupted = async (table: string, column: string, work: (store: TeamTables) => Promise<unknown>) => {
      const database = await openDatabase(file);
      const [before] = database.all(`SELECT ${column} AS word FROM ${table} LIMIT 1`);
      const write = (word: string) => {
        database.script('PRAGMA ignore_check_constraints = ON');
        database.run(`UPDATE ${table} SET ${column} = ?`, word);
      };
      write('zombie\u001b');
      const failure = await work(open()).catch((error: unknown) => error);
      write(String(before?.['word']));
      database.close();
      return failure;
    };
    const names = (what: string) => ({
      code: 'data_corrupt',
      message: `teams.db ${what} has unknown value zombie\\u{1b}`,
    });
    const reads = [
      (store: TeamTables) => store.listTeams(5),
      (store: TeamTables) => store.getTeam('t-1'),
      (store: TeamTables) =>
        store.change(function* (view) {
          return { ...EMPTY_TEAM_PLAN, team: yield* view.team('t-1'), result: 0 };
        }),
    ];
    for (const read of reads) {
      expect(await corrupted('teams', 'status', read)).toMatchObject(names('teams t-1: status'));
      expect(await corrupted('members', 'position', read)).toMatchObject(names('members l-1: position'));
      expect(await corrupted('members', 'status', read)).toMatchObject(names('members l-1: status'));
    }
    const events = (store: TeamTables) => store.events('t-1', { limit: 5 });
    expect(await corrupted('team_events', 'kind', events)).toMatchObject(names('team_events 1: kind'));
    expect(await open().getTeam('t-1')).toMatchObject({ status: 'active' });
  },
);
