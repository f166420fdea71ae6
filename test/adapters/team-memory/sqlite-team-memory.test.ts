import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteTeamMemory } from '#adapters/team-memory/sqlite-team-memory.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { teamMemoryContract } from '../../contract/team-memory.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = () => {
    const memory = new SqliteTeamMemory(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: MIGRATIONS,
        clock: { now: () => 1_000 },
      }),
    );
    onTestFinished(() => memory.close());
    return memory;
  };
  return { file: path.join(folder, 'teams.db'), open };
}

teamMemoryContract('SQLite', () => {
  const { open } = place();
  return { memory: open(), again: open };
});

test('a word that this version does not know is an error that names row and value', async () => {
  const { file, open } = place();
  const made = { created_by: 'ann', created_at: 1 };
  await open().remember({ agent: 'neo', type: 'update', importance: 'low', content: 'x', ...made });
  const database = await openDatabase(file);
  database.script("PRAGMA ignore_check_constraints = ON; UPDATE memories SET importance = 'huge\u001b'");
  database.close();
  await expect(open().memories({ limit: 1 })).rejects.toMatchObject({
    code: 'data_corrupt',
    message: 'teams.db memories 1: importance has unknown value huge\\u{1b}',
  });
});

test('of two who settle one entry at the same time one is told that it was settled', async () => {
  const { open } = place();
  const entry = { agent: 'neo', slug: 's', type: 'scope', title: 't', content: '', rationale: '' } as const;
  await open().file({ ...entry, created_by: 'ann', created_at: 1 });
  const both = await Promise.allSettled(
    [open(), open()].map((memory) => memory.settle(1, { status: 'merged', by: 'ann', at: 2 })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await open().decisions({ limit: 5 })).toHaveLength(1);
});
