import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { doctor } from '#operations/history/doctor.js';
import type { Context } from '#operations/operation.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../no-clients.js';
import { verifies } from '../../verifies.js';

test('doctor puts something right only when it is told to, and not for a run', async () => {
  const { context } = world();
  const graph = { examine: async () => [], repair: async () => ['A torn end was set aside.'] } as never;
  const git = () => Promise.reject(new TroupeError('git_missing'));
  const tools = ['git', 'bash'];
  const machine: Partial<Context> = {
    machine: async () => ({ node: '20.20.2', holds: () => false }),
    clientPrograms: async () => ({
      ...NO_CLIENTS,
      find: async (program) => (tools.includes(program) ? `/bin/${program}` : undefined),
    }),
    programs: async () => ({ run: async () => ({ output: 'version 2.39.5' }) }) as never,
  };
  const own: Context = { ...context, ...machine, doctor: async () => graph, git };
  const sound = {
    ...{
      ok: true,
      folder: '/project',
      initialized: true,
      machine: expect.any(Array),
      findings: [],
      repaired: [],
      rebuilt: [],
    },
  };
  expect(await doctor.run(own, {})).toEqual(sound);
  const teams = Object.assign(Object.create(await context.teams()), {
    restore: async () => ['The copy was put back.'],
  });
  expect(await doctor.run({ ...own, teams: async () => teams }, { repair: true })).toEqual({
    ...sound,
    repaired: ['A torn end was set aside.', 'The copy was put back.'],
  });
  const run: Context = { ...own, caller: { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as never };
  await expect(doctor.run(run, { repair: true })).rejects.toMatchObject({ code: 'not_yours' });
  expect(await doctor.run(run, {})).toEqual(sound);
  // Where there is no graph only the machine is looked at.
  const none = { examine: () => Promise.reject(new TroupeError('not_initialized')), repair: async () => [] } as never;
  expect(await doctor.run({ ...own, doctor: async () => none, teams: async () => expect.unreachable() }, {})).toEqual({
    ...{ ...sound, initialized: false },
  });
  const broken = { examine: () => Promise.reject(new TroupeError('unreadable')) } as never;
  await expect(doctor.run({ ...own, doctor: async () => broken }, {})).rejects.toMatchObject({ code: 'unreadable' });
  const refused = { ...own, git: () => Promise.reject(new TroupeError('git_failed')) };
  await expect(doctor.run(refused, {})).rejects.toMatchObject({ code: 'git_failed' });
});

verifies('web.pages', 'doctor says what is wrong where services tell of each other, and what helps', async () => {
  const own = world();
  own.recordFaults.push(
    { kind: 'open', path: '/run/my place' },
    { kind: 'foreign', path: '/run/a' },
    { kind: 'stray', path: '/run/b/x.json' },
  );
  const none = { examine: () => Promise.reject(new TroupeError('not_initialized')), repair: async () => [] } as never;
  const machine: Partial<Context> = {
    machine: async () => ({ node: '20.20.2', holds: () => false }),
    clientPrograms: async () => ({ ...NO_CLIENTS, find: async () => undefined }),
    git: () => Promise.reject(new TroupeError('git_missing')),
  };
  const context: Context = { ...own.context, ...machine, doctor: async () => none };
  const { findings } = await doctor.run(context, {});
  expect(findings.map(({ severity, code, text, remedy }) => `${severity} ${code}: ${text} ${remedy}`)).toEqual([
    "warning service_records: Others can access /run/my place: no service of yours is listed by `troupe projects`. Run `chmod 700 '/run/my place'`, then restart the services.",
    'warning service_records: /run/a is not a folder of yours: no service of yours is listed by `troupe projects`. Move it away with `mv /run/a /run/a.old`, or set XDG_RUNTIME_DIR to a folder of yours; then restart the services.',
    'note service_records: /run/b/x.json is not the record of a service. Remove it with `rm -r /run/b/x.json`.',
  ]);
  const run = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as never;
  expect((await doctor.run({ ...context, caller: run }, {})).findings).toEqual([]);
});

test('doctor says what the graph, the teams, git, worktrees and settings lack, and an error is not ok', async () => {
  const { context } = world();
  const examined = { severity: 'error', code: 'corrupt', text: 't', remedy: 'r', file: 'f', line: 1, repairable: true };
  const own = (more: Partial<Context>): Context => ({
    ...context,
    machine: async () => ({ node: '20.20.2', holds: () => false }),
    clientPrograms: async () => ({ ...NO_CLIENTS, find: async (program) => `/bin/${program}` }),
    programs: async () => ({ run: async () => ({ output: 'version 2.39.5' }) }) as never,
    doctor: async () => ({ examine: async () => [examined] }) as never,
    git: async () =>
      ({ tryOutput: async (_: string, [verb]: string[]) => (verb === 'config' ? 'other' : 'true\n') }) as never,
    ...bothPorts(
      async () => ({ gaps: async () => [{ text: 'It lacks node_modules.', remedy: 'Set worktree.setup.' }] }) as never,
    ),
    settings: async () => ({
      ...{ name: 'config.toml', set: () => expect.unreachable() },
      read: async () => ({ coordinator: { executor: 'nobody', fallback: ['shell'] } }),
    }),
    ...more,
  });
  const note = { severity: 'note', repairable: false };
  const others = [
    {
      ...{ ...note, code: 'merge_driver' },
      text: 'This clone merges graph.jsonl line by line: conflicts can occur and are resolved from the log.',
      remedy: 'Run `troupe init --merge-driver` to let git merge it by task and field.',
    },
    { ...note, code: 'worktree_gap', text: 'It lacks node_modules.', remedy: 'Set worktree.setup.' },
    {
      ...{ ...note, severity: 'error', code: 'unknown_executor', file: 'config.toml' },
      ...{ text: expect.stringMatching(/^coordinator\.executor: /), remedy: expect.stringMatching(/./) },
    },
  ];
  const said = async (more: Partial<Context> = {}) => {
    const { ok, findings } = await doctor.run(own(more), {});
    return [ok, findings];
  };
  expect(await said()).toEqual([false, [examined, ...others]]);
  const teams = (copy: string | null) => async () =>
    ({ fault: async () => ({ text: 'It is damaged.', copy }) }) as never;
  const file = '.workgraph/teams.db';
  const damaged = { severity: 'error', code: 'teams_store', file };
  expect(await said({ teams: teams('yesterday') })).toEqual([
    false,
    [
      examined,
      {
        ...{ ...damaged, text: 'It is damaged. There is a copy of yesterday.', repairable: true },
        remedy: 'Run `troupe doctor --repair` to put the copy in its place.',
      },
      ...others,
    ],
  ]);
  const sound: Partial<Context> = {
    doctor: async () => ({ examine: async () => [] }) as never,
    settings: context.settings,
  };
  expect(await said({ ...sound, teams: teams(null) })).toEqual([
    false,
    [
      {
        ...{ ...damaged, text: 'It is damaged.', repairable: false },
        remedy: 'Restore .workgraph/teams.db from a backup, or move it away to start again.',
      },
      ...others.slice(0, 2),
    ],
  ]);
  expect(await said(sound), 'notes alone are fine').toEqual([true, others.slice(0, 2)]);
  const outside = async () => ({ tryOutput: async () => 'false' }) as never;
  expect(await said({ ...sound, git: outside })).toEqual([true, others.slice(1, 2)]);
  const configured = async () =>
    ({
      tryOutput: async (_: string, [verb]: string[]) => (verb === 'config' ? 'wg git-merge %O %A %B\n' : 'true'),
    }) as never;
  expect(await said({ ...sound, git: configured })).toEqual([true, others.slice(1, 2)]);
  const inDatabase = async () => ({ named: 'shop' }) as never;
  expect(await said({ ...sound, storages: inDatabase }), 'git has no graph to merge').toEqual([
    true,
    others.slice(1, 2),
  ]);
});
