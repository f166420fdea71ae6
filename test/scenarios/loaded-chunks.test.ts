import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freshProject, postgresAddress } from '../postgres.js';
import { verifies } from '../verifies.js';
import { cloneOf } from './database-world.js';
import { asked, CLI, project, start, startService } from './program.js';

const RECORDER = path.resolve(import.meta.dirname, '../fixtures/loaded-files.cjs');

/** Loaded by whatever is started, before anything else: less than 2 kB. */
const FIRST = ['cli', 'compiled-code', 'rolldown-runtime'];

/**
 * Chunks that a command loads of the built program, by their names in tooling/chunks.mjs, and the most bytes of all. A row grows only
 * with a measurement in pairs of whole commands (`npm run bench -- start-up` measures them). With a chunk for what a service answers, limits and
 * error codes that are not copied into one table, and less of Node loaded by the driver: `show` 0.95 times the processor time, `ready` 0.94, `list` 0.93,
 * `log` 0.93, `--version` 0.82, in 31 pairs; `show` that a service answers takes 19 ms beside bare Node instead of 37, and 38 instead of 49 from another
 * machine. With what another tool rewrote told apart, and the task beside an operation, up to 470 bytes more: `show` 1.00, `ready` 1.01, `done` 0.99 times
 * the processor time, in 31 pairs. With the operations of the service, up to 225 bytes more: `show` 0.99, `ready` 1.01, `--version` 1.00 times, in 31 pairs.
 */
const LOADED: readonly (readonly [words: readonly string[], chunks: readonly string[], mostBytes: number])[] = [
  [['--version'], ['start'], 145_900],
  [['show', 'beta'], ['looks', 'start'], 315_400],
  [['ready'], ['lists', 'looks', 'shapes', 'start'], 325_300],
  [['add', 'Gamma'], ['additions', 'changes', 'lists', 'looks', 'moves', 'settings', 'shapes', 'start'], 432_300],
  [['done', 'alpha'], ['changes', 'lists', 'looks', 'moves', 'shapes', 'start'], 411_600],
  // Whether somebody would do it depends on the client there is.
  [['show', 'alpha'], ['clients', 'looks', 'runs', 'settings', 'start'], 447_200],
];

test.each(LOADED)('`troupe %j` loads %j and no more than %i bytes', async (words, chunks, mostBytes) => {
  const cwd = await project();
  await asked(['add', 'Alpha'], { cwd });
  await asked(['add', 'Beta', '--after', 'alpha'], { cwd });
  const loaded = await filesOf(words, cwd);
  const names = loaded.map(nameOf).filter((name) => !FIRST.includes(name));
  const sizes = loaded.map((file) => statSync(file).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const advice = [
    `${bytes} bytes: ${loaded.map((file, index) => `${nameOf(file)} ${sizes[index]}`).join(', ')}.`,
    'What few commands need: import it with import() where it is needed, or from a file that holds nothing else.',
    'What each of these needs and another chunk holds: name it in CHUNKS of tooling/chunks.mjs.',
    'More bytes only with a measurement beside them: npm run bench -- start-up.',
  ].join('\n');
  expect(names.sort(), advice).toEqual(chunks);
  expect(bytes, advice).toBeLessThan(mostBytes);
  const slow = loaded
    .map(nameOf)
    .filter((name, index) => !FIRST.includes(name) && !existsSync(`${loaded[index]}.compiled`));
  expect(slow, 'a chunk with an `import()` of something that is no chunk is not compiled ahead').toEqual([]);
});

test.each([['show', 'alpha'], ['ready'], ['list']])(
  '`troupe %s` that a service answers loads neither the graph nor what proves a caller',
  async (...words) => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    await startService(cwd);
    const { files, builtins } = await loadedBy(words, cwd);
    const chunks = files.map(nameOf).filter((name) => !FIRST.includes(name));
    expect(chunks.sort()).toEqual(['asking', 'start']);
    expect(builtins).not.toContain('crypto');
  },
);

verifies('gate.role', 'the hook of a client loads its own small file and no table of commands', async () => {
  const cwd = await project();
  const record = path.join(cwd, 'loaded.json');
  const program: [string, ...string[]] = [process.execPath, '--require', RECORDER, CLI];
  const hook = start(['hook', 'check-handoffs'], { cwd, program, env: { TROUPE_TEST_LOADED: record }, input: 'pipe' });
  hook.child.stdin?.end(JSON.stringify({ tool_input: { subagent_type: 'dc-dev' } }));
  expect(await hook.finished).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const { files: loaded } = JSON.parse(readFileSync(record, 'utf8')) as Loaded;
  expect(loaded.map(nameOf).filter((name) => !FIRST.includes(name))).toEqual(['handoff-hook']);
  // Half of it is the table of look-alikes (docs/decisions/0018): 5 ms of processor time.
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(148_600);
});

verifies('fleet.same', 'of a project in files nothing of a database is loaded, and no file is new', async () => {
  const cwd = await project();
  await asked(['add', 'Alpha'], { cwd });
  const before = readdirSync(path.join(cwd, '.workgraph'), { recursive: true, encoding: 'utf8' }).sort();
  const loaded = await filesOf(['msg', 'send', 'alpha', 'hello'], cwd);
  const foreign = loaded.filter((file) => /[\\/]pg\.cjs$|postgres|database-(?:kind|place|storage)/.test(file));
  expect(foreign).toEqual([]);
  expect(loaded.length).toBeGreaterThan(3);
  const after = readdirSync(path.join(cwd, '.workgraph'), { recursive: true, encoding: 'utf8' });
  expect(after.filter((name) => !before.includes(name) && !name.startsWith('teams.db'))).toEqual([]);
});

const address = (await postgresAddress()) ?? '';

test.skipIf(address === '')(
  'what a person asks the leader on another machine loads the driver and little more',
  async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    await asked(['database', 'move', '--to', address, '--project', freshProject(address)], { cwd });
    await startService(cwd);
    const clone = await cloneOf(cwd, address);
    const { files, builtins } = await loadedBy(['show', 'alpha'], clone);
    const chunks = files.map(nameOf).filter((name) => !FIRST.includes(name));
    expect(chunks.sort()).toEqual(['pg', 'remote', 'start']);
    // On this machine no connection is encrypted, and no name is looked up.
    for (const name of ['tls', 'dns']) expect(builtins).not.toContain(name);
  },
);

test.each([[['show', 'alpha']], [['ready']], [['list']]])(
  '`troupe %j` loads no built-in module that takes long and is of no use to it',
  async (words) => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    const { builtins } = await loadedBy(words, cwd);
    expect(builtins).toContain('fs');
    // Ids and hashes, programs and their pipes, and the measuring of time: 40 modules with all that they load.
    expect(builtins.filter((name) => ['crypto', 'child_process', 'perf_hooks'].includes(name))).toEqual([]);
  },
);

/** Paths of files, and names of built-in modules. */
interface Loaded {
  readonly files: readonly string[];
  readonly builtins: readonly string[];
}

async function filesOf(words: readonly string[], cwd: string): Promise<readonly string[]> {
  return (await loadedBy(words, cwd)).files;
}

/** What the command line loads for these words; it has to succeed. */
async function loadedBy(words: readonly string[], cwd: string): Promise<Loaded> {
  const record = path.join(cwd, 'loaded.json');
  const program: [string, ...string[]] = [process.execPath, '--require', RECORDER, CLI];
  const { code, stderr } = await start(words, { cwd, program, env: { TROUPE_TEST_LOADED: record } }).finished;
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(readFileSync(record, 'utf8')) as Loaded;
}

/** `looks-BQLL0rwz.cjs` → `looks`. */
function nameOf(file: string): string {
  return path.basename(file, '.cjs').replace(/-[\w-]{8}$/, '');
}
