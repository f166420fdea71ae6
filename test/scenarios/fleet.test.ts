import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { postgresAddress } from '../postgres.js';
import { git } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { WITH_CLIENT } from './client-world.js';
import { type Fleet, fleet } from './far-worker.js';
import { asked, endEverything, type Running, start, troupe, until } from './program.js';
import { addPlay, serveClients, shownTask } from './repository-world.js';

const address = (await postgresAddress()) ?? '';

/** A clone of somebody else, at whose machine a worker is started. */
async function clonedBy(name: string, { cwd, hub }: Fleet) {
  const above = realpathSync(room(name));
  const clone = path.join(above, 'clone');
  git(above, 'clone', '--quiet', '--origin', 'hub', '--', hub, clone);
  mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
  cpSync(path.join(cwd, '.workgraph/config.toml'), path.join(clone, '.workgraph/config.toml'));
  const env = { ...WITH_CLIENT, HOME: above, XDG_RUNTIME_DIR: above, USER: name };
  await asked(['database', 'use', address], { cwd: clone, env });
  return { clone, env };
}

async function workerAt(name: string, place: Fleet, ...flags: string[]): Promise<Running & { clone: string }> {
  return await workerIn(await clonedBy(name, place), name, ...flags);
}

async function workerIn(
  { clone, env }: Awaited<ReturnType<typeof clonedBy>>,
  name: string,
  ...flags: string[]
): Promise<Running & { clone: string }> {
  const running = start(['worker', 'start', '--json', '--yes', '--name', name, ...flags], { cwd: clone, env });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.finished;
    await endEverything(clone);
  });
  await until(`${name} to arrive`, () => running.stdout().includes('"arrived"') || running.child.exitCode !== null);
  expect(running.child.exitCode, running.stderr()).toBeNull();
  return { ...running, clone };
}

const untilIt = (cwd: string, id: string, status: string) =>
  until(`${id} to be ${status}`, async () => (await shownTask(cwd, id))['status'] === status);

describe.skipIf(address === '')('a leader and workers', () => {
  verifies(
    ['fleet.code', 'fleet.see'],
    'tasks of clients are carried out at a worker and here, their work merged, their output read at the leader',
    async () => {
      const place = await fleet(address);
      const { cwd, hub } = place;
      git(cwd, 'push', '--quiet', 'hub', 'HEAD:main');
      const worker = await workerAt('box', place, '--executor', 'claude', '--slots', '2');
      for (const id of ['one', 'two', 'three', 'four']) await addPlay(cwd, id, 'leaves');
      await serveClients(cwd, '--max-agents', '1');
      for (const id of ['one', 'two', 'three', 'four']) await untilIt(cwd, id, 'done');
      const merged = integrationOf(cwd);
      for (const id of ['one', 'two', 'three', 'four']) expect(fileAt(cwd, merged, `${id}.txt`)).toBe(`by ${id}\n`);
      expect(worker.stdout()).toContain('"ended"');
      const { agents } = await asked<{ agents: { task_id: string; worker?: string }[] }>(['agents', '--all'], { cwd });
      const far = agents.find((row) => row.worker === 'box') ?? expect.unreachable();
      expect((await troupe(['output', far.task_id], { cwd })).stdout).toContain('left a file');
      expect(git(hub, 'rev-parse', 'wg/integration').trim()).toBe(git(cwd, 'rev-parse', 'wg/integration').trim());
    },
  );

  verifies(
    ['fleet.code', 'fleet.mail'],
    'a run at a worker commits and reports its task at its door; what was required of it is looked at when its work is here',
    async () => {
      const place = await fleet(address);
      const { cwd } = place;
      git(cwd, 'push', '--quiet', 'hub', 'HEAD:main');
      const worker = await workerAt('box', place, '--executor', 'claude');
      await addPlay(cwd, 'made', 'commits', '--require-commit', '--verify-cmd', 'grep -q made made.txt');
      await serveClients(cwd, '--max-agents', '1');
      await untilIt(cwd, 'made', 'done');
      expect(fileAt(cwd, integrationOf(cwd), 'made.txt')).toBe('by made\n');
      const { log, evidence } = await shownTask(cwd, 'made');
      expect(JSON.stringify(log)).toContain('Reported as done; its work is merged when its run ends');
      expect(evidence).toMatchObject({ exit: 0, clean: true });
      expect(worker.stdout()).toContain('published as wg/made/1');
    },
  );

  verifies(
    ['fleet.mail', 'door.own'],
    'a run at a worker has its tools, and is no person there whatever it takes out of its environment',
    async () => {
      const place = await fleet(address);
      const { cwd } = place;
      git(cwd, 'push', '--quiet', 'hub', 'HEAD:main');
      const at = await clonedBy('box', place);
      await asked(['config', 'set', 'clients.sandbox', 'off'], { cwd: at.clone, env: at.env }); // it would keep it in
      await workerIn(at, 'box', '--label', 'gpu');
      await asked(['add', 'Other', '--id', 'other', '--paused'], { cwd });
      const hello = { jsonrpc: '2.0', id: 1, method: 'initialize' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const command = [
        'cd "$WG_PROJECT_ROOT"',
        `(echo '${JSON.stringify({ ...hello, params })}'; sleep 1) | node "$TROUPE_BIN" mcp | grep -o '"name":"troupe"'`,
        'env -i PATH="$PATH" HOME="$HOME" node "$TROUPE_BIN" edit other --title Stolen --json',
        'setsid env -i PATH="$PATH" HOME="$HOME" node "$TROUPE_BIN" edit other --title Stolen --json',
        'true',
      ].join('; ');
      await serveClients(cwd, '--max-agents', '1');
      await asked(['add', 'Try', '--id', 'try', '--needs', 'gpu', '--exec', command], { cwd });
      await untilIt(cwd, 'try', 'done');
      const { stdout } = await troupe(['output', 'try'], { cwd });
      expect(stdout).toContain('"name":"troupe"');
      expect(stdout.match(/"code":"not_yours"/g)).toHaveLength(2);
      expect(await shownTask(cwd, 'other')).toMatchObject({ title: 'Other' });
    },
  );
});
