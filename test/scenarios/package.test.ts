import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
// @ts-expect-error: plain JavaScript of the tooling
import { shippedComponents } from '../../tooling/components.mjs';
import { mass } from '../mass.js';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { endEverything, type Finished, start } from './program.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const PACKED_MB = 3;
const INSTALLED_MB = 15;
const INSTALLED_SECONDS = 5;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** `npm pack` of what is built now, into a folder. */
function pack(folder: string): { readonly archive: string; readonly packed: Packed } {
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = Object.values(JSON.parse(npm(words, HOME)) as Record<string, Packed>);
  if (packed === undefined) throw new Error('npm packed nothing');
  return { archive: path.join(folder, packed.filename), packed };
}

/** Registries are configured for the person: npm alone keeps the real home. */
function npm(words: readonly string[], cwd: string): string {
  return execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The packed program unpacked, with no package of anybody else around it. */
function unpacked(archive: string): string {
  const folder = room('alone');
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  return path.join(folder, 'package');
}

type Program = readonly [string, ...string[]];

/** What a person does first in a repository that has never seen the program: begin, add, start, look, stop. */
async function firstMinutes(program: Program): Promise<Run> {
  const cwd = repository({ 'README.md': '# X\n', 'src/a.js': 'export const a = 1;\n' });
  onTestFinished(() => endEverything(cwd));
  const run = async (...words: string[]): Promise<Finished> => {
    const finished = await start(words, { cwd, program }).finished;
    expect(finished.code, `${words.join(' ')}: ${finished.stderr}`).toBe(0);
    return finished;
  };
  await run('init');
  await run('add', 'Write it down', '--id', 'write');
  await run('service', 'start', '--executor', 'shell');
  const { address } = JSON.parse((await run('dashboard', '--json')).stdout) as { readonly address: string };
  const page = await fetch(address.replace(/#.*/, ''));
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
  expect([page.status, (await fetch(new URL(script, page.url))).status]).toEqual([200, 200]);
  await run('service', 'stop');
  return run;
}

type Run = (...words: string[]) => Promise<Finished>;

/** Also what loads many other parts: the help, a review, an export. */
async function firstDay(program: Program): Promise<void> {
  const run = await firstMinutes(program);
  expect((await run('--help')).stdout).toContain('troupe');
  expect((await run('list')).stdout).toContain('write');
  const report = await run('run', '--exit', '--run', 'none');
  expect(report.stdout).toContain('Do first');
  await run('export', 'claude-plugins', path.join(room('exported'), 'plugins'));
}

/** The live view needs a terminal; loading it shows that all of its parts are there. */
async function liveViewLoads(installed: string): Promise<void> {
  const live = path.join(installed, 'dist/chunks/top.mjs');
  const loads = `import(${JSON.stringify(live)}).then(({ showTop }) => process.exit(typeof showTop === 'function' ? 0 : 1))`;
  const program: Program = [process.execPath, '-e', loads];
  expect((await start([], { cwd: installed, program }).finished).code).toBe(0);
}

const programIn = (installed: string): Program => [process.execPath, path.join(installed, 'dist/cli.cjs')];

/** The drivers that npm installs beside the package on this machine, from the packages of this clone. */
function driversHere(): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(HOME, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: object; os?: string[]; cpu?: string[] }>;
  };
  return Object.keys(packages['']?.optionalDependencies ?? {})
    .map((name) => `node_modules/${name}`)
    .filter((place) => packages[place]?.os?.includes(process.platform) && packages[place]?.cpu?.includes(process.arch));
}

describe('the package', () => {
  const folder = mkdtempSync(path.join(process.env['TROUPE_TEST_ROOM'] ?? tmpdir(), 'packed-'));
  let [archive, packed]: [string, Packed] = ['', { filename: '', size: 0, files: [] }];
  beforeAll(() => {
    ({ archive, packed } = pack(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  verifies(
    'sec.supply',
    'installs nothing of others but the driver of an embedded database, and holds all else with its licences',
    () => {
      const { dependencies, optionalDependencies } = JSON.parse(
        readFileSync(path.join(HOME, 'package.json'), 'utf8'),
      ) as Record<string, object>;
      const drivers = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-gnu'].map((one) => `@libsql/${one}`);
      expect([dependencies, Object.keys(optionalDependencies ?? {})]).toEqual([undefined, drivers]);
      expect(packed.size).toBeLessThan(PACKED_MB * 1_000_000);
      const files = packed.files.map((file) => file.path);
      for (const name of [
        'dist/cli.cjs',
        'dist/web/index.html',
        'dist/licences.txt',
        'docs/reference/components.cdx.json',
        'LICENSE',
      ])
        expect(files).toContain(name);
      expect(files.filter((name) => /\.compiled$|^(src|test|tooling)\/|assets\/.*\.(js|css)$/.test(name))).toEqual([]);

      // What the bundler put in is in the bill of materials, and nothing is imported that is not.
      const named = new Set(
        (shippedComponents() as { name: string; version: string }[]).map((one) => `${one.name}@${one.version}`),
      );
      const licences = readFileSync(path.join(HOME, 'dist/licences.txt'), 'utf8');
      const builtIn = [...licences.matchAll(/^(\S+@\d\S*) \([^()]+\)$/gm)].map(([, name]) => name ?? '');
      expect(builtIn.length).toBeGreaterThan(80);
      expect(builtIn.filter((name) => !named.has(name))).toEqual([]);
      for (const name of ['react-dom@', 'ink@', 'ai@', 'nodemailer@'])
        expect(
          builtIn.some((one) => one.startsWith(name)),
          name,
        ).toBe(true);
    },
  );

  test('works with nothing but Node', async () => {
    const alone = unpacked(archive);
    await firstDay(programIn(alone));
    await liveViewLoads(alone);
  });

  verifies('pack.npx', `with the driver for this machine it takes less than ${INSTALLED_MB} MB`, async () => {
    const installed = unpacked(archive);
    const drivers = driversHere();
    expect(drivers.length, 'one C library, not two').toBeLessThan(2);
    for (const place of drivers) cpSync(path.join(HOME, place), path.join(installed, place), { recursive: true });
    expect(megabytes(installed)).toBeLessThan(INSTALLED_MB);
    // The driver is found beside the program, where the bundled loader looks for it.
    const cwd = repository({ 'README.md': '# X\n' });
    const program = programIn(installed);
    for (const words of [['init'], ['add', 'One', '--id', 'one'], ['msg', 'send', 'one', 'hello']])
      expect((await start(words, { cwd, program }).finished).stderr).not.toContain('error[');
  });

  verifies('pack.npx', 'npx runs the packed file in any repository, in an empty home', async () => {
    const home = room('home');
    // Without the driver, which is all that installing would ask the registry for.
    const env = { HOME: home, TMPDIR: room('tmp'), npm_config_omit: 'optional', npm_config_offline: 'true' };
    const cwd = repository({ 'README.md': '# X\n' });
    const program: Program = ['npx', '--yes', '--package', archive, 'troupe'];
    for (const words of [['init'], ['add', 'Write it down', '--id', 'write']]) {
      const finished = await start(words, { cwd, program, env }).finished;
      expect(finished.code, finished.stderr).toBe(0);
    }
  });

  verifies('pack.npx', 'installed for all of a person’s projects, it is a command of its name', async () => {
    const prefix = room('prefix');
    const where = ['--prefix', prefix, '--offline', '--omit=optional', '--no-audit', '--no-fund'];
    npm(['install', '--global', ...where, archive], prefix);
    expect(readdirSync(path.join(prefix, 'bin')).sort()).toEqual(['troupe', 'wg']);
    await firstMinutes([path.join(prefix, 'bin/troupe')]);
  });

  // Installing needs the registry.
  if (mass(0, 1) > 0)
    verifies('pack.npx', 'installed in an empty folder it is small, quick to install and complete', async () => {
      const [installed, again] = [room('installed'), room('installed-again')];
      const seconds = [installed, again].map((where) => {
        writeFileSync(path.join(where, 'package.json'), '{"private":true}');
        const before = Date.now();
        npm(['install', '--no-audit', '--no-fund', archive], where);
        return (Date.now() - before) / 1000;
      });
      expect(Math.min(...seconds)).toBeLessThan(INSTALLED_SECONDS * busy());
      expect(megabytes(installed)).toBeLessThan(INSTALLED_MB);
      expect(readdirSync(path.join(installed, 'node_modules/.bin')).sort()).toEqual(['troupe', 'wg']);
      await firstDay(programIn(path.join(installed, 'node_modules/troupe')));
      await liveViewLoads(path.join(installed, 'node_modules/troupe'));
    });
});

/** How much longer things take than on a machine that has nothing else to do. */
const busy = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0) / 1_000_000;
}
