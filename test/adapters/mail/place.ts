import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

/** A fresh folder for `teams.db`; connections to it are closed with the test. */
export function teamsPlace() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const copies = path.join(folder, 'copies');
  const database = () => {
    const opened = new TeamsDatabase({
      ...{ turn: FREE_TURN, copies, folder, migrations: MIGRATIONS },
      clock: { now: () => 1_000 },
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { file: path.join(folder, 'teams.db'), database };
}
