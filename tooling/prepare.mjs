// Prepares a fresh clone: installs packages and builds. Does nothing if both are up to date.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const HOME = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a program with its output redirected to stderr, unless `options` say otherwise; rejects if it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: HOME, stdio: ['inherit', 2, 2], ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(command)} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

function npm(args) {
  const script = process.env.npm_execpath;
  return script ? run(process.execPath, [script, ...args]) : run('npm', args);
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const full = path.join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(full) : statSync(full).mtimeMs);
  }
  return time;
}

const timeOf = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

async function step(text, work) {
  const started = Date.now();
  process.stderr.write(`${text} …\n`);
  await work();
  process.stderr.write(`${text}: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/**
 * Whether exactly the packages of the lockfile are installed, in these versions; of the optional ones, those for this
 * platform.
 */
function allInstalled() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const [named, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return (
    Object.keys(present).every((place) => named[place] !== undefined) &&
    Object.entries(named).every(([place, { version, integrity, optional }]) => {
      const same = present[place];
      return place === '' || (same ? same.version === version && same.integrity === integrity : optional);
    })
  );
}

/** Installs the packages of the lockfile if any are missing. */
export async function install() {
  process.chdir(HOME);
  if (!allInstalled()) {
    await step('Installing packages', () =>
      npm(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    );
  }
}

export async function prepare() {
  await install();
  const inputs = Math.max(newest('src'), newest('web'), newest('tooling'), timeOf('package.json'));
  if (Math.min(timeOf('dist/cli.cjs'), timeOf('dist/web/index.html')) < inputs) {
    await step('Building', () => run(process.execPath, ['tooling/build.mjs']));
  }
}
