import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { InboxTables } from '#adapters/teams/inbox-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { teamInboxContract } from '../../contract/team-inbox.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';

const ENTRY = { agent: 'neo', slug: 's', type: 'scope', title: 't', content: '', rationale: '' } as const;
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = () => {
    const inbox = new InboxTables(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: MIGRATIONS,
        clock: { now: () => 1_000 },
      }),
    );
    onTestFinished(() => inbox.close());
    return inbox;
  };
  return { file: path.join(folder, 'teams.db'), open };
}

teamInboxContract('SQLite', () => {
  const { open } = place();
  return { inbox: open(), again: open };
});

test('a word that this version does not know is an error that names row and value', async () => {
  const { file, open } = place();
  await open().file({ ...ENTRY, created_by: 'ann', created_at: 1 });
  const database = await openDatabase(file);
  database.script("PRAGMA ignore_check_constraints = ON; UPDATE inbox_entries SET type = 'huge\u001b'");
  database.close();
  await expect(open().entries({ limit: 1 })).rejects.toMatchObject({
    code: 'data_corrupt',
    message: 'teams.db inbox_entries 1: type has unknown value huge\\u{1b}',
  });
});

test('of two who settle one entry at the same time one is told that it was settled', async () => {
  const { open } = place();
  await open().file({ ...ENTRY, created_by: 'ann', created_at: 1 });
  const both = await Promise.allSettled(
    [open(), open()].map((inbox) => inbox.settle(1, { status: 'merged', by: 'ann', at: 2 })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
