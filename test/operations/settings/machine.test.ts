import { expect } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { CLIENTS } from '#core/runs/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Context } from '#operations/operation.js';
import { list, trust } from '#operations/settings/executors.js';
import { lookAtMachine, programVersion, signedIn } from '#operations/settings/machine.js';
import { refuseUnsafeFolder, usableExecutor } from '#operations/settings/usable-executors.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

interface Machine {
  readonly found?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly isLoggedIn?: boolean;
  readonly node?: string;
  readonly output?: string;
  readonly standing?: object;
}

/** A machine of which everything is said. */
function machine(parts: Machine = {}) {
  const { found = ['git', 'bash'], variables = {}, isLoggedIn = false, node = '22.13.0', output = 'git 2.39' } = parts;
  const { standing = { state: 'works', by: 'bubblewrap' } } = parts;
  const asked: unknown[] = [];
  const context: Context = {
    ...world().context,
    clientPrograms: async () =>
      ({
        find: async (name: string) => (found.includes(name) ? `/bin/${name}` : undefined),
        variables: (names: readonly string[]) =>
          Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name))),
        firstOf: async (folder: string, files: readonly string[]) => {
          asked.push([folder, files]);
          return folder === '/hostile' ? '.mcp.json' : undefined;
        },
      }) as never,
    machine: async () => ({ node, holds: () => isLoggedIn }),
    programs: async () =>
      ({
        run: async (...words: unknown[]) => {
          asked.push(words);
          return { output };
        },
      }) as never,
    sandbox: async () => ({ standing: async () => standing }) as never,
    executorTrust: async () => ({ all: async () => new Map() }) as never,
  };
  return { context, asked };
}

const rows = async (parts: Machine) => await lookAtMachine(machine(parts).context);

verifies('hold.missing', 'a machine with all that work needs is told with the versions of its programs', async () => {
  const { context, asked } = machine({
    found: ['git', 'bash', 'codex'],
    isLoggedIn: true,
    variables: { PATH: '/bin' },
  });
  expect(await lookAtMachine(context)).toEqual([
    { subject: 'node', state: 'ok', text: '22.13.0' },
    { subject: 'git', state: 'ok', text: '2.39' },
    { subject: 'bash', state: 'ok', text: '2.39' },
    { subject: 'sandbox', state: 'ok', text: 'bubblewrap keeps runs to their own folders' },
    { subject: 'codex', state: 'ok', text: '2.39, logged in' },
  ]);
  const options = { cwd: '/project', timeMs: TEAM_LIMITS.versionMs, environment: { PATH: '/bin' } };
  expect(asked).toContainEqual(['/bin/git', ['--version'], options]);
  const silent = await rows({ output: 'no number', found: ['git', 'bash', 'codex'] });
  expect(silent.slice(1, 3).map(({ text }) => text)).toEqual(['/bin/git', '/bin/bash']);
  expect(silent.at(-1)).toEqual({
    ...{ subject: 'codex', state: 'note', text: expect.stringMatching(/^version unknown, /) },
    remedy: 'Run `codex login`. A key in a keychain cannot be checked.',
  });
});

verifies('hold.missing', 'each thing that is missing on a machine has its remedy', async () => {
  const error = (subject: string, text: string, remedy: string) => ({ subject, state: 'error', text, remedy });
  expect(await rows({ found: [], node: '20.11.0', standing: { state: 'off', why: 'It is off.' } })).toEqual([
    error('node', '20.11.0 is too old', 'Install Node 22.13 or newer, or 20.20.'),
    error('git', 'not on your PATH', 'Install git: attempts work in git worktrees.'),
    error('bash', 'not on your PATH', 'Install bash: it runs the commands of tasks.'),
    {
      ...{ subject: 'sandbox', state: 'note', text: 'It is off. A run can write wherever you can.' },
      remedy: 'Run `troupe config set clients.sandbox auto`.',
    },
    {
      ...{ subject: 'clients', state: 'note', text: expect.stringMatching(/^none is installed/) },
      remedy: 'Run `troupe setup`: it lists the clients and how to install them.',
    },
  ]);
  const [, , , sandbox] = await rows({ standing: { state: 'missing', why: 'It is not there.' } });
  expect(sandbox).toMatchObject({ remedy: 'Install bubblewrap, on Debian `apt install bubblewrap`.' });
});

verifies('hold.missing', 'a sign-in is a key that is set, else a login; a version is cut', async () => {
  const of = async (parts: Machine) => await signedIn(machine(parts).context, 'codex');
  expect([await of({}), await of({ isLoggedIn: true })]).toEqual(['not-seen', 'login']);
  expect(await of({ isLoggedIn: true, variables: { OPENAI_API_KEY: 'k', CODEX_API_KEY: '' } })).toBe('key');
  expect(await of({ variables: { CODEX_API_KEY: '' } })).toBe('not-seen');
  expect(await of({ variables: { GEMINI_API_KEY: 'k' } })).toBe('not-seen');
  const version = async (output: string) => await programVersion(machine({ output }).context, '/bin/x');
  expect([await version('v1.2.3-beta.4 (x)'), await version('3')]).toEqual(['1.2.3-beta.4', undefined]);
  expect(await version(`1.${'2'.repeat(99)}`)).toHaveLength(TEAM_LIMITS.versionCharacters);
});

verifies('hold.missing', 'built-in executors are listed with what of them is here', async () => {
  const { context } = machine({ found: ['bash', 'amp', 'codex'], output: '1.2.3', isLoggedIn: true });
  const own = {
    ...context,
    clientPrograms: async () =>
      ({
        ...(await context.clientPrograms()),
        ownParts: async () => ({ hooks: [], plugins: [], servers: [] }),
      }) as never,
  };
  const { executors } = await list.run(own, {});
  expect(executors.map(({ name }) => name)).toEqual(Object.keys(EXECUTORS));
  const row = (name: string) => executors.find((one) => one.name === name);
  const here = { source: 'built-in', human: false, installed: true, usable: true };
  expect(row('shell')).toEqual({ ...here, name: 'shell', program: '/bin/bash' });
  const { own: _, ...codex } = row('codex') ?? {};
  expect(codex).toEqual({ ...here, name: 'codex', program: '/bin/codex', version: '1.2.3', signed_in: 'login' });
  expect(row('claude')).toEqual({
    ...{ name: 'claude', source: 'built-in', human: false, installed: false, usable: false },
    problem: expect.stringMatching(/^not installed\. Install it with `npm install/),
  });
  expect(CLIENTS.every((client) => row(client)?.human === false)).toBe(true);
});

verifies('exec.custom', 'trust is given and withdrawn once, and says whether it changed', async () => {
  const { context } = machine();
  const value = {
    executor: { command: 'agent', args: ['--x'], working_dir: 'sub', env: { A: '1' } },
  };
  const [given, record]: [unknown[], Map<string, object>] = [[], new Map()];
  const entry = { name: 'mine', file: 'mine.toml', sha256: 'h', value };
  const own: Context = {
    ...context,
    executorFiles: async () =>
      ({ list: async () => [], read: async (name: string) => (name === 'mine' ? entry : undefined) }) as never,
    executorTrust: async () =>
      ({
        all: async () => record,
        give: async (name: string, grant: object) => {
          given.push([name, grant]);
          record.set(name, grant);
        },
        withdraw: async (name: string) => {
          given.push([name]);
          record.delete(name);
        },
      }) as never,
  };
  const told = { name: 'mine', file: 'mine.toml', sha256: 'h', command: ['agent', '--x'] };
  const asked = async (wish: object) => {
    const { trusted, changed, ...rest } = await trust.run(own, { name: 'mine', ...wish });
    expect(rest).toMatchObject(told);
    return [trusted, changed];
  };
  expect(await asked({ show: true })).toEqual([false, false]);
  expect(await asked({ withdraw: true })).toEqual([false, false]);
  expect(await asked({})).toEqual([true, true]);
  expect(await asked({})).toEqual([true, false]);
  expect(await asked({ show: true })).toEqual([true, false]);
  expect(await asked({ withdraw: true })).toEqual([false, true]);
  expect(given).toEqual([['mine'], ['mine', { sha256: 'h', at: '2026-03-01T10:00:00.000Z' }], ['mine']]);
});

verifies(
  'hold.missing',
  'an executor is usable where its program is, in a folder that it can be trusted with',
  async () => {
    const { context, asked } = machine({ found: ['codex', 'agent'] });
    const { executor, ...rest } = await usableExecutor(context, 'codex');
    expect([executor.name, rest]).toEqual(['codex', { program: '/bin/codex', stream: 'codex' }]);
    await expect(usableExecutor(context, 'claude')).rejects.toMatchObject({
      ...{ code: 'executor_missing', message: 'The program of claude is not on the PATH.' },
      hint: expect.stringMatching(
        /^Install it with `.*`\. Or choose another: `troupe executor list` shows them, `troupe config set coordinator\.executor NAME` sets it\.$/,
      ),
      details: { executor: 'claude' },
    });
    const file = { name: 'mine', file: 'mine.toml', sha256: 'h', value: { executor: { command: 'agent' } } };
    const custom: Context = {
      ...context,
      executorFiles: async () => ({ list: async () => [], read: async () => file }) as never,
      executorTrust: async () => ({ all: async () => new Map([['mine', { sha256: 'h' }]]) }) as never,
    };
    expect(await usableExecutor(custom, 'mine')).toMatchObject({ program: '/bin/agent', stream: undefined });
    await refuseUnsafeFolder(context, executor, '/project');
    expect(asked).toEqual([['/project', executor.actsOn]]);
    await expect(refuseUnsafeFolder(context, executor, '/hostile')).rejects.toMatchObject({
      ...{ code: 'untrusted_executor', message: 'codex would use .mcp.json, which is part of this project.' },
    });
    expect(new TroupeError('executor_missing').code).toBe('executor_missing');
  },
);
