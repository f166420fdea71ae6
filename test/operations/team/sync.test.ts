import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { SquadRepository } from '#adapters/git/squad-repository.js';
import { sync } from '#operations/history/sync.js';
import { contextOf } from '../../context-of.js';
import { git, repository, write } from '../../repository.js';
import { verifies } from '../../verifies.js';

verifies(['sync.status', 'sync.commit', 'sync.refuse'], 'look, then commit what was looked at, by name', async () => {
  const folder = repository({ '.squad/team.md': 'one\n' });
  git(folder, 'config', 'user.name', 'Ann');
  git(folder, 'config', 'user.email', 'ann@example.org');
  const context = contextOf({ squadSync: async () => new SquadRepository(folder, process.env) });
  expect(await sync.run(context, {})).toEqual({ changes: [], change_set_hash: '', nothing_to_sync: true });
  await expect(sync.run(context, { commit: true, expect: '' })).rejects.toMatchObject({ code: 'nothing_to_sync' });
  await expect(sync.run(context, { commit: true })).rejects.toMatchObject({ code: 'bad_input' });
  await expect(sync.run(context, { message: 'm' })).rejects.toMatchObject({ code: 'bad_input' });
  write(folder, { '.squad/team.md': 'two\n' });
  const seen = await sync.run(context, { diff: true });
  expect(seen).toMatchObject({ nothing_to_sync: false, diff_cut: false, diff: expect.stringContaining('+two') });
  const done = await sync.run(context, { commit: true, expect: seen.change_set_hash });
  const [commit, subject] = git(folder, 'log', '-1', '--format=%H%n%s').split('\n');
  expect(done).toMatchObject({ commit_id: commit, nothing_to_sync: false });
  expect(subject).toBe('Update the team');
  expect(readFileSync(path.join(folder, '.squad/team.md'), 'utf8')).toBe('two\n');
});
