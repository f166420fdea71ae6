import { getEventListeners } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { LocalClientPrograms } from '#adapters/processes/local-client-programs.js';
import { LocalMachine } from '#adapters/processes/local-machine.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { PATIENCE } from '../../patience.js';
import { room } from '../../room.js';

const PATH = '/usr/bin:/bin';
const options = (more: object = {}) => ({ cwd: '/', environment: { PATH }, timeMs: 20_000, ...more });
const programs = (folder = '/') => new LocalPrograms({ projectFolder: folder, environment: { PATH, OURS: 'x' } });
const sh = (script: string, more: object = {}) => programs().run('sh', ['-c', script], options(more));

test('a program is run by its words, with what it reads and knows, and its end is told', async () => {
  expect(await sh('printf out; printf err >&2; exit 3')).toEqual({
    ...{ code: 3, end: 'exited', output: 'outerr', durationMs: expect.any(Number) },
  });
  expect(
    await sh('cat; printf "$A$HOME"; pwd', { input: 'in ', environment: { PATH, A: 'a' }, cwd: '/usr' }),
  ).toMatchObject({
    output: 'in a/usr\n',
  });
  expect(await sh('read line; printf "$?"')).toMatchObject({ output: '1' });
  expect(await programs().run('no-such-program', [], options())).toMatchObject({
    code: null,
    end: 'missing',
    output: '',
  });
  expect(await programs().run('/', [], options())).toMatchObject({ code: null, end: 'not-started' });
});

test('what takes too long or is stopped gets a word, and then none', async () => {
  const slow = await sh('trap "sleep 0.1; printf bye; exit 7" TERM; while :; do sleep 0.02; done', { timeMs: 150 });
  expect(slow).toMatchObject({ code: 7, end: 'timed-out', output: expect.stringMatching(/bye$/) });
  expect(slow.durationMs).toBeGreaterThanOrEqual(100);
  const deaf = await sh('trap "" TERM; while :; do sleep 0.02; done', { timeMs: 100, graceMs: 50 });
  expect(deaf).toMatchObject({ code: null, end: 'timed-out' });
  const stopped = new AbortController();
  const waiting = sh('sleep 20', { signal: stopped.signal });
  stopped.abort();
  expect(await waiting).toMatchObject({ code: null, end: 'stopped' });
  expect(getEventListeners(stopped.signal, 'abort')).toEqual([]);
  const asked = path.join(room('asked'), 'asked');
  const late = new AbortController();
  const script = `trap "touch ${asked}" TERM; while :; do sleep 0.02; done`;
  const both = sh(script, { timeMs: 100, graceMs: 300, signal: late.signal });
  await vi.waitFor(() => expect(existsSync(asked)).toBe(true), PATIENCE);
  late.abort();
  expect(await both, 'the first reason counts').toMatchObject({ code: null, end: 'timed-out' });
});

test('a signal to us stops a program; of one that has ended nothing is left in our process', async () => {
  const held = () => ['SIGTERM', 'SIGINT'].map((signal) => process.listenerCount(signal));
  const before = held();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const others = process.listeners(signal);
    const waiting = sh('sleep 20');
    const [ours] = process.listeners(signal).filter((listener) => !others.includes(listener));
    ours?.(signal);
    expect(await waiting, signal).toMatchObject({ code: null, end: 'stopped' });
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await sh('true'), 'no timer is waited for').toMatchObject({ code: 0, end: 'exited' });
  const late = sh('sleep 20', { timeMs: 50 });
  vi.advanceTimersByTime(50);
  expect(await late).toMatchObject({ end: 'timed-out' });
  expect(await sh('exit 0', { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 });
  expect([held(), vi.getTimerCount()]).toEqual([before, 0]);
});

test('nothing of the group is left, and nobody waits for a child that holds the pipes', async () => {
  const file = path.join(room('children'), 'late');
  const left = await sh(`(sleep 2; touch ${file}) & printf done`);
  expect(left).toMatchObject({ code: 0, end: 'exited', output: 'done' });
  expect(left.durationMs).toBeLessThan(1_900);
  expect(existsSync(file)).toBe(false);
  const { output } = await sh('sleep 20 & printf $!');
  await vi.waitFor(() => expect(isAlive(output)).toBe(false), PATIENCE);
  const pipes = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('Pipe')).length;
  const before = pipes();
  const away = await sh('setsid sleep 20 <&0 & printf $!', { input: 'x'.repeat(1_000_000) });
  await vi.waitFor(() => expect(pipes()).toBe(before), PATIENCE);
  expect(isAlive(away.output), 'who has left the group').toBe(true);
  process.kill(Number(away.output), 'SIGKILL');
});

/** Whether the process runs; one that waits for its end to be read does not. */
function isAlive(pid: string): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !readFileSync(file, 'utf8').includes(') Z ');
}

test('of much output the beginning and the end are kept', async () => {
  const most = SURFACE_LIMITS.commandOutputBytes;
  const short = await sh(`head -c ${most} /dev/zero | tr '\\\\0' a`);
  expect(short.output).toHaveLength(most);
  const { output } = await sh(`printf begin; head -c ${4 * most} /dev/zero | tr '\\\\0' a; printf finish`);
  expect(output.startsWith('begin')).toBe(true);
  expect(output.endsWith('finish')).toBe(true);
  const [, left] = /\n… (\d+) bytes left out …\n/.exec(output) ?? [];
  expect(Number(left)).toBe(3 * most + 'beginfinish'.length);
  const numbers = Array.from({ length: most / 4 }, (_, number) => `${number}\n`).join('');
  const dropped = numbers.length - most;
  expect((await sh('cat', { input: numbers })).output).toBe(
    `${numbers.slice(0, most / 2)}\n… ${dropped} bytes left out …\n${numbers.slice(-most / 2)}`,
  );
  const more = `${numbers.slice(0, most)}x`;
  expect((await sh('cat', { input: more })).output).toBe(
    `${more.slice(0, most / 2)}\n… 1 bytes left out …\n${more.slice(-most / 2)}`,
  );
  const little = numbers.slice(0, most / 2 + 7);
  expect((await sh('cat', { input: little })).output).toBe(little);
});

test('a command of a task runs in the project, knows what it is given, and begins with the words of a sandbox', async () => {
  const folder = room('command');
  const run = (command: string, more: object = {}) => programs(folder).command(command, { timeMs: 20_000, ...more });
  expect((await run('pwd -P; echo $OURS$MINE')).output).toBe(`${folder}\nx\n`);
  expect((await run('echo $OURS$MINE', { variables: { MINE: 'y', OURS: 'z' } })).output).toBe('zy\n');
  expect((await run('pwd', { folder: '/usr' })).output).toBe('/usr\n');
  expect((await run('echo "$BOX"', { within: ['env', 'BOX=in'] })).output).toBe('in\n');
  const stopped = new AbortController();
  const waiting = run('sleep 20', { signal: stopped.signal });
  stopped.abort();
  expect(await waiting).toMatchObject({ end: 'stopped' });
});

function home() {
  const folder = room('home');
  const write = (name: string, text: string, mode = 0o644) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
  return { folder, write };
}

test('a client is found on the absolute part of PATH, or by its path in the project', async () => {
  const { folder, write } = home();
  const [first, second] = [write('one/tool', '', 0o644), write('two/tool', '', 0o755)];
  mkdirSync(path.join(folder, 'zero/tool'), { recursive: true });
  const dirs = ['zero', 'one', 'two'].map((name) => path.join(folder, name));
  const client = (PATH: string | undefined) => new LocalClientPrograms(folder, PATH === undefined ? {} : { PATH });
  expect(await client(dirs.join(':')).find('tool')).toBe(second);
  const relative = path.relative(process.cwd(), path.join(folder, 'two'));
  for (const PATH of ['two', relative, undefined]) expect(await client(PATH).find('tool'), PATH).toBeUndefined();
  expect(await client('').find('two/tool')).toBe(second);
  expect([await client('').find('./one/tool'), await client(PATH).find('no-such')]).toEqual([undefined, undefined]);
  expect(readFileSync(first, 'utf8')).toBe('');
  expect(await client('').firstOf(folder, ['none', 'two', 'one'])).toBe('two');
  expect(await client('').firstOf(folder, ['none'])).toBeUndefined();
});

test('what a person gave to a client is read from its home, or where a variable moved it', async () => {
  const { folder, write } = home();
  write('.claude/settings.json', '{"hooks":{"Stop":[]},"enabledPlugins":{"p":true,"q":false}}');
  write('.codex/config.toml', 'notify = "x"\n[mcp_servers.s]\ncommand = "y"\n');
  write('moved/settings.json', '{"hooks":{"Start":[]}}');
  write('broken/settings.json', '{');
  write('broken/config.toml', '= =');
  const parts = (client: 'claude' | 'codex', more: object = {}) =>
    new LocalClientPrograms('/', { HOME: folder, ...more }).ownParts(client);
  expect(await parts('claude')).toEqual({ hooks: ['Stop'], plugins: ['p'], servers: [] });
  expect(await parts('codex')).toEqual({ hooks: ['notify'], plugins: [], servers: ['s'] });
  expect(await parts('claude', { CLAUDE_CONFIG_DIR: path.join(folder, 'moved') })).toMatchObject({ hooks: ['Start'] });
  mkdirSync(path.join(folder, 'folders/settings.json'), { recursive: true });
  mkdirSync(path.join(folder, 'folders/config.toml'), { recursive: true });
  for (const place of ['broken', 'none', 'folders']) {
    const at = path.join(folder, place);
    expect(await parts('claude', { CLAUDE_CONFIG_DIR: at })).toEqual({ hooks: [], plugins: [], servers: [] });
    expect(await parts('codex', { CODEX_HOME: at })).toEqual({ hooks: [], plugins: [], servers: [] });
  }
  expect(existsSync(path.join(homeFolder(), '.claude/settings.json'))).toBe(false);
  const here = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(here));
  expect((await parts('claude', { HOME: '' })).hooks, "what a repository brings is nobody's").toEqual([]);
  expect(new LocalClientPrograms('/', { A: 'a', B: 'b' }).variables(['A', { when: ['C'], names: ['B'] }])).toEqual({
    A: 'a',
  });
});

test('a login is seen in the home of the person, or where a variable moved it', () => {
  const { folder, write } = home();
  write('.client/login', 'x');
  const file = { folder: '.client', name: 'login', moved: 'CLIENT_HOME' };
  const holds = (environment: object, name = 'login') => new LocalMachine({ ...environment }).holds({ ...file, name });
  expect([holds({ HOME: folder }), holds({ HOME: folder }, 'other'), holds({ HOME: '/nowhere' })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(holds({ HOME: '/nowhere', CLIENT_HOME: path.join(folder, '.client') })).toBe(true);
  expect(holds({ HOME: folder, CLIENT_HOME: '' })).toBe(true);
  expect(holds({ HOME: path.join(folder, '.client/login') })).toBe(false);
  expect(new LocalMachine({ HOME: folder, CLIENT_HOME: '/x' }).holds({ folder: '.client', name: 'login' })).toBe(true);
  expect(new LocalMachine({}).node).toBe(process.versions.node);
});

test('what a program leaves behind in its group is ended with it', async () => {
  const { code, output } = await sh('sleep 60 >/dev/null 2>&1 & printf $!');
  expect(code).toBe(0);
  const isThere = () => {
    try {
      process.kill(Number(output), 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${output}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, PATIENCE).toBe(false);
});
