import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { git, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, integrationOf, place } from './place.js';

const IGNORE = { '.gitignore': '.workgraph/\n.env*\nbuild/\nsecrets/\nlink\n', 'f.txt': 'one\n' };

verifies(
  'tree.setup',
  'ignored files that .worktreeinclude lists are copied into each worktree, and never merged',
  async () => {
    const { folder, worktrees, own } = place({
      ...IGNORE,
      '.worktreeinclude': '.env*\n!.env.production\nsecrets/*.pem\nloose.txt\nf.txt\nlink\n',
    });
    write(folder, {
      ...{
        '.env': 'A=1',
        '.env.production': 'no',
        'app/.env.local': 'B=2',
        'secrets/a.pem': 'pem',
        'secrets/b.txt': 'no',
      },
      ...{ 'build/out.js': 'no', 'loose.txt': 'not ignored', '.workgraph/.env': 'no' },
    });
    symlinkSync('/etc/passwd', path.join(folder, 'link'));
    const before = own();
    const { path: tree } = await worktrees.create({ task: 'a', attempt: 1 });
    for (const [name, text] of Object.entries({
      '.env': 'A=1',
      'app/.env.local': 'B=2',
      'secrets/a.pem': 'pem',
      'f.txt': 'one\n',
    }))
      expect([name, readFileSync(path.join(tree, name), 'utf8')]).toEqual([name, text]);
    for (const name of ['.env.production', 'secrets/b.txt', 'build', 'loose.txt', 'link', '.workgraph'])
      expect([name, existsSync(path.join(tree, name))]).toEqual([name, false]);
    expect(git(tree, 'status', '--porcelain')).toBe('');
    expect(own()).toEqual(before);
    commitIn(tree, { 'work.txt': 'work' });
    await worktrees.mergeBack({ task: 'a', attempt: 1, how: 'merge', title: 'A' });
    const merged = git(folder, 'ls-tree', '-r', '--name-only', integrationOf(folder));
    expect(merged).toContain('work.txt');
    expect(merged).not.toMatch(/env|pem/);
  },
);

verifies('tree.setup', 'no copy follows a link of the commit, or passes the limit', async () => {
  const { folder, worktrees } = place({ ...IGNORE, '.worktreeinclude': 'secrets/\n' });
  const outside = room('outside');
  // The next commit has a link where the person's checkout has a folder.
  symlinkSync(outside, path.join(folder, 'secrets'));
  git(folder, 'add', '--force', 'secrets');
  git(folder, 'commit', '--quiet', '-m', 'a link');
  git(folder, 'rm', '--quiet', '--cached', 'secrets');
  git(folder, 'clean', '--quiet', '-fdx', 'secrets');
  mkdirSync(path.join(folder, 'secrets'));
  writeFileSync(path.join(folder, 'secrets/key'), 'key');
  await expect(worktrees.create({ task: 'a', attempt: 1 })).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(readdirSync(outside)).toEqual([]);

  const many = place({ ...IGNORE, '.worktreeinclude': 'build/\n' });
  write(
    many.folder,
    Object.fromEntries(Array.from({ length: SURFACE_LIMITS.includedFiles + 1 }, (_, at) => [`build/${at}`, ''])),
  );
  await expect(many.worktrees.create({ task: 'a', attempt: 1 })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('list 1001 files'),
  });
});

verifies('tree.setup', 'patterns of the settings add to the list', async () => {
  const { folder, worktrees } = place(IGNORE);
  write(folder, { '.env': 'A=1', 'secrets/a.pem': 'pem', 'build/out.js': 'no' });
  const { path: tree } = await worktrees.create({ task: 'a', attempt: 1, copy: ['.env', 'secrets/'] });
  expect(readFileSync(path.join(tree, '.env'), 'utf8')).toBe('A=1');
  expect([existsSync(path.join(tree, 'secrets/a.pem')), existsSync(path.join(tree, 'build'))]).toEqual([true, false]);
});
