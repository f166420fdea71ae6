import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inputsOf, ownVariables, PASSED, sharedEnvironment } from '#adapters/runs/environment.js';
import { guardFolder, hasGuard, writeGuard } from '#adapters/runs/git-guard.js';
import { endLeftovers } from '#adapters/runs/leftovers.js';
import type { PlacedPlan } from '#adapters/runs/placed-plan.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const NAMES = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LC_ALL',
    'TERM',
    'TZ',
    'TMPDIR',
    'HTTP_PROXY',
    'HTTPS_PROXY',
  ],
  ...['NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS', 'ALL_PROXY', 'all_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'TROUPE_TEST_ROOM', 'TROUPE_DEBUG', 'JAVA_HOME', 'GOPATH', 'GOCACHE'],
  ...['CARGO_HOME', 'RUSTUP_HOME'],
];
const PLAN = { id: 'agent-12', taskId: 'a', fence: 3, environment: {} } as unknown as PlacedPlan;

test('all runs of a project know the names on the list, and where they are', () => {
  expect([...PASSED].sort()).toEqual([...NAMES].sort());
  const ours = Object.fromEntries([...NAMES.slice(1), 'SECRET'].map((name) => [name, `${name} here`]));
  const own = { TROUPE_BIN: '/bin/troupe', WG_EXECUTOR_TYPE: 'shell', WG_PROJECT_ROOT: '/project' };
  expect(sharedEnvironment({ ...ours, PATH: '' }, { projectFolder: '/project', command: '/bin/troupe' })).toEqual({
    ...Object.fromEntries(NAMES.slice(1).map((name) => [name, `${name} here`])),
    ...{ PATH: '', ...own },
  });
  expect(sharedEnvironment({}, { projectFolder: '/project', command: '/bin/troupe' })).toEqual(own);
});

test('a run knows who it is, the inputs of its task, and what its client may', () => {
  const of = (more: object) => ownVariables({ ...PLAN, ...more }, '/agents/agent-12', 'token');
  const self = [
    ...['WG_TASK_ID=a', 'WG_AGENT_ID=agent-12', 'WG_ATTEMPT=3', 'WG_FENCE=3', 'WG_RUN=/agents/agent-12'],
    'WG_RUN_TOKEN=token',
  ];
  expect(of({})).toEqual(self);
  const environment = { IN_A: '1', IN_B_2: '2', IN_: 'x', in_a: 'x', IN_1: 'x', OTHER: 'x', IN_NUL: 'a\0b' };
  expect(inputsOf({ ...PLAN, environment })).toEqual(['IN_A', 'IN_B_2']);
  expect(of({ environment, executor: 'mine' })).toEqual(['IN_A=1', 'IN_B_2=2', ...self, 'WG_EXECUTOR_TYPE=mine']);
  const client = { here: { passed: { KEY: 'k', WG_RUN: 'x' } }, request: { model: 'm', provider: 'p' } };
  const bare = { here: { passed: {} }, request: {} };
  const push = ['GIT_CONFIG_KEY_0=url.runs-do-not-push://.pushInsteadOf', 'GIT_CONFIG_VALUE_0='];
  expect(of({ client })).toEqual([
    ...['KEY=k', 'WG_RUN=x', ...self, 'WG_MODEL=m', 'WG_LLM_PROVIDER=p', `TROUPE_NODE=${process.execPath}`],
    ...['GIT_CONFIG_COUNT=1', ...push],
  ]);
  expect(of({ client: bare })).toEqual([
    ...[...self, `TROUPE_NODE=${process.execPath}`, 'GIT_CONFIG_COUNT=1', ...push],
  ]);
  const tree = { path: '/trees/a', branch: 'troupe/a/1' };
  const { first, each, runs } = WORK_LIMITS.runPorts;
  const placed = (id: string) => of({ tree, id }).find((one) => one.startsWith('TROUPE_PORT_BASE='));
  expect(of({ tree })).toEqual([
    ...[...self, 'WG_WORKTREE_PATH=/trees/a', 'WG_BRANCH=troupe/a/1', `TROUPE_PORT_BASE=${first + 12 * each}`],
    ...['GIT_CONFIG_COUNT=1', 'GIT_CONFIG_KEY_0=core.hooksPath', 'GIT_CONFIG_VALUE_0=/agents/git-hooks'],
  ]);
  expect([placed(`agent-${runs}`), placed(`agent-${runs + 1}`)]).toEqual([
    ...[`TROUPE_PORT_BASE=${first}`, `TROUPE_PORT_BASE=${first + each}`],
  ]);
  expect(of({ tree, client: bare }).slice(-5)).toEqual([
    ...['GIT_CONFIG_COUNT=2', ...push, 'GIT_CONFIG_KEY_1=core.hooksPath', 'GIT_CONFIG_VALUE_1=/agents/git-hooks'],
  ]);
});

test('each hook that a repository may have is passed on by one of ours, written anew', () => {
  const agents = room('agents');
  expect(hasGuard(agents)).toBe(false);
  mkdirSync(guardFolder(agents));
  writeFileSync(path.join(guardFolder(agents), 'planted'), '');
  writeGuard(agents);
  expect(readdirSync(guardFolder(agents)).sort()).toEqual(
    [
      ...[
        'applypatch-msg',
        'pre-applypatch',
        'post-applypatch',
        'pre-commit',
        'pre-merge-commit',
        'prepare-commit-msg',
      ],
      ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'post-rewrite'],
      ...['pre-auto-gc', 'pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'],
    ].sort(),
  );
  expect(hasGuard(agents)).toBe(true);
  const modes = [guardFolder(agents), path.join(guardFolder(agents), 'update')].map(
    (file) => statSync(file).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700]);
});

test('how an attempt ended is the latest line about it, among those that are near the end', () => {
  const folder = path.join(room('ends'), 'own');
  const ends = new RunEnds(path.join(folder, 'ends'));
  const attempt = { id: 'agent-1', taskId: 'a', fence: 1 };
  expect(ends.exitOf(attempt)).toBeUndefined();
  ends.clear();
  ends.prepare();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const said = (more: object) =>
    appendFileSync(ends.file, `${JSON.stringify({ run: 'agent-1', task_id: 'a', fence: 1, code: 7, ...more })}\n`);
  for (const other of [{ run: 'agent-2' }, { task_id: 'b' }, { fence: 2 }, { code: '0' }]) said(other);
  appendFileSync(ends.file, 'words\n');
  expect(ends.exitOf(attempt)).toBeUndefined();
  said({ code: 1 });
  said({ code: 2, checked: 'yes' });
  said({ code: '3' });
  expect(ends.exitOf(attempt)).toEqual({ code: 2 });
  said({ code: 0, checked: true });
  expect(ends.exitOf(attempt)).toEqual({ code: 0, check: { lastLines: '' } });
  appendFileSync(ends.file, 'x'.repeat(WORK_LIMITS.runEndsBytes - 1));
  expect(ends.exitOf(attempt)).toBeUndefined();
  expect(openBelow(folder)).toEqual([]);
  ends.close();
  expect(existsSync(ends.file)).toBe(true);
  ends.clear();
  expect(readFileSync(ends.file, 'utf8')).toBe('');
  ends.close();
  expect(existsSync(folder)).toBe(false);
  ends.close();
  ends.prepare();
  writeFileSync(path.join(folder, 'socket'), '');
  ends.close();
  expect(readdirSync(folder)).toEqual(['socket']);
});

test('what runs leave is ended in at most three looks, and told of', () => {
  const looks = (found: readonly (readonly number[])[]) => {
    const asked: unknown[] = [];
    const sent: unknown[] = [];
    const left = [...found];
    const processes = {
      belongingTo: (mark: unknown) => {
        asked.push(mark);
        return left.shift() ?? [];
      },
      signal: (...what: unknown[]) => sent.push(what),
    } as never;
    return { ended: [...endLeftovers(processes, new Set(['/run']), new Set([4]))], asked, sent };
  };
  expect(looks([[], [9]])).toMatchObject({ ended: [], sent: [], asked: { length: 1 } });
  const many = looks([[1, 2], [2], [3], [9]]);
  expect(many.ended).toEqual([1, 2, 3]);
  expect(many.sent).toEqual([1, 2, 2, 3].map((pid) => [pid, 'SIGKILL']));
  expect(many.asked).toEqual(
    Array.from({ length: 3 }, () => ({ name: 'WG_RUN', values: new Set(['/run']), sessions: new Set([4]) })),
  );
});
