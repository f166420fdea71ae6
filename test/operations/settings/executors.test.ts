import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalClientPrograms } from '#adapters/processes/local-client-programs.js';
import { LocalMachine } from '#adapters/processes/local-machine.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ConfigFile } from '#adapters/settings/config-file.js';
import { ExecutorFolder } from '#adapters/settings/executor-folder.js';
import { ExecutorTrustFile } from '#adapters/trust/executor-trust-file.js';
import { isSupportedNode } from '#core/runs/node-version.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { agentCreate, agentEdit } from '#operations/agency/entities.js';
import { createCoordinator } from '#operations/coordinator/sessions.js';
import { doctor } from '#operations/history/doctor.js';
import type { Context } from '#operations/operation.js';
import { set, show } from '#operations/settings/config.js';
import { list, trust } from '#operations/settings/executors.js';
import { lookAtMachine } from '#operations/settings/machine.js';
import { executorNamed } from '#operations/settings/usable-executors.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });
const fileWith = (command: string) => `[executor]\ncommand = "${command}"\nargs = ["--task", "{{task_id}}"]\n`;

/** A project with an executor of its own, real files and a real record of trust. */
function place(content = fileWith('agent')) {
  const projectFolder = room('project');
  const folder = path.join(projectFolder, '.workgraph/executors');
  mkdirSync(folder, { recursive: true });
  const write = (text: string, name = 'mine') => writeFileSync(path.join(folder, `${name}.toml`), text);
  write(content);
  const record = new ExecutorTrustFile({
    ...{ folder: room('settings'), projectFolder, processes: new ProcessTable(), clock: systemClock },
  });
  const programs = room('bin');
  const install = (name: string, says: string) =>
    writeFileSync(path.join(programs, name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
  install('claude', '2.1.330 (Claude Code)');
  const environment: Record<string, string> = { PATH: `${programs}:/usr/bin:/bin`, HOME: room('home') };
  const context: Context = {
    ...world().context,
    projectFolder,
    executorFiles: async () => new ExecutorFolder(projectFolder),
    executorTrust: async () => record,
    clientPrograms: async () => new LocalClientPrograms(projectFolder, environment),
    machine: async () => new LocalMachine(environment),
    programs: async () => new LocalPrograms({ projectFolder, environment }),
  };
  const rowOf = async (name: string) => (await list.run(context, {})).executors.find((row) => row.name === name);
  return { context, write, rowOf, install, environment };
}

verifies(
  'exec.custom',
  'it is inert until a person trusts exactly this content, and again when it changed',
  async () => {
    const { context, write, rowOf } = place();
    await expect(executorNamed(context, 'mine')).rejects.toEqual(coded('untrusted_executor'));
    expect(await rowOf('mine')).toMatchObject({ usable: false, problem: 'not trusted' });
    expect(await trust.run(context, { name: 'mine', show: true })).toMatchObject({
      ...{ trusted: false, changed: false, command: ['agent', '--task', '{{task_id}}'] },
    });
    await expect(executorNamed(context, 'mine')).rejects.toEqual(coded('untrusted_executor'));

    expect(await trust.run(context, { name: 'mine' })).toMatchObject({ trusted: true, changed: true });
    expect((await executorNamed(context, 'mine')).executor.name).toBe('mine');
    expect(await rowOf('mine')).toEqual({
      ...{ name: 'mine', source: 'project', file: '.workgraph/executors/mine.toml', usable: true, human: false },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), command: ['agent', '--task', '{{task_id}}'] },
    });

    write(fileWith('another'));
    await expect(executorNamed(context, 'mine')).rejects.toThrow(/changed since it was trusted/);
    expect(await rowOf('mine')).toMatchObject({ usable: false, problem: 'changed since trusted' });
    expect(await trust.run(context, { name: 'mine', withdraw: true })).toMatchObject({ trusted: false });
    write(fileWith('agent'));
    await expect(executorNamed(context, 'mine')).rejects.toThrow(/not trusted on this machine/);
  },
);

test('of a client it is told whether there is a key or a login, and never what it is', async () => {
  const { context, rowOf, environment } = place();
  const { HOME: home = '' } = environment;
  const key = 'sk-ant-a-key-of-the-person-123456';
  const client = async () => (await lookAtMachine(context)).find((row) => row.subject === 'claude');
  expect(await rowOf('claude')).toMatchObject({ version: '2.1.330', signed_in: 'not-seen' });
  expect(await rowOf('codex')).not.toHaveProperty('signed_in');
  expect(await client()).toMatchObject({ state: 'note', remedy: expect.stringContaining('/login') });
  mkdirSync(path.join(home, '.claude'));
  writeFileSync(path.join(home, '.claude/.credentials.json'), key);
  expect(await rowOf('claude')).toMatchObject({ signed_in: 'login' });
  expect(await client()).toEqual({ subject: 'claude', state: 'ok', text: '2.1.330, logged in' });
  environment['CLAUDE_CONFIG_DIR'] = room('elsewhere');
  expect(await rowOf('claude')).toMatchObject({ signed_in: 'not-seen' });
  environment['ANTHROPIC_API_KEY'] = key;
  expect(await rowOf('claude')).toMatchObject({ signed_in: 'key' });
  expect(JSON.stringify([await list.run(context, {}), await lookAtMachine(context)])).not.toContain(key);
});

test('a machine without what work needs is told what to install', async () => {
  const { context, environment } = place();
  environment['PATH'] = room('nothing');
  const standing = { state: 'missing', by: 'bubblewrap', why: 'bubblewrap is not there.' } as const;
  const old: Context = {
    ...context,
    machine: async () => ({ node: '20.11.0', holds: () => false }),
    sandbox: async () => ({ standing: async () => standing, words: async () => [] }),
  };
  expect(await lookAtMachine(old)).toMatchObject([
    { subject: 'node', state: 'error', remedy: expect.stringContaining('22.13') },
    { subject: 'git', state: 'error', remedy: expect.stringContaining('Install git') },
    { subject: 'bash', state: 'error' },
    { subject: 'sandbox', state: 'note', remedy: expect.stringContaining('apt install bubblewrap') },
    { subject: 'clients', state: 'note', remedy: expect.stringContaining('`troupe setup`') },
  ]);
});

test('the versions of Node that are said to do are those of the package', () => {
  const { engines } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    engines: { node: string };
  };
  expect(engines.node).toBe('^20.19.0 || >=22.13.0');
  const doing = ['20.18.9', '20.19.0', '20.20.2', '21.9.0', '22.12.0', '22.13.0', '23.0.0', '24.1.0', '18.20.0'];
  expect(doing.filter(isSupportedNode)).toEqual(['20.19.0', '20.20.2', '22.13.0', '23.0.0', '24.1.0']);
});

test('what is built in needs no trust and cannot be replaced by a file', async () => {
  const { context, write, rowOf } = place();
  write(fileWith('evil'), 'claude');
  expect((await executorNamed(context, 'claude')).executor.install).toContain('@anthropic-ai');
  expect(await rowOf('claude')).toMatchObject({ source: 'built-in', usable: true });
  await expect(trust.run(context, { name: 'claude' })).rejects.toEqual(coded('bad_executor'));
});

test('a run trusts nothing, an unknown name is said, a broken file is listed with its fault', async () => {
  const { context, write, rowOf } = place();
  const run: Context = { ...context, caller: { kind: 'run', name: 'agent-1', taskId: 't', fence: 1 } };
  await expect(trust.run(run, { name: 'mine' })).rejects.toEqual(coded('not_yours'));
  await expect(trust.run(context, { name: 'other' })).rejects.toEqual(coded('unknown_executor'));
  await expect(trust.run(context, { name: '../mine' })).rejects.toEqual(coded('unknown_executor'));
  await expect(executorNamed(context, 'other')).rejects.toEqual(coded('unknown_executor'));
  await expect(trust.run(context, { name: 'mine', show: true, withdraw: true })).rejects.toEqual(coded('usage'));
  write('[executor]\ncommand = "a"\nargs = ["{{nobody}}"]\n', 'unknown');
  write('[executor', 'torn');
  expect(await rowOf('unknown')).toMatchObject({ usable: false, problem: expect.stringContaining('"nobody"') });
  expect(await rowOf('torn')).toMatchObject({ usable: false, problem: expect.stringContaining('torn.toml:') });
});

verifies(
  'hold.missing',
  'the list tells clients that are installed, with their version, from those that are not',
  async () => {
    const { rowOf, install } = place();
    install('gemini', 'no number here');
    expect(await rowOf('claude')).toMatchObject({ installed: true, usable: true, version: '2.1.330' });
    expect(await rowOf('gemini')).toMatchObject({ installed: true, usable: true });
    expect((await rowOf('gemini'))?.version).toBeUndefined();
    const problem = expect.stringContaining('npm install -g @openai/codex');
    expect(await rowOf('codex')).toMatchObject({ installed: false, usable: false, problem });
  },
);

verifies(
  'hold.missing',
  'an unknown executor is refused wherever it is named, with the one that was meant',
  async () => {
    const { context } = place();
    const refused = (near: string) =>
      expect.objectContaining({ code: 'unknown_executor', hint: expect.stringContaining(near) });
    await expect(executorNamed(context, 'cluade')).rejects.toEqual(refused('claude'));
    await expect(executorNamed(context, 'nine')).rejects.toEqual(refused('mine'));
    await expect(trust.run(context, { name: 'minee' })).rejects.toEqual(refused('mine'));
    await expect(set.run(context, { key: 'coordinator.executor', value: 'codx' })).rejects.toEqual(refused('codex'));
    await expect(set.run(context, { key: 'coordinator.fallback', value: 'gemini,codx' })).rejects.toEqual(
      refused('codex'),
    );
    await expect(createCoordinator.run(context, { executor: 'opncode' })).rejects.toEqual(refused('opencode'));
    await expect(agentCreate.run(context, { name: 'Ann', executor: 'emial' })).rejects.toEqual(refused('email'));
    await expect(agentEdit.run(context, { id: 'ann', executor: 'qwn' })).rejects.toEqual(refused('qwen'));
  },
);

verifies(
  'pay.words',
  'a client that was written into the settings by hand is told by doctor and `config`',
  async () => {
    const { context } = place();
    const text = '[coordinator]\nexecutor = "cluade"\nfallback = ["codx", "codex", "claude", "mine"]\n';
    writeFileSync(path.join(context.projectFolder, '.workgraph/config.toml'), text);
    const settings = async () =>
      new ConfigFile({
        folder: path.join(context.projectFolder, '.workgraph'),
        processes: new ProcessTable(),
        clock: systemClock,
      });
    const own: Context = {
      ...context,
      settings,
      git: () => Promise.reject(new TroupeError('git_missing')),
      doctor: async () => ({ examine: async () => [] }) as never,
    };
    const { ok, findings } = await doctor.run(own, {});
    const told = findings.filter(({ file }) => file === '.workgraph/config.toml');
    expect(ok).toBe(false);
    expect(told.map(({ severity, text: words, remedy }) => [severity, words, remedy])).toEqual([
      ['error', expect.stringContaining('coordinator.executor: There is no executor "cluade"'), 'Did you mean claude?'],
      ['error', expect.stringContaining('coordinator.fallback: There is no executor "codx"'), 'Did you mean codex?'],
      [
        'note',
        expect.stringContaining('coordinator.fallback: The program of codex'),
        expect.stringContaining('npm install'),
      ],
      [
        'note',
        expect.stringContaining('mine.toml is not trusted'),
        expect.stringContaining('troupe trust executor mine'),
      ],
    ]);
    expect((await show.run(own, {})).warnings).toEqual(told.map(({ text: words, remedy }) => `${words} ${remedy}`));
  },
);

verifies(
  'door.own',
  'the row of a client names what of the person its runs leave out, read from where the client reads it',
  async () => {
    const { rowOf, environment } = place();
    expect((await rowOf('claude'))?.own).toBeUndefined();
    const settings = (folder: string, text: string) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'settings.json'), text);
    };
    settings(path.join(environment['HOME'] ?? '', '.claude'), '{"hooks":{"Stop":[]}}');
    expect((await rowOf('claude'))?.own).toContain('leave out: hooks Stop.');
    environment['CLAUDE_CONFIG_DIR'] = room('claude');
    expect((await rowOf('claude'))?.own).toBeUndefined();
    settings(environment['CLAUDE_CONFIG_DIR'], '{"enabledPlugins":{"a@m":true}}');
    expect((await rowOf('claude'))?.own).toContain('plugins a@m');
    settings(environment['CLAUDE_CONFIG_DIR'], '{"hooks": broken');
    expect((await rowOf('claude'))?.own).toBeUndefined();
  },
);
