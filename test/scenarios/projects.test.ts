import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { servedProjects, serviceRecords } from '#main/served-projects.js';
import { answerFromAfar } from '#main/socket-answers.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, environment, project, startService, troupe, until } from './program.js';

interface Listed {
  readonly projects: readonly Record<string, unknown>[];
}

const recordsNow = () => {
  const folder = path.join(environment()['XDG_RUNTIME_DIR'] ?? '', 'troupe-services');
  return existsSync(folder) ? readdirSync(folder) : [];
};

verifies('web.pages', 'services of two projects list each other until one is stopped or killed', async () => {
  const [first, second] = [await project('first'), await project('second')];
  const outside = room('outside');
  const none = await troupe(['projects'], { cwd: outside });
  expect(none.stdout).toBe('No project of yours has a service on this machine.\n');
  await startService(first);
  const { pid } = await startService(second);
  await asked(['add', 'Look at it', '--id', 'look', '--verify', 'A person looks'], { cwd: second });
  await asked(['done', 'look'], { cwd: second });
  const { address } = await asked<{ address: string }>(['dashboard'], { cwd: second });
  const listed = async (cwd: string) => (await asked<Listed>(['projects'], { cwd })).projects;
  const row = { since: expect.any(String), address: null, listens: [], needs_you: 0, running: 0 };
  const [one, other] = [
    { ...row, name: 'first', folder: first },
    { ...row, name: 'second', folder: second, address: `${new URL(address).origin}/`, needs_you: 1 },
  ];
  expect(await listed(first)).toEqual([
    { ...one, here: true },
    { ...other, here: false },
  ]);
  expect(await listed(second)).toEqual([
    { ...one, here: false },
    { ...other, here: true },
  ]);
  expect(await listed(outside)).toEqual([
    { ...one, here: false },
    { ...other, here: false },
  ]);
  const text = (await troupe(['projects'], { cwd: first })).stdout;
  expect(text).toMatch(/^PROJECT +NEEDS YOU +RUNNING +SERVICE SINCE +FOLDER\nfirst \(here\) +0 +0 /);
  expect(recordsNow()).toHaveLength(2);
  // No record holds what lets a browser or a program in.
  const folder = path.join(environment()['XDG_RUNTIME_DIR'] ?? '', 'troupe-services');
  for (const name of recordsNow())
    expect(Object.keys(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))).sort()).toEqual(
      expect.arrayContaining(['folder', 'process', 'since', 'socket']),
    );
  process.kill(pid, 'SIGKILL');
  await until('the second to be gone', async () => (await listed(first)).length === 1);
  expect(await listed(first)).toEqual([{ ...one, here: true }]);
  expect(recordsNow()).toHaveLength(1);
  await asked(['service', 'stop'], { cwd: first });
  expect([await listed(first), recordsNow()]).toEqual([[], []]);
});

verifies(
  'web.pages',
  'what waits in a project is unknown if its service is silent, gone or answers nonsense',
  async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', room('run'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const [silent, nonsense, gone] = [room('silent'), room('nonsense'), room('gone')];
    const answers = new Map([
      [silent, ''],
      [nonsense, '{"ok":true,"result":{"needs_you":{"total":"9"},"roles":{"total":-1},"running":{"total":1.5}}}\n'],
    ]);
    const records = serviceRecords();
    for (const [folder, answer] of answers) {
      const server = createServer((connection) => {
        connection.on('error', () => undefined);
        connection.on('data', () => connection.write(answer));
      });
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(path.join(folder, 's'), resolve));
      records.write({ folder, socket: path.join(folder, 's'), since: 1 });
    }
    records.write({ folder: gone, socket: path.join(gone, 's'), since: 1 });
    const all = servedProjects().all();
    expect(all).toHaveLength(3);
    expect(await Promise.all(all.map(({ counts }) => counts()))).toEqual([undefined, undefined, undefined]);
  },
);

verifies('web.pages', 'a service on another machine tells nobody here, whoever asks', async () => {
  const line = JSON.stringify({ cmd: 'operation', name: 'project.list', input: {} });
  // Refused before anything of the service is used.
  const reply = await answerFromAfar({} as never, { line, caller: { kind: 'person', name: 'tess' } });
  expect(JSON.parse(reply)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});
