import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

const INBOX = '.squad/decisions/inbox';
const entry = (slug: string) =>
  `---\nagent: trinity\nslug: ${slug}\ntype: architectural\ntitle: One store\n---\n\nKeep it.\n\n**Rationale:** One file.\n`;

function put(cwd: string, relative: string, text: string): void {
  mkdirSync(path.dirname(path.join(cwd, relative)), { recursive: true });
  writeFileSync(path.join(cwd, relative), text);
}

verifies('cli.team', 'every word about a team and its memory does what it says, without a task graph', async () => {
  const cwd = room('team');
  execFileSync('git', ['init', '-q'], { cwd });
  for (const [name, value] of [
    ['user.email', 'ann@example.org'],
    ['user.name', 'Ann'],
  ] as const)
    execFileSync('git', ['config', name, value], { cwd });
  expect((await troupe(['memory', 'list'], { cwd })).stdout).toContain('No memories found');
  expect(existsSync(path.join(cwd, '.workgraph/teams.db'))).toBe(false);
  await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
  await asked(['cast', 'confirm'], { cwd });
  const steps: readonly (readonly [readonly string[], string])[] = [
    [['team', 'show'], 'Trinity'],
    [['member', 'add', 'qa-engineer'], 'Morpheus'],
    [['member', 'rerole', 'Morpheus', 'security-engineer'], 'Morpheus'],
    [['member', 'retire', 'Morpheus'], 'Morpheus'],
    [['member', 'restore', 'Morpheus'], 'Morpheus'],
    [['member', 'rename', 'Morpheus', 'Switch'], 'Switch'],
    [['squad', 'check'], 'match'],
    [['squad', 'render'], ''],
    [['squad', 'migrate', '--dry-run'], ''],
    [['session', 'show'], 'The team has just been cast'],
    [['session', 'change', '--focus', 'The parser'], 'The parser'],
    [['memory', 'add', 'trinity', 'Name what holds.', '--type', 'pattern'], 'trinity remembers'],
  ];
  for (const [words, said] of steps) {
    const answer = await troupe(words, { cwd });
    expect([answer.code, words.join(' ')], answer.stderr).toEqual([0, words.join(' ')]);
    expect(answer.stdout, words.join(' ')).toContain(said);
  }
  put(cwd, `${INBOX}/a.md`, entry('one-store'));
  put(cwd, `${INBOX}/b.md`, 'no front matter \u001b[31m');
  const imported = await troupe(['memory', 'import'], { cwd });
  expect(imported.stdout).toBe(
    `added    ${INBOX}/a.md as entry 1\nleft     ${INBOX}/b.md: has no front matter between two lines of ---\n`,
  );
  expect(await asked(['memory', 'import'], { cwd })).toEqual({
    imported: [],
    skipped: [{ file: `${INBOX}/b.md`, reason: 'has no front matter between two lines of ---' }],
  });
  expect((await troupe(['decision', 'inbox'], { cwd })).stdout).toContain('Because: One file.');
  expect((await troupe(['decision', 'merge', '1'], { cwd })).stdout).toContain('now decision 1');
  expect((await troupe(['decision', 'merge', '1'], { cwd })).stderr).toContain('error[memory_settled]');
  expect((await troupe(['decision', 'merge', 'one'], { cwd })).code).toBe(2);
  const exported = await troupe(['memory', 'export'], { cwd });
  expect(exported.stdout).toContain('written  .squad/decisions.md\n');
  expect(exported.stdout).toContain(`removed  ${INBOX}/a.md\n`);
  expect(readdirSync(path.join(cwd, INBOX))).toEqual(['b.md']);
  expect(readFileSync(path.join(cwd, '.agentweaver/context/patterns.md'), 'utf8')).toContain('Name what holds.');
  expect(readFileSync(path.join(cwd, '.squad/identity/now.md'), 'utf8')).toContain('**Focus:** The parser');
  expect(Object.keys(await asked<object>(['memory', 'export'], { cwd }))).toEqual(['exported', 'kept']);
  // What the team remembers is committed with it, and what other tools look for elsewhere is not.
  const { change_set_hash: hash } = await asked<{ change_set_hash: string }>(['squad', 'sync'], { cwd });
  const synced = await troupe(['squad', 'sync', '--commit', '--expect', hash, '-m', 'The team'], { cwd });
  expect(synced.code, synced.stderr).toBe(0);
  const committed = execFileSync('git', ['show', '--name-only', '--format=%s', 'HEAD'], { cwd, encoding: 'utf8' });
  expect(committed).toContain('The team\n');
  expect(committed).toContain('.squad/decisions.md');
  expect(committed).not.toContain('.agentweaver');
  expect(execFileSync('git', ['status', '--short', '.workgraph'], { cwd, encoding: 'utf8' })).not.toContain('teams.db');
});

verifies(
  'memory.shared',
  'clone, worktree and two merged branches have every decision, and nothing is rewritten',
  async () => {
    const place = room('shared');
    const cwd = path.join(place, 'book');
    const git = (folder: string, ...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], {
        cwd: folder,
        encoding: 'utf8',
      });
    const keep = (folder: string, message: string) => git(folder, 'add', '-A') + git(folder, 'commit', '-qm', message);
    mkdirSync(cwd);
    git(cwd, 'init', '-q', '-b', 'main');
    await asked(['cast', 'manual', 'writer', '--universe', 'The Matrix'], { cwd });
    await asked(['cast', 'confirm'], { cwd });
    await asked(['decision', 'add', 'One store'], { cwd });
    await asked(['memory', 'export'], { cwd });
    keep(cwd, 'begun');
    const [clone, tree] = [path.join(place, 'atlas'), path.join(place, 'tree')];
    git(place, 'clone', '-q', cwd, clone);
    git(cwd, 'worktree', 'add', '-q', tree, '-b', 'feature');
    for (const folder of [clone, tree, cwd]) {
      await asked(['decision', 'add', `Of ${path.basename(folder)}`], { cwd: folder });
      await asked(['memory', 'export'], { cwd: folder });
      keep(folder, path.basename(folder));
      expect(git(folder, 'status', '--short')).toBe('');
    }
    git(cwd, 'merge', '-q', 'feature', '-m', 'both');
    git(cwd, 'pull', '-q', '--no-rebase', clone, 'main');
    const titles = async (folder: string) => {
      const { decisions } = await asked<{ decisions: { number: number; title: string }[] }>(['decision', 'list'], {
        cwd: folder,
      });
      return decisions.map(({ number, title }) => `${number}. ${title}`);
    };
    expect(await titles(cwd)).toEqual(['1. One store', '2. Of atlas', '3. Of tree', '4. Of book']);
    expect(git(cwd, 'status', '--short')).toBe('');
    expect(await asked<object>(['memory', 'export'], { cwd })).toMatchObject({ kept: [] });
    keep(cwd, 'met');
    git(clone, 'pull', '-q', '--no-rebase', cwd, 'main');
    expect(await titles(clone)).toEqual(await titles(cwd));
    expect(await asked<object>(['memory', 'export'], { cwd: clone })).toEqual({ exported: [], kept: [] });
    expect(git(clone, 'status', '--short')).toBe('');
  },
);

verifies(['cli.team', 'confirm.seed-memory'], 'with a service the same memory answers, from both sides', async () => {
  const cwd = await project('zion');
  await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
  expect(await asked<object>(['cast', 'confirm'], { cwd })).toMatchObject({ warnings: [] });
  await startService(cwd);
  const { memories } = await asked<{ memories: { agent: string }[] }>(['memory', 'list'], { cwd });
  expect(memories.map(({ agent }) => agent)).toEqual(['neo', 'trinity']);
  put(cwd, `${INBOX}/a.md`, entry('one-store'));
  expect(await asked<{ imported: unknown[] }>(['memory', 'import'], { cwd })).toMatchObject({
    imported: [{ number: 1 }],
  });
  // Confirming runs in the process of whoever asks, beside the service.
  await asked(['cast', 'manual', 'qa-engineer'], { cwd });
  await asked(['cast', 'confirm', '--intent', 'augment'], { cwd });
  const after = await asked<{ memories: { agent: string }[] }>(['memory', 'list', '--type', 'core_context'], { cwd });
  expect(after.memories.map(({ agent }) => agent)).toEqual(['neo', 'trinity', 'morpheus']);
});
