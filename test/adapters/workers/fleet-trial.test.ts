import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { playFleet } from '#adapters/workers/fleet-trial.js';
import { TrialRoom } from '#adapters/workers/trial-room.js';
import { TroupeError } from '#kernel/errors.js';
import type { FleetNews } from '#ports/fleet-trial.js';
import { openToAll, room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A stand-in for the program, which tells its words and answers by the first of them. */
const PROGRAM = `
const { execFileSync } = require('node:child_process');
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const words = process.argv.slice(2);
const log = process.env.TRIAL_LOG;
if (log) appendFileSync(log, basename(process.cwd()) + ': ' + words.join(' ') + '\\n');
const stay = () => setInterval(() => {}, 1_000);
const say = (...lines) => lines.forEach((line) => console.log(JSON.stringify(line)));
const git = (...all) => execFileSync('git', all, { stdio: 'ignore' });
switch (words[0]) {
  case 'environment': {
    const { ...seen } = process.env;
    say({ words, seen });
    break;
  }
  case 'fail':
    console.error(' because of that ');
    process.exitCode = 3;
    break;
  case 'talk':
    say({ event: 'one' }, { event: 'two' });
    stay();
    break;
  case 'worker': {
    const name = words[words.indexOf('--name') + 1];
    const seen = execFileSync('git', ['ls-tree', '-r', 'origin/main'], { encoding: 'utf8' });
    appendFileSync(log, name + ': ' + seen.trim().replace(/ blob \\w+\\t/g, ' ').replaceAll('\\n', ', ') + '\\n');
    say({ event: 'arrived', text: name + ': has 2 slots' }, { event: 'took', task: 'chapter-1' });
    say({ event: 'ended', task: 'chapter-1', text: 'done' }, { event: 'other', task: 'chapter-1', text: 'x' });
    stay();
    break;
  }
  case 'service':
    say({ pid: 7 });
    break;
  case 'list': {
    const tasks = ['chapter-1', 'chapter-2', 'chapter-3', 'chapter-4', 'book'];
    const isFirst = readFileSync(log, 'utf8').split(': list').length === 2;
    say({ tasks: tasks.map((id, index) => ({ id, status: isFirst && index > 0 ? 'open' : 'done' })) });
    if (!isFirst) break;
    git('checkout', '--quiet', '-b', 'wg/integration');
    writeFileSync('BOOK.md', 'one\\ntwo\\n');
    git('add', 'BOOK.md');
    git('commit', '--quiet', '--message', 'A book');
    break;
  }
  default:
    say({});
}
`;
const INITDB = `mkdir "$2"; echo 17 > "$2/PG_VERSION"`;
const POSTGRES = `exec '${process.execPath}' -e '
  process.on("SIGQUIT", () => process.exit());
  setInterval(() => {}, 1_000);
  require("node:fs").writeFileSync(process.argv[2] + "/../.s.PGSQL.5432", "")' -- "$@"`;

function program(): string {
  const file = path.join(room('program'), 'program.cjs');
  writeFileSync(file, PROGRAM);
  return file;
}

function trial(environment: NodeJS.ProcessEnv = process.env, signal = new AbortController().signal): TrialRoom {
  const opened = new TrialRoom({ command: program(), environment, signal });
  onTestFinished(async () => {
    await opened.endFollowed();
    opened.remove();
  });
  return opened;
}

const refusal = (why: unknown, what?: string) =>
  expect.objectContaining({
    ...{ code: 'fleet_failed', why },
    ...(what === undefined ? {} : { message: expect.stringContaining(`: ${what}.`) }),
  });

verifies('fleet.try', 'programs of a trial have a home of their own and nothing that leads to other data', async () => {
  const foreign = {
    ...{ WG_TASK: 'x', GIT_DIR: 'x', PGHOST: 'x', XDG_DATA_HOME: 'x', TROUPE_DATABASE_URL: 'x', TROUPE_RUN: 'x' },
    ...{ TROUPE_PROJECT: 'x', TROUPE_BIN: 'x', TROUPE_DEBUG: 'x', HOME: '/x', TMPDIR: '/x', PWD: '/x', OLDPWD: '/x' },
  };
  const kept = { PATH: process.env['PATH'] ?? '', KEPT: 'yes', TROUPE_RUNS: 'yes', MY_HOME: 'yes' };
  const opened = trial({ ...foreign, ...kept });
  opened.takeDatabase('postgresql://box');
  const at = (name: string) => path.join(opened.folder, name);
  expect(await opened.troupe(opened.folder, 'environment', 'of it')).toEqual({
    words: ['environment', 'of it', '--json'],
    seen: {
      ...kept,
      ...{ HOME: at('home'), XDG_CONFIG_HOME: at('config'), XDG_RUNTIME_DIR: at('run'), TMPDIR: at('tmp') },
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: at('home/.gitconfig') },
      TROUPE_DATABASE_URL: 'postgresql://box',
    },
  });
  expect([statSync(opened.folder).mode & 0o777, statSync(at('home')).mode & 0o777]).toEqual([0o711, 0o700]);
  expect([opened.place('home'), opened.place('more/of it')]).toEqual([at('home'), at('more/of it')]);
  await opened.git(opened.folder, 'init', '--quiet');
  expect(await opened.git(opened.folder, 'config', 'user.email')).toBe('fleet@localhost\n');
  expect(await opened.git(opened.folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main\n');
});

verifies(
  'fleet.try',
  'what fails in a trial is told with its reason, and nothing begins once it is aborted',
  async () => {
    const abort = new AbortController();
    const opened = trial(process.env, abort.signal);
    const here = opened.folder;
    await expect(opened.troupe(here, 'fail', 'now')).rejects.toEqual(refusal('because of that', 'troupe fail now'));
    await expect(opened.git(here, 'rev-parse', 'HEAD')).rejects.toEqual(
      refusal(expect.stringMatching(/^\S.*\S$/s), 'git rev-parse'),
    );
    await expect(trial({ PATH: '/nowhere' }).git(here, 'init')).rejects.toMatchObject({ code: 'ENOENT' });
    abort.abort(new TroupeError('wrong_status'));
    for (const work of [
      () => opened.git(here, 'init'),
      () => opened.troupe(here, 'x'),
      () => opened.until('x', 1_000, () => false),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'wrong_status' });
    expect(existsSync(path.join(here, '.git'))).toBe(false);
    expect(await opened.troupeToTheEnd(here, 'service')).toEqual({ pid: 7 });
  },
);

verifies('fleet.try', 'programs in the foreground are heard until the trial ends them', async () => {
  const opened = trial();
  const heard: unknown[] = [];
  opened.follow(opened.folder, ['talk'], (line) => heard.push(line.event));
  let looks = 0;
  await opened.until('they talk', 60_000, async () => ++looks > 1 && heard.length === 2);
  expect(heard).toEqual(['one', 'two']);
  await opened.until('it is so', -1, () => true);
  await expect(opened.until('it is late', -1, () => false)).rejects.toEqual(refusal('it took too long', 'it is late'));
  opened.follow(opened.folder, ['fail', 'now'], () => undefined);
  const ended = expect(opened.until('they work', 60_000, () => false));
  await ended.rejects.toEqual(refusal('troupe fail now ended with 3:  because of that', 'they work'));
  await opened.endFollowed();
  await expect(
    opened.until('they work', 60_000, () => false),
    'the first is told',
  ).rejects.toEqual(refusal('troupe fail now ended with 3:  because of that'));
});

verifies('fleet.try', 'nothing of a trial outlives this process', async () => {
  const before = process.listeners('exit');
  const opened = trial();
  const [exit] = process.listeners('exit').filter((listener) => !before.includes(listener));
  const heard: unknown[] = [];
  opened.follow(opened.folder, ['talk'], (line) => heard.push(line.event));
  await opened.until('it talks', 60_000, () => heard.length === 2);
  exit?.(0);
  expect(existsSync(opened.folder)).toBe(false);
  await expect(opened.until('x', 60_000, () => false)).rejects.toEqual(refusal('troupe talk ended with null:'));
  opened.remove();
  expect(process.listeners('exit')).toEqual(before);
});

verifies(
  'fleet.try',
  'a trial begins where temporary files belong, unless sockets there had too long names',
  async () => {
    const place = (length: number) => {
      const base = mkdtempSync('/tmp/t-'); // short, wherever the tests have their folder
      onTestFinished(() => rmSync(base, { recursive: true, force: true }));
      const folder = path.join(base, 'x'.repeat(length - base.length - 1));
      mkdirSync(folder);
      vi.stubEnv('TMPDIR', folder);
      return path.dirname(trial().folder) === folder;
    };
    onTestFinished(() => void vi.unstubAllEnvs());
    expect([place(60), place(61)]).toEqual([true, false]);
  },
);

/** A place in which a database of fake programs can be made, also by another user, with a log of the program's words. */
function stage(initdb: string) {
  const place = mkdtempSync(path.join(path.dirname(process.env['TROUPE_TEST_ROOM'] ?? tmpdir()), 'trial-'));
  const [bin, temporary, log] = [path.join(place, 'bin'), path.join(place, 'tmp'), path.join(place, 'log')];
  for (const folder of [bin, temporary]) mkdirSync(folder);
  openToAll(place, bin, temporary);
  for (const [name, text] of Object.entries({ initdb, postgres: POSTGRES })) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
    openToAll(path.join(bin, name));
  }
  vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env['PATH']}`);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true, force: true });
  });
  const news: FleetNews[] = [];
  const result = playFleet({
    command: program(),
    environment: { ...process.env, TRIAL_LOG: log },
    tell: (one) => news.push(one),
    signal: new AbortController().signal,
  });
  const words = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  return { result, news, words, left: () => readdirSync(temporary) };
}

verifies(
  'fleet.try',
  'a database, a leader and two workers carry out a plan, each step is told, and all of it is removed',
  async () => {
    const { result, news, words, left } = stage(INITDB);
    expect(await result).toEqual({
      workers: { 'worker-1': ['chapter-1'], 'worker-2': ['chapter-1'] },
      file: 'BOOK.md',
      lines: ['one', 'two'],
    });
    expect(left()).toEqual([]);
    const chapters = ['chapter-1', 'chapter-2', 'chapter-3', 'chapter-4'];
    const merged = (task: string) => ['merged', 'leader', task, 'its branch is merged into wg/integration'];
    const told = news.map(({ event, who, task, text }) => [event, who, task, text]);
    const of = (name: string) => told.filter(([, who]) => who === name);
    expect(of('database')).toEqual([['database', 'database', undefined, 'PostgreSQL 17, on a socket of its own']]);
    expect(of('leader')).toEqual([
      ['leads', 'leader', undefined, 'process 7 leads the project, and runs no task itself'],
      ['planned', 'leader', undefined, '4 chapters, and a book that waits for all of them'],
      ...[...chapters, 'book'].map(merged),
    ]);
    for (const name of ['worker-1', 'worker-2'])
      expect(of(name)).toEqual([
        ['arrived', name, undefined, 'has 2 slots'],
        ['took', name, 'chapter-1', ''],
        ['ended', name, 'chapter-1', 'done'],
      ]);
    expect(told).toHaveLength(14);
    const did = words();
    const by = (name: string) =>
      did.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
    const after = chapters.flatMap((id) => ['--after', id]).join(' ');
    expect(by('leader')).toEqual(
      [
        ...['init', 'executor trust scripted', 'config set coordinator.executor scripted'],
        'config set coordinator.worktree_isolation on',
        expect.stringMatching(/^database move --to postgresql:\/\/troupe@localhost\/\S+ --project fleet --json$/),
        ...['config set database.remote origin', 'config set database.work workers', 'service start'],
        ...chapters.map((id) => `add ${id.replace('-', ' ')} --id ${id}`),
        ...[`add book --id book ${after}`, 'list', 'list', 'service stop --force --kill-agents'],
      ].map((line) => (typeof line === 'string' ? `${line} --json` : line)),
    );
    for (const name of ['worker-1', 'worker-2'])
      expect(by(name)).toEqual([
        ...['database use --json', 'executor trust scripted --json'],
        `worker start --yes --name ${name} --slots 2 --executor scripted --json`,
        '100644 .workgraph/executors/scripted.toml, 100755 write.sh',
      ]);
  },
);

verifies('fleet.try', 'a trial whose database does not start leaves nothing', async () => {
  const { result, news, words, left } = stage('exit 1');
  await expect(result).rejects.toMatchObject({ code: 'database_server_failed' });
  expect([news, words(), left()]).toEqual([[], [], []]);
});
