import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { programEnvironment } from '#adapters/inspectors/command.js';
import { copyDependencies } from '#adapters/inspectors/copy-dependencies.js';
import { RepositoryInspector } from '#adapters/inspectors/repository-inspector.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import type { RecognisedCommand, ReviewPlan } from '#core/review/plan.js';
import { isAlive } from '../../alive.js';
import { PATIENCE } from '../../patience.js';
import { git, repository, treeDigest, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const LIMITED = { files: 1_000, bytes: 1024 * 1024, timeMs: 10_000 };

const programs = new LocalPrograms({ projectFolder: '/nowhere', environment: {} });

const run = (script: string, timeMs: number, graceMs = 100) =>
  programs.run('sh', ['-c', script], {
    cwd: room(),
    environment: programEnvironment(process.env, '/nowhere'),
    timeMs,
    graceMs,
  });

test('a program that hangs is ended at its time, with all its group, also when it ignores the first signal', async () => {
  const outcome = await run('trap "" TERM; sleep 300 & echo "$$ $!"; sleep 300; sleep 300', 300);
  expect(outcome).toMatchObject({ end: 'timed-out', code: null });
  const pids = outcome.output.trim().split(' ').map(Number);
  expect(pids).toHaveLength(2);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE);
});

test('what a program leaves behind is ended, and nobody waits for its open pipe', async () => {
  const outcome = await run('sleep 300 & echo $!; exit 4', 20_000);
  expect(outcome).toMatchObject({ end: 'exited', code: 4 });
  expect(outcome.durationMs).toBeLessThan(10_000);
  await vi.waitFor(() => expect(isAlive(Number(outcome.output.trim()))).toBe(false), PATIENCE);
});

test('told to end, we end the group first and still give an answer', async () => {
  const before = new Set(process.listeners('SIGTERM'));
  const running = run('echo $$; sleep 300', 20_000);
  const ours = process.listeners('SIGTERM').find((listener) => !before.has(listener));
  ours?.('SIGTERM');
  const outcome = await running;
  expect(outcome.end).toBe('stopped');
  expect(process.listeners('SIGTERM')).toHaveLength(before.size);
});

test('output of any size is bounded, and begin and end are kept; a missing program is an answer', async () => {
  const outcome = await run('echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last', 20_000);
  expect(outcome.output.length).toBeLessThan(600_000);
  expect(outcome.output).toMatch(/^first[\s\S]*bytes left out[\s\S]*last\n$/);
  const environment = programEnvironment(process.env, '/nowhere');
  // EACCES says both that it may not be run and that a folder of PATH may not be read: only the second is a missing program.
  const folder = room();
  writeFileSync(path.join(folder, 'not-to-be-run'), '', { mode: 0o600 });
  const within = { ...environment, PATH: `${folder}:/usr/bin` };
  const denied = await programs.run('not-to-be-run', [], { cwd: room(), environment: within, timeMs: 1_000 });
  expect([denied.end, denied.code], 'it is there').toEqual(['not-started', null]);
  expect(await programs.run('no-such-program', [], { cwd: room(), environment, timeMs: 1_000 })).toMatchObject({
    end: 'missing',
    code: null,
  });
});

verifies(
  'sec.env',
  'a command of the repository gets an allow-list, no key of ours, and no relative folder to find programs in',
  () => {
    const environment = programEnvironment(
      {
        PATH: `/usr/bin:.:relative:/bin`,
        HOME: '/home/me',
        ANTHROPIC_API_KEY: 'k',
        WG_RUN_TOKEN: 't',
        NODE_OPTIONS: '--require /evil',
        GIT_DIR: '/x',
        WG_RUN: 'r',
      },
      '/scratch',
    );
    expect(environment).toMatchObject({
      PATH: '/usr/bin:/bin',
      HOME: '/home/me',
      WG_RUN: 'r',
      CI: '1',
      npm_config_offline: 'true',
      npm_config_cache: '/scratch/npm',
    });
    for (const name of ['ANTHROPIC_API_KEY', 'WG_RUN_TOKEN', 'NODE_OPTIONS', 'GIT_DIR'])
      expect(environment).not.toHaveProperty(name);
  },
);

test('dependencies are copied, never linked: no path of the copy leads into the original', async () => {
  const [source, target, outside] = [room('source'), room('target'), room('outside')];
  write(source, {
    'node_modules/a/index.js': 'a',
    'node_modules/.bin/.keep': '',
    'packages/p/index.js': 'p',
    '.venv/lib/x.py': 'x',
  });
  mkdirSync(path.join(source, '.venv/bin'));
  symlinkSync('../a/index.js', path.join(source, 'node_modules/.bin/a'));
  symlinkSync(path.join(source, 'packages/p'), path.join(source, 'node_modules/p'));
  symlinkSync(outside, path.join(source, 'node_modules/out'));
  symlinkSync('../../outside', path.join(source, 'node_modules/up'));
  symlinkSync(process.execPath, path.join(source, '.venv/bin/python3'));
  const outcome = await copyDependencies(source, target, 'node_modules', LIMITED);
  expect(outcome).toMatchObject({ files: 2, linksLeftOut: 2 });
  expect(readlinkSync(path.join(target, 'node_modules/.bin/a'))).toBe('../a/index.js');
  expect(readlinkSync(path.join(target, 'node_modules/p'))).toBe('../packages/p');
  expect(existsSync(path.join(target, 'node_modules/out'))).toBe(false);
  writeFileSync(path.join(target, 'node_modules/a/index.js'), 'changed');
  expect(readFileSync(path.join(source, 'node_modules/a/index.js'), 'utf8')).toBe('a');
  await copyDependencies(source, target, '.venv', LIMITED);
  expect(readlinkSync(path.join(target, '.venv/bin/python3'))).toBe(process.execPath);
});

test('too many, too large, too slow: the copy is given up and nothing of it stays', async () => {
  const source = room('source');
  write(source, { 'node_modules/a': 'aaaa', 'node_modules/b': 'bbbb' });
  for (const bounds of [
    { ...LIMITED, files: 1 },
    { ...LIMITED, bytes: 5 },
    { ...LIMITED, timeMs: -1 },
  ]) {
    const target = room('target');
    const outcome = await copyDependencies(source, target, 'node_modules', bounds);
    expect(outcome.refused).toMatch(/more than|larger than|longer than/);
    expect(existsSync(path.join(target, 'node_modules'))).toBe(false);
  }
});

const command = (id: string, more: Partial<RecognisedCommand> = {}): RecognisedCommand => ({
  id,
  title: id,
  kind: 'unit',
  program: 'sh',
  args: ['-c', `echo ${id}`],
  folder: '',
  install: 'npm ci',
  ...more,
});

function review(folder: string, commands: RecognisedCommand[]) {
  const plan: ReviewPlan = {
    version: 1,
    review: 'review',
    workflow: 'repository-review',
    name: 'x',
    repository: folder,
    dependencies_from: folder,
    run: 'fast',
    head: git(folder, 'rev-parse', 'HEAD').trim(),
    started_at: new Date().toISOString(),
    leader: 'Neo',
    facts: ['commands'],
    commands,
    steps: [],
  };
  const inspector = new RepositoryInspector({
    projectFolder: folder,
    git: new LocalGit(process.env),
    programs,
    environment: process.env,
  });
  return {
    inspect: (name: 'prepare' | 'command', id?: string) => {
      const chosen = commands.find((item) => item.id === id);
      return inspector.inspect({ name, plan, ...(chosen ? { command: chosen } : {}) });
    },
    worktree: inspector.folder.worktree('review'),
  };
}

test('commands run in the scratch copy of the last commit; what they write never reaches the user', async () => {
  const folder = repository({ 'a.txt': 'committed' });
  write(folder, { 'a.txt': 'edited', 'node_modules/m/x': 'x', 'sub/node_modules/n/x': 'x' });
  const { inspect, worktree } = review(folder, [
    command('write', {
      args: ['-c', 'cat a.txt; echo gone > a.txt; echo new > new.txt; rm -r node_modules/m'],
      needs: 'node_modules',
    }),
    command('lost', { needs: '.venv' }),
    command('away', { folder: 'nowhere' }),
    command('shared', { folder: 'a', needs: 'node_modules' }),
    command('beside', { folder: 'a', needs: 'deps' }),
    command('file', { folder: 'a', needs: 'a.txt' }),
  ]);
  const early = await inspect('command', 'write');
  expect(early).toMatchObject({ exit_code: null, findings: [{ rule: 'command-not-run', severity: 'info' }] });
  const before = treeDigest(folder);
  write(worktree, { 'a.txt': 'half of an attempt that was cut off' });
  await inspect('prepare');
  await inspect('prepare'); // a second attempt begins afresh
  expect(lstatSync(path.join(worktree, 'node_modules/m/x')).isFile()).toBe(true);
  expect(await inspect('command', 'write')).toMatchObject({ exit_code: 0, output: 'committed', findings: [] });
  expect(existsSync(path.join(worktree, 'new.txt'))).toBe(true);
  expect(treeDigest(folder)).toBe(before);
  write(worktree, { 'a/deps/x': 'x', 'a/a.txt': 'x' });
  expect(await inspect('command', 'shared')).toMatchObject({ exit_code: 0, output: 'shared' });
  expect(await inspect('command', 'beside')).toMatchObject({ exit_code: 0, output: 'beside' });
  const why = 'Not run. Its dependencies (a.txt) are not installed.';
  expect(await inspect('command', 'file')).toMatchObject({ exit_code: null, output: why });
  expect(await inspect('command', 'lost')).toMatchObject({ exit_code: null, findings: [{ rule: 'command-not-run' }] });
  expect(await inspect('command', 'away')).toMatchObject({ exit_code: null, findings: [{ rule: 'command-not-run' }] });
});

test('a tracked link to a folder elsewhere is no place to run a command in', async () => {
  const outside = room('outside');
  const folder = repository({});
  symlinkSync(outside, path.join(folder, 'linked'));
  git(folder, 'add', 'linked');
  git(folder, 'commit', '--quiet', '-m', 'link');
  const { inspect } = review(folder, [command('in-link', { folder: 'linked', args: ['-c', 'touch here'] })]);
  await inspect('prepare');
  expect(await inspect('command', 'in-link')).toMatchObject({ exit_code: null });
  expect(existsSync(path.join(outside, 'here'))).toBe(false);
});
