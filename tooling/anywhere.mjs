// npm run test:anywhere [-- PLACE… --quick --file=TEST…]: clones this repository into unusual locations and runs `npm
// start` and `npm test` in each. Without a PLACE it covers all of them, which takes more than an hour. --quick skips
// `npm start`, reuses the packages and the build of this checkout, and runs only the test files that depend on the
// location or the user; --file selects test files.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOME, prepare } from './prepare.mjs';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Test files whose result could depend on the location. */
const SENSITIVE = [
  'test/scenarios/bad-input.test.ts',
  'test/scenarios/homes.test.ts',
  'test/scenarios/private-files.test.ts',
  'test/scenarios/project-found.test.ts',
  'test/scenarios/without-service.test.ts',
  'test/adapters/files',
  'test/adapters/workers/fleet-trial.test.ts',
  'test/adapters/postgres/own-server.test.ts',
  'test/adapters/trust',
  'test/adapters/worktrees/life.test.ts',
];

/**
 * Names are short because the paths of test sockets lie below them, and socket paths have a length limit.
 * Fields: `below`, the clone's folder relative to the created one; `environment`; `umask`; `asNobody`; `prepared`,
 * which sets up its surroundings; and `onlyRoot` if only root can create the location.
 */
const PLACES = {
  closed: { below: 'closed/clone', prepared: (at) => chmodSync(path.join(at, 'closed'), 0o700), onlyRoot: true },
  ordinary: { below: 'clone', asNobody: true, onlyRoot: true },
  spaced: { below: 'Größe und Raum/clone' },
  umask: { below: 'clone', umask: '077' },
  tmpdir: { below: 'clone', environment: (at) => ({ TMPDIR: forAll(path.join(at, 't')) }) },
  'no-chromium': { below: 'clone', environment: () => ({ TROUPE_CHROMIUM: '/nowhere/chromium' }) },
  above: {
    below: 'project/clone',
    prepared: (at) =>
      execFileSync(process.execPath, [path.join(HOME, 'dist/cli.cjs'), 'init'], { cwd: path.join(at, 'project') }),
  },
};

const FILE = '--file=';
const isFile = (word) => word.startsWith(FILE);

const words = process.argv.slice(2);
const files = words.includes('--quick') ? SENSITIVE : words.filter(isFile).map((word) => word.slice(FILE.length));
const named = words.filter((word) => !word.startsWith('-'));
const unknown = [
  ...named.filter((name) => !(name in PLACES)),
  ...words.filter((word) => word.startsWith('-') && word !== '--quick' && !isFile(word)),
];
if (unknown.length > 0) {
  process.stderr.write(
    `error[usage]: There is no place ${unknown.join(', ')}.\nhint: One of ${Object.keys(PLACES).join(', ')}.\n`,
  );
  process.exit(2);
}

// Some places are prepared with the program as it is built here; a build under running tests would take it from them.
if (!existsSync(path.join(HOME, 'dist/cli.cjs'))) await prepare();
const results = [];
for (const name of named.length > 0 ? named : Object.keys(PLACES)) results.push([name, walk(PLACES[name])]);
for (const [name, result] of results) process.stdout.write(`${name.padEnd(12)} ${result}\n`);
process.exitCode = results.some(([, result]) => result.startsWith('failed')) ? 1 : 0;

/** Creates, tests and removes one location: `passed`, `failed: …` or `skipped: …`. */
function walk(place) {
  if (place.onlyRoot && !isRoot) return 'skipped: only root can make this place';
  const at = mkdtempSync(path.join(tmpdir(), 'troupe-any-'));
  chmodSync(at, 0o755); // an ordinary user must be able to reach the location
  try {
    const clone = path.join(at, place.below);
    mkdirSync(path.dirname(clone), { recursive: true });
    // npm passes its own configuration, such as the cache folder, to scripts; it must not reach the clone.
    const ours = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const environment = {
      ...Object.fromEntries(ours),
      HOME: made(path.join(at, 'home')),
      CI: '',
      ...place.environment?.(at),
    };
    delete environment.INIT_CWD;
    place.prepared?.(at);
    // Git checks the ownership of repositories, so the clone is made by the current user and its owner changed
    // afterwards.
    if (!runIn({ umask: place.umask }, { cwd: at, environment }, ['git', 'clone', '--quiet', '--', HOME, clone]))
      return 'failed: git clone';
    if (files.length > 0) borrow(clone);
    if (place.asNobody) chownAll(at);
    const inPlace = (...command) => runIn(place, { cwd: clone, environment }, command);
    if (files.length > 0)
      return inPlace('npm', 'test', '--', ...files) ? 'passed' : `failed: npm test -- ${files.join(' ')}`;
    if (!inPlace('npm', 'start', '--', '--exit')) return 'failed: npm start -- --exit';
    return inPlace('npm', 'test') ? 'passed' : 'failed: npm test';
  } finally {
    rmSync(at, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Links the packages and the build of this checkout; files written beside the packages stay in the clone. */
function borrow(clone) {
  const packages = made(path.join(clone, 'node_modules'));
  for (const name of readdirSync(path.join(HOME, 'node_modules')).filter(
    (entry) => !/^\.(vite|experimental)/.test(entry),
  ))
    symlinkSync(path.join(HOME, 'node_modules', name), path.join(packages, name));
  cpSync(path.join(HOME, 'dist'), path.join(clone, 'dist'), { recursive: true });
}

/** Runs a command, shows its output, and returns whether it succeeded. */
function runIn({ umask = '022', asNobody }, { cwd, environment }, command) {
  const become = asNobody ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const args = ['-c', `umask ${umask}; exec "$0" "$@"`, ...become, ...command];
  return spawnSync('sh', args, { cwd, env: environment, stdio: ['ignore', 2, 2] }).status === 0;
}

function made(folder) {
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Makes a folder in which everyone may create files, like the system's temporary folder. */
function forAll(folder) {
  chmodSync(made(folder), 0o1777);
  return folder;
}

function chownAll(at) {
  if (lstatSync(at).isSymbolicLink()) return;
  chownSync(at, NOBODY, NOBODY);
  if (lstatSync(at).isDirectory()) for (const name of readdirSync(at)) chownAll(path.join(at, name));
}
