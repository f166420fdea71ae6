import { readdirSync, readFileSync, statSync } from 'node:fs';
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
 * Chunks that a command loads of the built program, by their names in tooling/chunks.mjs, and the most bytes of all. `show` of an
 * open task with 390 kB took 1.00 times the processor time of `show` with 374 kB, in 21 pairs; of one that waits 266 and 258 kB, 1.02.
 * With the 2 kB of settings that say why a value is refused: `show` of an open task 1.00 times, `add` 0.97 times, in 21 pairs.
 * With the rule of internal tasks and a file for what lets a program start from compiled code: `show` and `ready` 1.01 times, `list` 0.99, in 21 pairs.
 * With the marks of a guarded checkout and what keeps a ready task from being started: `show` of an open task 0.96 times, in 21 pairs.
 * With what tells whether an answer of git still holds: `show` of an open task 0.99 times, in 21 pairs.
 * With the 0.4 kB that find chunks without a search: `show` of an open task 0.99 times, `team list` 0.91, in 21 pairs.
 * With the 0.4 kB by which the shared reading and ordering of rows has grown: `show` of an open task 1.00 times, in 21 pairs.
 * With the 0.4 kB by which a large graph is read in outline: `show` of an open task 0.98 times, `add` 1.03, in 21 pairs on a busy machine; on 100,000
 * tasks `show` 0.6 times. With the commands of databases, their errors and what `show` tells besides: `show` of an open task 0.97 times, of one that waits
 * 0.98, `ready` 1.03, `add` 1.05, in 21 to 41 pairs, with the worktrees of such a repository too, and with the leader on another machine, `show` 1.01
 * and `ready` 1.01 times as well, in 21 pairs. With the commands of workers and the labels of tasks: `show` 1.00 times, `ready` 1.01, in 21 pairs; with
 * the runs of workers beside those of the service: `show` 1.01, `ready` 1.01, in 21 pairs.
 * With the keys of leaders, reading through a replica and a fleet to try: `show` of an open task 1.00 times, `ready` and `add` 1.00, in 21 pairs, `show`
 * of one that waits 1.00, in 41.
 * With the 0.2 kB by which a graph is read in with its free tasks: 100,000 tasks loaded in 0.8 times the processor time.
 * With the 0.6 kB of an object store's errors and setting: `show` of an open task 1.01 times, of one that waits 1.01, `ready` 0.99, `add` 0.99, in 21 pairs.
 * With the 0.4 kB by which four hundred names became longer: `show` of an open task 1.00 times, `ready` 1.01, in 21 pairs.
 * With the 0.6 kB of named limits of a database and of hints with their arguments: `show` of an open task 0.99 times, of one that waits 1.01, `ready` 1.02, in
 * 21 pairs.
 * With the 0.4 kB by which a change is flushed beside other work: `show` of an open task 0.99 times, `ready` 1.00, `add` 1.01, in 21 pairs.
 * With the 0.2 kB of arguments in hints and names of permissions: `show` of an open task 1.00 times, of one that waits 1.02, `ready` 1.02, `add` 1.00,
 * in 21 pairs.
 * With the 0.2 kB by which a turn is looked at: `show` of an open task 0.99 times, of one that waits 1.04, `ready` 0.94, `add` 0.98, in 21 pairs.
 * With the 0.1 kB by which built-in modules are loaded only where they are used: `show` of an open task 0.88 times, `ready` 0.93, in 30 pairs.
 * With the 0.2 kB by which two names of one field are refused: `show` of an open task 1.00 times, of one that waits 1.04, `ready` 1.00, `add` 0.99, in 21
 * pairs. With the 0.1 kB of a list of playbooks: `show` of an open task 1.02 times, of one that waits 0.99, `ready` 1.02, `add` 1.08, in 21 pairs on a busy
 * machine. With the caller of a change in a chunk of its own: `log` 0.98 times, `add` 1.02, in 21 pairs on a busy machine; `show` from another machine,
 * which no longer loads the rules of changes with it, 0.82.
 * With the 0.1 kB by which a moment beyond the log is refused: `show` of an open task 0.99 times, of one that is ready 0.96, `ready` 0.98, `add` 0.98, in 21 pairs
 * on a busy machine.
 * With the 0.4 kB by which a replaced program is named: `show` of an open task 0.99 and 1.01 times, `ready` 1.02 and 0.99, `log` 0.99, in 30 to 40 pairs.
 * With the 0.3 kB by which a command remembers whether the service answered it: `show` of an open task 0.99 times, `ready` 1.03, `list` 1.00, in 31 pairs;
 * `show` from another machine 0.88.
 * With the 1 to 11 kB by which operations carry their own words, also where only their rows are used: `show` 0.96 times, `ready` 0.94, `--version` 1.01,
 * `log` 1.01, in 31 to 41 pairs.
 * With the 7 to 17 kB of the rows of tokens, reviews, steps and epics, their scopes and refusals: `show` 1.01 times, `ready` 1.01, `list` 1.02 in
 * 31 pairs, `add` 0.94 in 21.
 * With the 3 bytes that name a compressed file: `show` of an open task 1.04 and 0.97 times, `list` 0.98 and 0.88, in 9 pairs on a busy machine.
 * With the 1.5 kB by which the log stays open between two rounds of a service: `add` 0.99 times, in 31 pairs on a busy machine.
 * With the 0.1 kB, or 2.4 kB for changes, by which a service decides while it flushes: `add` 1.01 times, `show` 1.00, in 31 pairs on a busy machine.
 * With an end that does not take the heap apart: `show` 0.96 times, `ready` 0.97, `add` 0.97, in 41 pairs.
 * With the 1.1 kB by which a misspelt folder, numbers that no reader keeps and a flag with two values are refused: `show` 1.00 times, `ready` 1.00, `add` 1.00, in 31 pairs.
 * With the 0.2 kB that look at the name of the program: `show` of an open task 0.97 times, `ready` 1.06, `--version` 0.97, in 31 pairs on a busy machine.
 */
const LOADED: readonly (readonly [words: readonly string[], chunks: readonly string[], mostBytes: number])[] = [
  [['--version'], ['looks'], 295_900],
  [['show', 'beta'], ['looks'], 295_900],
  [['ready'], ['lists', 'looks', 'shapes'], 317_900],
  [
    ['add', 'Gamma'],
    ['additions', 'caller', 'changes', 'lists', 'looks', 'moves', 'settings', 'shapes', 'trust'],
    429_900,
  ],
  [['done', 'alpha'], ['caller', 'changes', 'lists', 'looks', 'moves', 'shapes', 'trust'], 409_400],
  // Whether somebody would do it depends on the client there is.
  [['show', 'alpha'], ['clients', 'looks', 'runs', 'settings', 'trust'], 430_000],
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
});

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
    expect(chunks.sort()).toEqual(['asking', 'caller', 'looks', 'pg', 'remote', 'trust']);
    expect(builtins, 'on this machine no connection is encrypted').not.toContain('tls');
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
