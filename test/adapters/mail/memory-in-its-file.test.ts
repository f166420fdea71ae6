import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { InboxTables } from '#adapters/teams/inbox-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { readMemory } from '#core/squad/memory-state.js';
import { readRecords } from '#core/squad/shared-record.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
const AT = 1_772_359_200_007;
/** A row as a version with tables of memories kept it: unknown as a record, known and not shared, shared. */
const ROWS = `
INSERT INTO decisions (number, source, type, title, content, rationale, agent, status, superseded_by, created_by, created_at)
  VALUES (2, 'request:r', 'scope', 'Now', 'T', 'W', 'neo', 'active', NULL, 'ann', ${AT});
INSERT INTO decisions (number, type, title, content, rationale, status, superseded_by, created_by, created_at, id, rev, sha256, shared)
  VALUES (1, 'process', 'Before', '', '', 'superseded', 2, 'ann', 1000, 'aaaaaaaaaaaaaaaa', 2, 'x', 0),
         (3, 'process', 'Shared', '', '', 'active', NULL, 'ann', 1000, 'bbbbbbbbbbbbbbbb', 1, 'x', 1);
INSERT INTO memories (number, source, agent, type, importance, content, created_by, created_at)
  VALUES (1, 'charter:neo:1', 'neo', 'core_context', 'high', 'Charter', 'ann', 1000),
         (2, NULL, 'neo', 'learning', 'low', 'It''s "here"', 'ann', 1000);
INSERT INTO work_sessions (number, source, focus, context, started_by, started_at, ended_at)
  VALUES (1, 'cast:p', 'First', '', 'ann', 1000, ${AT}), (2, NULL, 'Second', 'C', 'ann', 2000, NULL);
INSERT INTO ledger_stamp VALUES (1, 'x');`;

async function keptBefore() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const migrations = path.join(folder, 'migrations');
  cpSync(MIGRATIONS, migrations, { recursive: true });
  for (const name of readdirSync(migrations)) if (name >= '0011') rmSync(path.join(migrations, name));
  const open = (from: string) => {
    const inbox = new InboxTables(
      new TeamsDatabase({
        ...{ turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations: from },
        clock: { now: () => AT },
      }),
    );
    onTestFinished(() => inbox.close());
    return inbox;
  };
  const before = open(migrations);
  await before.mark([{ place: 'a', sha256: '1' }]);
  await before.close();
  const database = await openDatabase(path.join(folder, 'teams.db'));
  database.script(ROWS);
  database.close();
  return open(MIGRATIONS);
}

verifies(
  'one.memory',
  'rows of an earlier version wait as lines of the file; what it shared or made of a charter does not',
  async () => {
    const waiting = await (await keptBefore()).waiting();
    const { memories, decisions, sessions } = readMemory({ kept: readRecords(undefined), waiting, files: [] }, 0);
    const rows = (all: readonly { readonly row: object }[]) => all.map(({ row }) => row);
    const made = { created_by: 'ann', created_at: 1_000 };
    expect(rows(decisions)).toEqual([
      {
        number: 1,
        type: 'process',
        title: 'Before',
        content: '',
        rationale: '',
        status: 'superseded',
        superseded_by: 2,
        ...made,
      },
      {
        number: 2,
        type: 'scope',
        title: 'Now',
        content: 'T',
        rationale: 'W',
        agent: 'neo',
        status: 'active',
        ...made,
        created_at: AT,
      },
    ]);
    expect(rows(memories)).toEqual([
      { number: 2, agent: 'neo', type: 'learning', importance: 'low', content: 'It\'s "here"', ...made },
    ]);
    expect(rows(sessions)).toEqual([
      { number: 1, focus: 'First', context: '', started_by: 'ann', started_at: 1_000, ended_at: AT, source: 'cast:p' },
      { number: 2, focus: 'Second', context: 'C', started_by: 'ann', started_at: 2_000 },
    ]);
  },
);
