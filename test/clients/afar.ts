import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startOwnServer } from '#adapters/postgres/own-server.js';
import type { Outcome, World } from './cases.js';
import { MADE, NOTED } from './script.js';
import { gitOf, prepared, remoteOf, type ServedCase, settled } from './served.js';

const WORKER = 'box';

/** Runs the leader in one home and a worker in another, with a database and a git remote between them. */
async function atWorker(world: World): Promise<Outcome> {
  const far = world.elsewhere();
  const server = await startOwnServer(tmpdir(), []); // its user may not enter the folder of the worlds
  let worker: ChildProcess | undefined;
  try {
    await prepared(world);
    gitOf(world, 'push', '--quiet', 'origin', 'HEAD:main');
    await world.ours(['database', 'move', '--to', server.address, '--project', 'clients']);
    await world.ours(['config', 'set', 'database.remote', 'origin']);
    worker = await workerIn(far, world, server.address);
    await world.ours(['add', 'CASE:fully', '--id', 't', '--require-commit', '--needs', 'far', '--timeout', '2m']);
    const { task } = await settled(world, 't');
    const { agents } = JSON.parse(await world.ours(['agents', '--all'])) as { agents: { worker?: string }[] };
    const output = await world.ours(['output', 't'], []);
    const parts = {
      merged: gitOf(world, 'ls-tree', '--name-only', 'wg/integration').includes(MADE.name),
      published: gitOf(far, 'ls-remote', 'origin', 'refs/heads/wg/integration') !== '',
      noted: JSON.stringify(task['log'] ?? []).includes(NOTED),
      registered: JSON.stringify(task['artifacts']) === JSON.stringify([MADE.name]),
      there: agents.length === 1 && agents[0]?.worker === WORKER,
      read: output.trim() !== '',
    };
    const ok = task.status === 'done' && Object.values(parts).every((part) => part);
    return { ok, seen: `${task.status} ${JSON.stringify({ ...parts, reason: task['failure_reason'] })}` };
  } finally {
    await ended(worker);
    await server.stop();
    far.remove();
  }
}

/** Starts a worker in a clone of the remote, and waits until it has registered. */
async function workerIn(far: World, leader: World, address: string): Promise<ChildProcess> {
  const words = ['clone', '--quiet', '--branch', 'main', '--', remoteOf(leader), far.folder];
  execFileSync('git', words, { env: far.environment, stdio: 'pipe' });
  const settings = (world: World) => path.join(world.folder, '.workgraph/config.toml');
  mkdirSync(path.dirname(settings(far)));
  copyFileSync(settings(leader), settings(far));
  await far.ours(['database', 'use', address]);
  const worker = far.start([
    'worker',
    'start',
    '--yes',
    '--name',
    WORKER,
    '--label',
    'far',
    '--executor',
    far.client.name,
  ]);
  let said = '';
  const tell = (bytes: Buffer) => {
    said += bytes;
  };
  worker.stderr?.on('data', tell);
  worker.stdout?.on('data', tell);
  while (!said.includes('arrived')) {
    if (worker.exitCode !== null) throw new Error(`The worker ended: ${said}`);
    await Promise.race([once(worker.stdout ?? worker, 'data'), once(worker, 'exit')]);
  }
  return worker;
}

async function ended(worker: ChildProcess | undefined): Promise<void> {
  if (worker === undefined || worker.exitCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGTERM');
  await gone;
}

export const AFAR: readonly ServedCase[] = [{ name: 'works at a worker', run: atWorker }];
