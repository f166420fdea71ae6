import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryAround } from '#adapters/disk/repository-folders.js';
import { LocalSandbox, type SandboxSettings } from '#adapters/runs/local-sandbox.js';
import type { SandboxedRun } from '#ports/sandbox.js';
import { git } from '../../repository.js';
import { room } from '../../room.js';
import { hasBubblewrap } from '../../sandbox.js';
import { verifies } from '../../verifies.js';

interface Wishes {
  readonly settings?: SandboxSettings;
  readonly platform?: NodeJS.Platform;
  readonly path?: string;
  readonly executor?: string;
}

function place({ settings = { sandbox: 'auto' }, platform = 'linux', path: programs, executor }: Wishes = {}) {
  const top = room('sandbox');
  const projectFolder = path.join(top, 'project');
  const homeFolder = path.join(top, 'home');
  const folder = path.join(projectFolder, '.workgraph/agents/agent-1');
  for (const made of [folder, homeFolder, path.join(projectFolder, '.squad')]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(projectFolder, '.workgraph/graph.jsonl'), '');
  const service = path.join(projectFolder, '.workgraph/service');
  const sandbox = new LocalSandbox({
    projectFolder,
    homeFolder,
    temporaryFolder: path.join(top, 'tmp'),
    environment: { PATH: programs ?? process.env['PATH'] },
    configurationFolder: path.join(homeFolder, '.config/troupe'),
    runtimeFolder: path.join(homeFolder, '.cache/troupe/run'),
    serviceFolders: [service],
    platform,
    settings: async () => settings,
  });
  const door = path.join(folder, 'service');
  const run: SandboxedRun = { folder, door, executor, tree: undefined, review: undefined };
  return { top, projectFolder, homeFolder, sandbox, run };
}

/** Only what starts a program, without the sandbox itself. */
function withoutBubblewrap(): string {
  const bin = room('bin');
  for (const name of ['env', 'bash']) symlinkSync(`/usr/bin/${name}`, path.join(bin, name));
  return bin;
}

verifies('door.sandbox', 'where it does not work, auto goes without and on starts nothing', async () => {
  const without = { path: withoutBubblewrap() };
  const auto = place(without);
  expect(await auto.sandbox.standing()).toMatchObject({
    state: 'missing',
    by: 'bubblewrap',
    why: expect.stringMatching(/^bubblewrap does not work here: .*bwrap/),
  });
  expect(await auto.sandbox.words(auto.run)).toEqual([]);
  const on = place({ ...without, settings: { sandbox: 'on' } });
  await expect(on.sandbox.words(on.run)).rejects.toMatchObject({ code: 'sandbox_missing' });
  const off = place({ settings: { sandbox: 'off' } });
  expect(await off.sandbox.standing()).toMatchObject({ state: 'off' });
  expect(await off.sandbox.words(off.run)).toEqual([]);
  const nowhere = place({ platform: 'win32' });
  expect(await nowhere.sandbox.standing()).toMatchObject({
    state: 'missing',
    by: 'none',
    why: expect.stringContaining('system'),
  });
});

test('on macOS codex, which brings Seatbelt along, is left to it; every other run is not', async () => {
  const none = place({ platform: 'darwin', path: withoutBubblewrap() });
  expect(await none.sandbox.standing()).toMatchObject({ state: 'missing', by: 'sandbox-exec' });
  const bin = withoutBubblewrap();
  writeFileSync(path.join(bin, 'sandbox-exec'), '#!/bin/bash\nexit 0\n', { mode: 0o700 });
  const codex = place({ platform: 'darwin', path: bin, executor: 'codex' });
  expect(await codex.sandbox.words(codex.run)).toEqual([]);
  const claude = place({ platform: 'darwin', path: bin, executor: 'claude' });
  const [program, flag, profile = ''] = await claude.sandbox.words(claude.run);
  expect([program, flag]).toEqual(['sandbox-exec', '-p']);
  expect(profile).toContain(`(deny file-write* (subpath "${claude.projectFolder}/.workgraph"))`);
  expect(profile).toContain(`(allow file-write* (subpath "${claude.homeFolder}/.claude"))`);
  writeFileSync(path.join(bin, 'bwrap'), '#!/bin/bash\nexit 0\n', { mode: 0o700 });
  const linux = place({ path: bin, executor: 'codex' });
  expect((await linux.sandbox.words(linux.run)).join(' ')).toMatch(/\bbwrap /);
  expect((await linux.sandbox.standing()).state).toBe('works');
  expect(statSync(linux.run.door).mode & 0o777, 'where others could get in').toBe(0o700);
  const refusing = withoutBubblewrap();
  writeFileSync(path.join(refusing, 'bwrap'), '#!/bin/bash\nprintf "\\n\\nno namespaces\\nmore" >&2; exit 1\n', {
    mode: 0o700,
  });
  expect((await place({ path: refusing }).sandbox.standing()).why).toBe(
    'bubblewrap does not work here: no namespaces.',
  );
  writeFileSync(path.join(refusing, 'bwrap'), `#!/bin/bash\n[ "\${*: -2:1}" = trial ]\n`, { mode: 0o700 });
  expect((await place({ path: refusing }).sandbox.standing()).state, 'the trial is what is tried').toBe('works');
});

verifies('door.sandbox', 'the settings of a client are there and read-only before its first start', async () => {
  const { sandbox, run, homeFolder } = place({
    platform: 'darwin',
    path: (() => {
      const bin = withoutBubblewrap();
      writeFileSync(path.join(bin, 'sandbox-exec'), '#!/bin/bash\nexit 0\n', { mode: 0o700 });
      return bin;
    })(),
    executor: 'claude',
  });
  mkdirSync(path.join(homeFolder, '.claude'));
  writeFileSync(path.join(homeFolder, '.claude/CLAUDE.md'), 'mine\n');
  const profile = (await sandbox.words(run)).at(-1);
  expect(profile).toContain(`(deny file-write* (subpath "${homeFolder}/.claude/settings.json"))`);
  expect(readFileSync(path.join(homeFolder, '.claude/settings.json'), 'utf8')).toBe('{}\n');
  expect(readFileSync(path.join(homeFolder, '.claude/CLAUDE.md'), 'utf8')).toBe('mine\n');
});

describe.skipIf(!hasBubblewrap)('on this machine (needs bubblewrap: apt-get install bubblewrap)', () => {
  const tried = async ({ sandbox, run, projectFolder }: ReturnType<typeof place>, script: string): Promise<string> => {
    const [program = '', ...words] = await sandbox.words(run);
    mkdirSync(run.door, { recursive: true });
    return execFileSync(program, [...words, 'bash', '-c', script], { cwd: projectFolder, encoding: 'utf8' }).trim();
  };

  verifies(
    'door.sandbox',
    'a sandbox whose folder a clean took as it began comes up all the same; a command that fails is not repeated',
    async () => {
      const service = '.workgraph/service';
      // Takes the folder once, in the moment between the look and the mount.
      const bin = room('bin');
      const begins = `#!/bin/bash -p\necho >> ../starts\n[ -e ../taken ] || rm -r ${service}\ntouch ../taken\n`;
      const real = execFileSync('which', ['bwrap'], { encoding: 'utf8' }).trim();
      writeFileSync(path.join(bin, 'bwrap'), `${begins}exec ${real} "$@"\n`, { mode: 0o700 });
      const it = place({ settings: { sandbox: 'on' } });
      const [program = '', ...words] = await it.sandbox.words(it.run);
      mkdirSync(it.run.door, { recursive: true });
      const ran = (script: string) =>
        spawnSync(program, [...words, 'bash', '-c', script], {
          cwd: it.projectFolder,
          encoding: 'utf8',
          env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, BASH_ENV: path.join(it.top, 'planted') },
        });
      writeFileSync(path.join(it.top, 'planted'), 'touch .squad/outside 2> /dev/null\n');
      const starts = () => readFileSync(path.join(it.top, 'starts'), 'utf8').length;
      expect(ran(`touch ${service}/here && cat`)).toMatchObject({ status: 0, stdout: '' });
      expect(starts()).toBe(2);
      expect(existsSync(path.join(it.run.door, 'here'))).toBe(true);
      expect(ran('echo begun; exit 1')).toMatchObject({ status: 1, stdout: 'begun\n', stderr: '' });
      expect(starts()).toBe(3);
      expect(existsSync(path.join(it.projectFolder, '.squad/outside'))).toBe(false);
    },
  );

  verifies('door.sandbox', 'a step of a review writes to the folder of that review, through no link', async () => {
    const it = place({ settings: { sandbox: 'on' } });
    const reports = path.join(it.projectFolder, '.workgraph/reports');
    mkdirSync(path.join(reports, 'review'), { recursive: true });
    symlinkSync(path.join(it.projectFolder, '.squad'), path.join(reports, 'linked'));
    writeFileSync(path.join(reports, 'review/plan.json'), '{}');
    const script = (review: string) =>
      `for name in x plan.json; do touch .workgraph/reports/${review}/$name 2> /dev/null && echo $name; done; true`;
    const step = (review: string) => tried({ ...it, run: { ...it.run, review } }, script(review));
    expect([await step('review'), await step('linked')]).toEqual(['x', '']);
    expect(await tried(it, script('review'))).toBe('');
  });

  verifies(
    'door.sandbox',
    'the folder stays, a folder that was opened may be written to, a link opens nothing',
    async () => {
      const opened = room('opened');
      const it = place({ settings: { sandbox: 'on', writable: opened } });
      symlinkSync(path.join(it.projectFolder, '.workgraph'), path.join(it.projectFolder, 'way-around'));
      const script = `pwd; touch mine && echo mine; touch "${opened}/x" && echo opened; touch way-around/x 2> /dev/null || echo link shut; touch .squad/x 2> /dev/null || echo squad shut`;
      expect((await tried(it, script)).split('\n')).toEqual([
        it.projectFolder,
        'mine',
        'opened',
        'link shut',
        'squad shut',
      ]);
      expect(existsSync(path.join(opened, 'x'))).toBe(true);
    },
  );

  test('one within another works: a client may have a sandbox of its own', async () => {
    const inner = `bwrap --unshare-user --unshare-pid --ro-bind / / --dev /dev -- echo inner`;
    expect(await tried(place(), inner)).toBe('inner');
  });
});

test('where a repository keeps its data is found without git, in a checkout, a worktree and a submodule', () => {
  const top = room('repository');
  git(top, 'init', '--quiet', '--initial-branch=main');
  git(top, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  git(top, 'worktree', 'add', '--quiet', '-b', 'other', 'tree');
  const data = path.join(top, '.git');
  mkdirSync(path.join(top, 'deep'));
  expect(repositoryAround(path.join(top, 'deep'))).toEqual({ top, own: data, common: data });
  const tree = path.join(top, 'tree');
  expect(repositoryAround(tree)).toEqual({ top: tree, own: path.join(data, 'worktrees/tree'), common: data });
  mkdirSync(path.join(data, 'modules/lib'), { recursive: true });
  mkdirSync(path.join(top, 'lib'));
  writeFileSync(path.join(top, 'lib/.git'), 'gitdir: ../.git/modules/lib\n');
  const module = path.join(data, 'modules/lib');
  expect(repositoryAround(path.join(top, 'lib'))).toEqual({ top: path.join(top, 'lib'), own: module, common: module });
});
