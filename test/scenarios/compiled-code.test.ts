import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { ParsedByBuild } from '#adapters/catalog/parsed-ahead.js';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { room } from '../room.js';
import { asked, CLI, project, start, troupe } from './program.js';

const CHUNKS = path.join(path.dirname(CLI), 'chunks');

/** The chunk that every command loads, and its compiled code. */
function looks(chunks: string): { readonly source: string; readonly compiled: string } {
  const name = readdirSync(chunks).find((file) => /^looks-.*\.cjs$/.test(file)) ?? '';
  return { source: path.join(chunks, name), compiled: path.join(chunks, `${name}.compiled`) };
}

test('the build leaves compiled code beside the chunks, and V8 takes it', () => {
  const { source, compiled } = looks(CHUNKS);
  const script = new vm.Script(module.wrap(readFileSync(source, 'utf8')), { cachedData: readFileSync(compiled) });
  expect(script.cachedDataRejected).toBe(false);
});

test('the build leaves the shipped catalog as data, with the value of each of its files', () => {
  const catalog = path.resolve(CHUNKS, '../../data/catalog');
  const files = readdirSync(catalog, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const ahead = new ParsedByBuild(path.resolve(CHUNKS, '../catalog.json.br'));
  expect(files.length).toBeGreaterThan(50);
  for (const name of files) {
    const text = readFileSync(path.join(catalog, name), 'utf8');
    expect(ahead.of(text), name).toEqual({ value: strictYaml(text).value });
  }
});

test.each(['', 'what another version of V8 has compiled'])(
  'a command does the same with compiled code that is of no use: %j',
  async (content) => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    const copy = room('dist');
    cpSync(path.dirname(CLI), copy, { recursive: true, filter: (file) => path.basename(file) !== 'web' });
    const { compiled } = looks(path.join(copy, 'chunks'));
    expect(existsSync(compiled)).toBe(true);
    writeFileSync(compiled, content);
    const words = ['show', 'alpha', '--json']; // without how long ago anything was
    const own = await start(words, { cwd }).finished;
    const other = await start(words, { cwd, program: [process.execPath, path.join(copy, 'cli.cjs')] }).finished;
    expect(other).toEqual(own);
    expect([own.code, own.stderr]).toEqual([0, '']);
  },
);

test('a service whose program was replaced says so, and is restarted from the new one as it advises', async () => {
  const cwd = await project();
  const copy = path.join(room('older'), 'package');
  const packed = path.resolve(CHUNKS, '../..');
  for (const part of ['data', 'package.json'])
    cpSync(path.join(packed, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(packed, 'node_modules'), path.join(copy, 'node_modules'));
  cpSync(path.dirname(CLI), path.join(copy, 'dist'), { recursive: true });
  await asked(['add', 'Alpha'], { cwd });
  const program = [process.execPath, path.join(copy, 'dist', 'cli.cjs')] as const;
  expect((await start(['service', 'start'], { cwd, program }).finished).code).toBe(0);
  rmSync(path.join(copy, 'dist', 'chunks'), { recursive: true });

  const refused = await troupe(['analyze'], { cwd });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(
    /^error\[program_replaced\].*\nhint: Run `troupe service restart` if a service is running/,
  );
  const restarted = await troupe(['service', 'restart'], { cwd });
  expect([restarted.code, restarted.stdout]).toEqual([0, expect.stringContaining('was restarted')]);
  expect((await troupe(['analyze'], { cwd })).code).toBe(0);
  await asked(['service', 'stop'], { cwd });
});

test('a command leaves no code in the temporary folder, where a run may write', async () => {
  const cwd = await project();
  const temporary = room('temporary');
  expect((await start(['ready'], { cwd, env: { TMPDIR: temporary } }).finished).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});
