import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { ShippedRoles } from '#adapters/roles/shipped-roles.js';
import { exportClaudePlugins } from '#operations/formations/export-plugins.js';
import { contextOf } from '../../context-of.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const ROLES = path.resolve(import.meta.dirname, '../../../data/roles');

/** The plugins in a folder, and a path on which `troupe` is the script given, or is not. */
async function setUp(troupe?: string) {
  const here = room();
  const context = contextOf({
    outputs: async () => new OutputFolder(here, here),
    roleStarters: async () => new ShippedRoles(ROLES),
  });
  const write = (folder: string, more: { force?: boolean; only?: ('roles' | 'dev-crew')[] } = {}) =>
    exportClaudePlugins.run(context, { folder, ...more });
  await write('plugins');
  const bin = path.join(here, 'bin');
  mkdirSync(bin);
  for (const tool of ['sh', 'sleep', 'cat']) symlinkSync(`/bin/${tool}`, path.join(bin, tool));
  if (troupe !== undefined) {
    writeFileSync(path.join(bin, 'troupe'), `#!/bin/sh\n${troupe}\n`);
    chmodSync(path.join(bin, 'troupe'), 0o700);
  }
  const run = async (script: string, input: string) => {
    const child = spawn('/bin/sh', [path.join(here, 'plugins', script)], { env: { PATH: bin } });
    child.stdin.on('error', () => undefined); // nobody has to read it
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
  return { here, write, run };
}

const GATE = 'dev-crew/scripts/check-handoffs.sh';
const SESSION = 'roles/scripts/session-start.sh';

verifies(
  'gate.closed',
  'the script of the plugin hands on what troupe says, and everything else is a refusal',
  async () => {
    const says = await setUp('[ "$*" = "hook check-handoffs" ] && cat');
    expect(await says.run(GATE, '{"a":1}')).toEqual({ code: 0, stdout: '{"a":1}', stderr: '' });
    const refuses = await setUp('echo no >&2; exit 2');
    expect(await refuses.run(GATE, '{}')).toEqual({ code: 2, stdout: '', stderr: 'no\n' });
    for (const troupe of ['exit 1', 'exit 137', 'kill -9 $$', undefined]) {
      const { run } = await setUp(troupe);
      expect(await run(GATE, '{}'), troupe).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('dev-crew: '),
      });
    }
  },
);

verifies('gate.closed', 'a troupe that never answers is ended, and that is a refusal too', async () => {
  const { here, run } = await setUp('exec sleep 60');
  const script = path.join(here, 'plugins', GATE);
  writeFileSync(script, readFileSync(script, 'utf8').replace('sleep 6 ', 'sleep 0.2 '));
  expect(await run(GATE, '{}')).toMatchObject({ code: 2, stderr: expect.stringContaining('(137)') });
});

test('a session begins whatever the script for it meets', async () => {
  for (const troupe of ['exit 1', 'kill -9 $$', undefined]) {
    const { run } = await setUp(troupe);
    expect(await run(SESSION, '{}')).toMatchObject({ code: 0, stdout: '' });
  }
});

test('plugins are written over with the same bytes, with others only by --force, and never through a link', async () => {
  const { here, write } = await setUp();
  const { files } = await write('plugins');
  expect(files.length).toBeGreaterThan(20);
  const readme = path.join(here, 'plugins/roles/README.md');
  writeFileSync(readme, 'mine');
  await expect(write('plugins')).rejects.toMatchObject({ code: 'file_exists' });
  await write('plugins', { force: true });
  await write('plugins', { only: ['dev-crew'], force: true });
  mkdirSync(path.join(here, 'other'));
  symlinkSync(path.join(here, 'plugins'), path.join(here, 'other/dev-crew'));
  await expect(write('other', { only: ['dev-crew'] })).rejects.toMatchObject({ code: 'unsafe_path' });
});
