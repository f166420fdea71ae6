import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '#adapters/teams-database/database.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, troupe } from './program.js';

verifies(
  ['team.life.check', 'team.db.unknown-status'],
  'a team of its own without a graph: made, shown, ended; then nothing changes it, and no row is guessed at',
  async () => {
    const cwd = room('teams');
    expect((await troupe(['team', 'list'], { cwd })).stderr).toContain('There is no team yet.');
    const file = path.join(cwd, '.workgraph/teams.db');
    expect(existsSync(file)).toBe(false);
    const steps: readonly (readonly [readonly string[], string])[] = [
      [['team', 'create', 'airlock', '--leader', 'Ripley', '--description', 'Fix \u001b[31mit'], 'airlock is created'],
      [['team', 'add', 'airlock', 'Hicks'], 'Hicks is on airlock: member'],
      [['team', 'add', 'Airlock', 'hicks'], 'Hicks is already on airlock'],
      [['team', 'show', 'airlock'], 'Fix \\u{1b}[31mit'],
      [['team', 'rename', 'airlock', 'hull'], 'is now called hull'],
      [['team', 'remove', 'hull', 'Ripley', '--leader', 'Hicks'], 'Ripley has left hull, which Hicks leads'],
      [['team', 'list'], 'Hicks'],
      [['roster', 'team', 'hull'], 'may write to no one'],
      [['roster', 'team', 'hull', '--agents'], '{}'],
      [['team', 'disband', 'hull'], 'hull is disbanded'],
      [['team', 'disband', 'hull'], 'hull was disbanded'],
      [['team', 'events', 'hull'], 'team-disbanded'],
    ];
    for (const [words, said] of steps) {
      const answer = await troupe(words, { cwd });
      expect([answer.code, words.join(' ')], answer.stderr).toEqual([0, words.join(' ')]);
      expect(answer.stdout, words.join(' ')).toContain(said);
    }
    const before = await asked(['team', 'show', 'hull'], { cwd });
    const refused = await troupe(['team', 'add', 'hull', 'Vasquez'], { cwd });
    expect([refused.code, refused.stderr.split(':')[0]]).toEqual([1, 'error[team_disbanded]']);
    expect(await asked(['team', 'show', 'hull'], { cwd })).toEqual(before);
    expect((await troupe(['team', 'archive', 'hull'], { cwd })).stderr).toContain('error[team_transition]');
    const database = await openDatabase(file);
    database.script("PRAGMA ignore_check_constraints = ON; UPDATE teams SET status = 'zombie'");
    const [{ id } = {}] = database.all('SELECT id FROM teams');
    database.close();
    expect((await troupe(['team', 'list'], { cwd })).stderr).toContain(
      `error[data_corrupt]: teams.db teams ${id}: status has unknown value zombie`,
    );
  },
);
