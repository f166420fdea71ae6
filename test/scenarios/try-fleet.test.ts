import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { startOwnServer } from '#adapters/postgres/own-server.js';
import { postgresAddress } from '../postgres.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { start, troupe, until } from './program.js';

const address = await postgresAddress();

/** A temporary folder that the user of a database may pass through, too. */
function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'troupe-try-'));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Processes that work below a folder, or were started for it. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        textOf(`/proc/${pid}/cmdline`).includes(folder) ||
        textOf(`/proc/${pid}/environ`).includes(`${folder}/troupe-fleet-`),
    )
    .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

describe.skipIf(address === undefined || !existsSync('/proc/self/environ'))('a fleet to try', () => {
  verifies('fleet.try', 'a plan runs on two workers and is merged, and nothing of it is left', async () => {
    const [cwd, temporary] = [room(), openFolder()];
    const { code, stdout, stderr } = await start(['try', 'fleet', '--json'], { cwd, env: { TMPDIR: temporary } })
      .finished;
    expect(code, stderr).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; workers: Record<string, string[]>; lines: string[] });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['database', 'leads', 'arrived', 'took', 'merged']),
    );
    const finished = events.at(-1);
    expect(finished?.lines).toEqual(
      [1, 2, 3, 4].map((chapter) => expect.stringMatching(`^chapter-${chapter}, written at worker-[12]$`)),
    );
    for (const name of ['worker-1', 'worker-2']) expect(finished?.workers[name]?.length, name).toBeGreaterThan(0);
    expect([readdirSync(temporary), readdirSync(cwd), processesOf(temporary)]).toEqual([[], [], []]);
  });

  verifies('fleet.try', 'one that is stopped leaves nothing either', async () => {
    for (const moment of ['leads', 'took']) {
      const temporary = openFolder();
      const fleet = start(['try', 'fleet', '--json'], { cwd: room(), env: { TMPDIR: temporary } });
      await until(`a fleet with the event ${moment}`, async () => fleet.stdout().includes(`"${moment}"`), 60_000);
      fleet.child.kill('SIGTERM');
      expect(await fleet.finished).toMatchObject({
        code: 130,
        stderr: expect.stringContaining('Nothing of it is left'),
      });
      expect([readdirSync(temporary), processesOf(temporary)], moment).toEqual([[], []]);
    }
  });
});

verifies('fleet.try', 'without an installed server it is said how to get one', async () => {
  const parent = room();
  await expect(startOwnServer(parent, [], [path.join(parent, 'none')])).rejects.toMatchObject({
    code: 'database_server_missing',
    hint: expect.stringMatching(/apt install postgresql.*brew install postgresql/),
  });
  expect(readdirSync(parent)).toEqual([]);
});

verifies('fleet.try', 'its help has an example', async () => {
  const { stdout } = await troupe(['try', 'fleet', '--help'], { cwd: room() });
  expect(stdout).toContain('troupe try fleet --json');
});
