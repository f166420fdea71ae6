import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OwnConfigFile } from '#adapters/settings/own-config-file.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { clientProject, inRun, SILENT, WITH_CLIENT as WITH_CLAUDE } from './client-world.js';
import { asked, endEverything, project, start, textOf, troupe, untilStatus } from './program.js';

/** Stand-ins for clients that can be told to check nothing, and that listen to the project. */
const AGENTS = path.resolve(import.meta.dirname, '../fixtures/other-agents');
const WITH_CLIENT = { PATH: `${AGENTS}:${process.env['PATH'] ?? ''}` };
const UNSAFE = 'allow_unsafe = true\n';

/** A project with one task for codex, done by the service of a person whose settings lie in this folder. */
async function argumentsOfCodex(settings: (cwd: string) => string): Promise<string[]> {
  const cwd = await project();
  const env = { ...WITH_CLIENT, XDG_CONFIG_HOME: settings(cwd) };
  onTestFinished(() => endEverything(cwd));
  await asked(['trust'], { cwd, env });
  const lines = ['allow_unsafe = true', '[coordinator]', 'worktree_isolation = "off"', 'executor = "codex"', SILENT];
  writeFileSync(path.join(cwd, '.workgraph/config.toml'), `${lines.join('\n')}\nallow_unsafe = true\n`);
  writeFileSync(path.join(cwd, 'config.toml'), UNSAFE);
  await asked(['add', 'Do it', '--id', 'a'], { cwd, env });
  await asked(['service', 'start'], { cwd, env: { ...env, ALLOW_UNSAFE: '1', TROUPE_ALLOW_UNSAFE: 'true' } });
  await untilStatus(cwd, 'a', 'done');
  return textOf(inRun(cwd, 'agent-1', 'seen-args')).split('\0');
}

function configIn(folder: string): string {
  mkdirSync(path.join(folder, 'troupe'), { recursive: true });
  writeFileSync(path.join(folder, 'troupe/config.toml'), UNSAFE, { mode: 0o600 });
  return folder;
}

verifies(
  ['sec.yolo', 'exec.never-yolo'],
  'a client keeps its checks whatever the project and the surroundings say',
  async () => {
    const args = await argumentsOfCodex(() => room('settings'));
    expect(args).toContain('workspace-write');
    expect(args.join(' ')).not.toContain('danger');
  },
);

verifies(['sec.yolo', 'exec.never-yolo'], 'settings that lie in the project are the project’s', async () => {
  const args = await argumentsOfCodex((cwd) => configIn(path.join(cwd, '.config')));
  expect(args).toContain('workspace-write');
});

verifies(['sec.yolo', 'exec.never-yolo'], 'without them only where the person says so, for all projects', async () => {
  expect(await argumentsOfCodex(() => configIn(room('settings')))).toContain('danger-full-access');
});

verifies(
  'hold.env',
  'a client gets what its gateway needs and what the person adds; a project adds nothing',
  async () => {
    const settings = room('settings');
    mkdirSync(path.join(settings, 'troupe'));
    writeFileSync(path.join(settings, 'troupe/config.toml'), '[executors]\npass_env = ["CORP_TENANT"]\n', {
      mode: 0o600,
    });
    const cwd = await clientProject(['[executors]', 'pass_env = ["STRANGE_SECRET"]']);
    onTestFinished(() => endEverything(cwd));
    const gateway = {
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/gateway',
      ANTHROPIC_AUTH_TOKEN: 'token-of-the-gateway',
      ANTHROPIC_CUSTOM_HEADERS: 'x-tenant: blue\nx-secret: header-of-the-gateway',
      CORP_TENANT: 'blue',
    };
    const env = { ...WITH_CLAUDE, ...gateway, XDG_CONFIG_HOME: settings, STRANGE_SECRET: 's', WG_FENCE: '' };
    await asked(['trust'], { cwd, env });
    await asked(['add', 'Do it play=headers', '--id', 'a'], { cwd, env });
    await asked(['service', 'start'], { cwd, env });
    await untilStatus(cwd, 'a', 'done');
    const seen = textOf(inRun(cwd, 'agent-1', 'seen-environment')).split('\0');
    for (const [name, value] of Object.entries(gateway)) expect(seen).toContain(`${name}=${value}`);
    expect(seen).toContain('WG_FENCE=1');
    expect(seen.join(' ')).not.toContain('STRANGE_SECRET');
    expect(textOf(inRun(cwd, 'agent-1', 'output.log'))).toContain('x-secret: ********');
    const { warnings } = await asked<{ warnings: string[] }>(['config', 'show'], { cwd, env });
    expect(warnings).toEqual([expect.stringContaining('executors.pass_env applies only in your own settings')]);
  },
);

test('a file of their own that cannot be right is said, and allows nothing', async () => {
  const folder = room('settings');
  const file = path.join(folder, 'config.toml');
  const source = new OwnConfigFile({ folder, projectFolder: room('project') });
  expect(await source.read()).toEqual({ allowUnsafe: false, passEnv: [] });
  for (const text of [
    'allow_unsafe = "yes"',
    'allow_unsafe = 1',
    'allow_unsafe',
    '[executor]\nallow_unsafe = true\n[',
    '[executors]\npass_env = ["WG_RUN_TOKEN"]',
    '[executors]\npass_env = "CORP"',
    'executors = 1',
    'person = 1',
    'person = "a/b"',
  ]) {
    writeFileSync(file, text);
    await expect(source.read(), text).rejects.toMatchObject({ code: 'bad_config' });
  }
  writeFileSync(file, '[codex]\nallow_unsafe = true\n');
  expect(await source.read()).toEqual({ allowUnsafe: false, passEnv: [] });
  expect(await source.person()).toBeUndefined();
  writeFileSync(file, 'person = " Ann Lee "\n');
  expect([await source.person(), (await source.read()).person]).toEqual(['Ann Lee', 'Ann Lee']);
  writeFileSync(file, UNSAFE);
  expect(await source.read()).toEqual({ allowUnsafe: true, passEnv: [] });
  chmodSync(file, 0o666);
  await expect(source.read()).rejects.toThrow(/others may write/);
});

verifies('sec.config', 'a client that would act on files of the repository is not started there', async () => {
  const cwd = await project();
  onTestFinished(() => endEverything(cwd));
  const env = { ...WITH_CLIENT, XDG_CONFIG_HOME: room('settings') };
  await asked(['trust'], { cwd, env });
  mkdirSync(path.join(cwd, '.gemini'));
  writeFileSync(path.join(cwd, '.gemini/settings.json'), '{"hooks":{"SessionStart":[{"command":"touch ran"}]}}');
  await asked(['add', 'Do it', '--id', 'a'], { cwd, env });
  await asked(['service', 'start', '--executor', 'gemini'], { cwd, env });
  const { coordinator } = await asked<{ coordinator: { executor_missing?: string } }>(['service', 'status'], {
    cwd,
    env,
  });
  expect(coordinator.executor_missing).toContain('gemini would use .gemini/settings.json');
  await asked(['service', 'tick'], { cwd, env });
  const { task } = await asked<{ task: { status: string } }>(['show', 'a'], { cwd, env });
  expect(task.status).toBe('open');
  expect(readdirSync(path.join(cwd, '.workgraph/agents')).filter((name) => name.startsWith('agent-'))).toEqual([]);
});

verifies(
  'hold.missing',
  'starting a service says at once that its client is missing; one nobody knows is refused',
  async () => {
    const cwd = await project();
    const env = { XDG_CONFIG_HOME: room('settings'), PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
    onTestFinished(() => endEverything(cwd));
    await asked(['trust'], { cwd, env });
    await asked(['add', 'Do it', '--id', 'a'], { cwd, env });
    const unknown = await troupe(['service', 'start', '--executor', 'gemni'], { cwd, env });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Did you mean gemini?')]);
    const { stderr } = await troupe(['service', 'start', '--executor', 'gemini'], { cwd, env });
    expect(stderr).toMatch(/^gemini does not start, so tasks without a command wait: .*npm install -g @google/);
    const { stdout } = await troupe(['status'], { cwd, env });
    expect(stdout).toMatch(/Needs you\n +1 task cannot start without a client: The program of gemini/);
    const reloaded = await troupe(['service', 'reload', '--executor', 'pii'], { cwd, env });
    expect(reloaded.stderr).toContain('Did you mean pi?');
  },
);

verifies(
  'who.person',
  'the one at the terminal is the person of the configuration that their own settings name, with a service and without',
  async () => {
    const settings = room('settings');
    mkdirSync(path.join(settings, 'troupe'));
    writeFileSync(path.join(settings, 'troupe/config.toml'), 'person = "Ann"\n', { mode: 0o600 });
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    mkdirSync(path.join(cwd, '.teaparty/management'), { recursive: true });
    writeFileSync(
      path.join(cwd, '.teaparty/management/teaparty.yaml'),
      'name: Office\nlead: manager\nhumans: {decider: Ann}\n',
    );
    const env = { XDG_CONFIG_HOME: settings, USER: 'tester' };
    // The service looks at the process that asks: each command is one of its own.
    const typed = async (words: string[], more = env) => {
      const { code, stdout, stderr } = await start(words, { cwd, env: more }).finished;
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const initiators = async (more = env) => {
      const { conversations } = JSON.parse(await typed(['messages', 'list', '--json'], more));
      return conversations.map(({ initiator }: { initiator: string }) => initiator);
    };
    await typed(['send', 'om', 'Plan it.']);
    expect(await initiators()).toEqual(['human/ann']);
    await typed(['config', 'set', 'coordinator.executor', 'shell']);
    await typed(['service', 'start']);
    await typed(['send', 'om', 'And again.']);
    expect(await initiators()).toEqual(['human/ann', 'human/ann']);
    // Another account is another person.
    const bob = { ...env, USER: 'bob' };
    await typed(['send', 'om', 'Me too.'], bob);
    expect(await initiators(bob)).toEqual(['human/bob']);
    const { code, stderr } = await troupe(['config', 'set', 'person', 'Ann'], { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('It applies only in your own settings')]);
  },
);
