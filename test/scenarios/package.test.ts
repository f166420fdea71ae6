import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
const INSTALLED_MB = 30;
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

/** What a person does first with what they installed, each with the program of that folder. */
async function firstDay(installed: string): Promise<void> {
  const cwd = repository({ 'README.md': '# X\n', 'src/a.js': 'export const a = 1;\n' });
  onTestFinished(() => endEverything(cwd));
  const run = async (...words: string[]): Promise<Finished> => {
    const program = [process.execPath, path.join(installed, 'dist/cli.cjs')] as const;
    const finished = await start(words, { cwd, program }).finished;
    expect(finished.code, `${words.join(' ')}: ${finished.stderr}`).toBe(0);
    return finished;
  };
  expect((await run('--help')).stdout).toContain('troupe');
  await run('init');
  await run('add', 'Write it down', '--id', 'write');
  expect((await run('list')).stdout).toContain('write');
  const report = await run('run', '--exit', '--run', 'none');
  expect(report.stdout).toContain('Do first');
  await run('export', 'claude-plugins', path.join(room('exported'), 'plugins'));
  await run('service', 'start', '--executor', 'shell');
  const { address } = JSON.parse((await run('dashboard', '--json')).stdout) as { readonly address: string };
  const page = await fetch(address.replace(/#.*/, ''));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
  await run('service', 'stop');
  // The live view wants a terminal; that its parts are all there is seen by loading them.
  const live = path.join(installed, 'dist/chunks/top.mjs');
  const loads = `import(${JSON.stringify(live)}).then(({ showTop }) => process.exit(typeof showTop === 'function' ? 0 : 1))`;
  await start([], { cwd, program: [process.execPath, '-e', loads] }).finished.then(({ code }) => expect(code).toBe(0));
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
      expect([dependencies, Object.keys(optionalDependencies ?? {})]).toEqual([undefined, ['libsql']]);
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
      expect(files.filter((name) => /\.compiled$|^(src|test|tooling)\//.test(name))).toEqual([]);

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

  test('works with nothing but Node', () => firstDay(unpacked(archive)));

  // Installing needs the registry.
  if (mass(0, 1) > 0)
    test('installed in an empty folder is small, quick to install and whole', async () => {
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
      await firstDay(path.join(installed, 'node_modules/troupe'));
    });
});

/** How much longer things take than on a machine that has nothing else to do. */
const busy = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0) / 1_000_000;
}
