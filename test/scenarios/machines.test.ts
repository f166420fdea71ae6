import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { isAlive } from '../alive.js';
import { freshProject, postgresAddress } from '../postgres.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import {
  asked,
  endEverything,
  environment,
  project,
  readJson,
  startService,
  textOf,
  troupe,
  until,
} from './program.js';

const address = (await postgresAddress()) ?? '';
const SERVICE = path.resolve(import.meta.dirname, '../../dist/service.cjs');

/** A project in a database, and another clone of its repository, which stands for another machine. */
async function twoMachines(): Promise<{ desk: string; laptop: string; name: string }> {
  const desk = await project('desk');
  await asked(['add', 'Measure', '--id', 'measure'], { cwd: desk });
  const name = freshProject(address);
  await asked(['database', 'move', '--to', address, '--project', name], { cwd: desk });
  const laptop = path.join(room(), 'laptop');
  mkdirSync(path.join(laptop, '.workgraph'), { recursive: true });
  cpSync(path.join(desk, '.workgraph/config.toml'), path.join(laptop, '.workgraph/config.toml'));
  await asked(['database', 'use', address], { cwd: laptop });
  onTestFinished(() => endEverything(laptop));
  return { desk, laptop, name };
}

interface Standing {
  readonly pid: number;
  readonly leadership: { readonly leader: string; readonly epoch: number; readonly standbys: readonly string[] };
}

describe.skipIf(address === '')('a project of several machines', () => {
  verifies(
    'fleet.ask',
    'commands of another machine change the project through the service that leads it',
    async () => {
      const { desk, laptop } = await twoMachines();
      const { pid } = await startService(desk);
      await asked(['add', 'From the laptop', '--id', 'laptop-task', '--exec', 'true'], { cwd: laptop });
      await asked(['service', 'tick'], { cwd: desk });
      expect(await statusOf(laptop, 'laptop-task'), 'its command waits for somebody at the leader').toBe('open');
      await asked(['trust'], { cwd: desk });
      await until('the leader to run it', async () => (await statusOf(laptop, 'laptop-task')) === 'done');
      const trusted = await troupe(['workflow', 'trust', 'release', '--json'], { cwd: laptop });
      expect([trusted.code, trusted.stderr], 'nobody says from afar what a machine trusts').toEqual([
        1,
        expect.stringContaining('not_yours'),
      ]);
      await asked(['msg', 'send', 'measure', 'from afar'], { cwd: laptop });
      expect(await asked(['msg', 'list', 'measure'], { cwd: desk })).toMatchObject({
        messages: [{ text: 'from afar' }],
      });
      await asked(['add', 'Finish', '--id', 'finish'], { cwd: desk });
      await asked(['done', 'finish'], { cwd: laptop });
      expect(await asked(['show', 'finish'], { cwd: desk })).toMatchObject({ status: 'done' });
      expect(await asked<Standing>(['service', 'status'], { cwd: laptop })).toMatchObject({
        pid,
        leadership: { leader: `process ${pid} on ${hostname()}`, epoch: 1, standbys: [] },
      });
      expect(await asked(['agents'], { cwd: laptop }), 'runs are known where they are').toEqual(
        await asked(['agents'], { cwd: desk }),
      );
      const refused = await troupe(['dashboard', '--json'], { cwd: laptop });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('project_elsewhere')]);
      const unknown = await troupe(['done', 'no-such-task', '--json'], { cwd: laptop });
      expect([unknown.code, unknown.stderr], 'what it refuses is said as it says it').toEqual([
        1,
        expect.stringContaining('unknown_task'),
      ]);
      await asked(['service', 'stop'], { cwd: desk });
      await asked(['add', 'By itself'], { cwd: laptop });
    },
  );

  verifies('fleet.leader', 'a second service stands by, and takes over from one that was killed', async () => {
    const { desk, laptop } = await twoMachines();
    const { pid } = await startService(desk);
    const second = await asked<{ pid: number }>(['service', 'start'], { cwd: laptop });
    expect(second).toMatchObject({ stands_by: true, leader: expect.stringContaining(`process ${pid} on`) });
    const again = await troupe(['service', 'start', '--json'], { cwd: laptop });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('service_running')]);
    await until('the leader to know of it', async () => {
      const { leadership } = await asked<Standing>(['service', 'status'], { cwd: desk });
      return leadership.standbys.some((who) => who.startsWith(`process ${second.pid} on`));
    });
    process.kill(pid, 'SIGKILL');
    await asked(['add', 'While nobody leads', '--id', 'late', '--exec', 'true'], { cwd: laptop });
    await until('the standby to lead', async () => (await standing(laptop))?.pid === second.pid);
    expect((await standing(laptop))?.leadership).toMatchObject({ standbys: [] });
    await asked(['trust'], { cwd: laptop });
    await until('the new leader to run it', async () => (await statusOf(desk, 'late')) === 'done');
    await asked(['service', 'stop'], { cwd: laptop });
  });

  verifies('fleet.leader', 'a leader that lost its place stands by, and leads again as a new process', async () => {
    const { desk, name } = await twoMachines();
    const { pid } = await startService(desk);
    const database = await PostgresDatabase.of(address, name);
    await database.query(
      "UPDATE head SET epoch = epoch + 1, leader = 'process 9 on box', lease_until = clock_timestamp() + interval '12 s'",
    );
    await database.close();
    await until('it to be named as one that stands by', () => standbyIn(desk));
    await until('it to lead again', async () => (await standing(desk))?.leadership.epoch === 3);
    expect((await standing(desk))?.pid).not.toBe(pid);
  });

  verifies('fleet.leader', 'a folder has one service: a second one that would stand by ends', async () => {
    const { desk, laptop } = await twoMachines();
    await startService(desk);
    const { pid: first } = await asked<{ pid: number }>(['service', 'start'], { cwd: laptop });
    // Started at the moment at which the first was not recorded yet, when no command can know of it.
    for (const manner of ['', 'successor']) {
      const second = spawn(process.execPath, [SERVICE, laptop, '', '', '{}', '', manner], {
        env: environment(),
        stdio: 'ignore',
      });
      const [code] = (await once(second, 'exit')) as [number | null];
      expect(code, manner).toBe(1);
    }
    const log = textOf(path.join(laptop, '.workgraph/service/daemon.log'));
    expect(log.split(`A service of this project already runs here (pid ${first})`)).toHaveLength(3);
    const state = readJson<{ pid: number }>(path.join(laptop, '.workgraph/service/state.json'));
    expect(state).toMatchObject({ pid: first, stands_by: true });
  });

  verifies('fleet.leader', 'a leader that lost its place is recorded as its successor at once', async () => {
    const { desk, name } = await twoMachines();
    const { pid } = await startService(desk);
    const file = path.join(desk, '.workgraph/service/state.json');
    const seen = new Set<number | undefined>();
    const database = await PostgresDatabase.of(address, name);
    await database.query(
      "UPDATE head SET epoch = epoch + 1, leader = 'process 9 on box', lease_until = clock_timestamp() + interval '12 s'",
    );
    await database.close();
    await until('the successor', () => {
      const recorded = readJson<{ pid: number }>(file)?.pid;
      if (!isAlive(pid)) seen.add(recorded);
      return recorded !== undefined && recorded !== pid;
    });
    await until('the former leader to end', () => !isAlive(pid));
    expect([...seen], 'it was never recorded after its end').not.toContain(pid);
  });

  verifies('fleet.leader', 'a standby is stopped where it stands by, and the leader goes on', async () => {
    const { desk, laptop } = await twoMachines();
    await startService(desk);
    const { pid } = await asked<{ pid: number }>(['service', 'start'], { cwd: laptop });
    expect(await asked(['service', 'stop'], { cwd: laptop })).toEqual({ stopping: true, pid });
    await until('the leader to hear of it', async () => (await standing(laptop))?.leadership.standbys.length === 0);
    const none = await troupe(['service', 'stop', '--json'], { cwd: laptop });
    expect([none.code, none.stderr], 'the leader is stopped on its own machine').toEqual([
      1,
      expect.stringContaining('service_not_running'),
    ]);
  });
});

const standbyIn = (cwd: string) =>
  readJson<{ stands_by?: boolean }>(path.join(cwd, '.workgraph/service/state.json'))?.stands_by === true;

async function statusOf(cwd: string, id: string): Promise<string> {
  return (await asked<{ status: string }>(['show', id], { cwd })).status;
}

async function standing(cwd: string): Promise<Standing | undefined> {
  const { code, stdout } = await troupe(['service', 'status', '--json'], { cwd });
  return code === 0 ? (JSON.parse(stdout) as Standing) : undefined;
}
