import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { PostgresStore } from '#adapters/store/postgres/postgres-store.js';
import { isTask, type Task } from '#core/graph/task.js';
import { isRefusal } from '#kernel/errors.js';
import { git } from '../repository.js';
import { room } from '../room.js';
import { ownSettings } from '../scenarios/client-world.js';
import { asked, type Finished, textOf, troupe, until } from '../scenarios/program.js';
import { repositoryProject } from '../scenarios/repository-world.js';
import { Machine } from './machine.js';
import type { Network } from './network.js';
import type { FaultyServer } from './server.js';

const LEADERS = 2;
const FEED_MS = 300;
const RETRY_MS = 500;
const FINISH_MS = 300_000;
const SILENT_MS = 15_000;
const ENDED = new Set(['done', 'failed', 'abandoned']);

export interface Attempt {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly state: 'prepared' | 'offered' | 'running' | 'ended';
  readonly worker: string | null;
}

export interface Facts {
  readonly epoch: number;
  /** Process that leads, or led last, in words. */
  readonly leader: string | null;
  readonly led: boolean;
  readonly seq: number;
  /** Attempts that are not settled. */
  readonly attempts: readonly Attempt[];
  readonly workers: readonly { readonly name: string; readonly silentMs: number }[];
  /** Number of results that came too late. */
  readonly refused: number;
}

const FACTS = `SELECT epoch, seq, leader, coalesce(lease_until > clock_timestamp(), false) AS led,
  (SELECT count(*) FROM refused_ends) AS refused,
  (SELECT coalesce(json_agg(json_build_object('run', run, 'task', task, 'fence', fence, 'state', state, 'worker', worker)), '[]')
    FROM attempts WHERE state <> 'forgotten') AS attempts,
  (SELECT coalesce(json_agg(json_build_object('name', name,
    'silentMs', extract(epoch FROM clock_timestamp() - seen_at) * 1000)), '[]') FROM workers) AS workers
  FROM head`;

export interface WorldOptions {
  readonly network: Network;
  readonly server: FaultyServer;
  readonly random: () => number;
  readonly name: string;
  readonly workers: number;
  /** Whether leases of struck machines are expired at once in the database instead of waiting for them. */
  readonly isQuick: boolean;
}

/** Progress of the log with its leadership, by the clock of the database: this process may be too busy to look in time. */
const PROGRESS = `CREATE SCHEMA IF NOT EXISTS fleet;
  CREATE TABLE fleet.NAME (at timestamptz NOT NULL DEFAULT clock_timestamp(), epoch bigint NOT NULL, seq bigint NOT NULL);
  CREATE FUNCTION fleet.note_NAME() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN INSERT INTO fleet.NAME (epoch, seq) VALUES (NEW.epoch, NEW.seq); RETURN NULL; END$$;
  CREATE TRIGGER fleet_progress AFTER UPDATE OF epoch, seq ON head
    FOR EACH ROW EXECUTE FUNCTION fleet.note_NAME()`;

/**
 * A project in a database with its machines: two that lead or stand by, workers, and a client that keeps adding tasks.
 */
export class World {
  readonly name: string;
  readonly server: FaultyServer;
  readonly isQuick: boolean;
  readonly database: PostgresDatabase;
  readonly desk: string;
  readonly hub: string;
  readonly leaders: readonly Machine[];
  readonly workers: readonly Machine[];
  /** Tasks whose addition was acknowledged. */
  readonly acknowledged = new Set<string>();
  readonly random: () => number;
  private readonly store: PostgresStore;
  private feeding = false;
  private fed: Promise<void> = Promise.resolve();
  private added = 0;

  private constructor(
    { server, random, name, isQuick }: WorldOptions,
    parts: Pick<World, 'database' | 'desk' | 'hub' | 'leaders' | 'workers'>,
    store: PostgresStore,
  ) {
    this.server = server;
    this.isQuick = isQuick;
    this.random = random;
    this.name = name;
    this.database = parts.database;
    this.desk = parts.desk;
    this.hub = parts.hub;
    this.leaders = parts.leaders;
    this.workers = parts.workers;
    this.store = store;
  }

  static async make(options: WorldOptions): Promise<World> {
    const { network, server, name, workers } = options;
    const desk = await repositoryProject();
    const hub = path.join(realpathSync(room('hub')), 'hub.git');
    git(path.dirname(hub), 'clone', '--quiet', '--bare', '--', desk, hub);
    git(desk, 'remote', 'add', 'hub', hub);
    const own = { cwd: desk, env: ownSettings() };
    await asked(['database', 'move', '--to', server.near, '--project', name], own);
    await asked(['config', 'set', 'database.remote', 'hub'], own);
    await asked(['config', 'set', 'database.work', 'workers'], own);
    await asked(['config', 'set', 'clients.sandbox', 'off'], own);
    const settings = readFileSync(path.join(desk, '.workgraph/config.toml'), 'utf8');
    const machines = async (prefix: string, count: number) =>
      await Promise.all(
        Array.from({ length: count }, async (_, number) =>
          Machine.make({
            ...{ name: `${prefix}-${number + 1}`, hub, database: server.far, settings },
            line: await network.line(),
          }),
        ),
      );
    const parts = { leaders: await machines('lead', LEADERS), workers: await machines('box', workers), desk, hub };
    const database = await PostgresDatabase.of(server.near, name);
    await database.query(PROGRESS.replaceAll('NAME', name));
    const store = await PostgresStore.open({ database: await PostgresDatabase.of(server.near, name) });
    onTestFinished(async () => {
      await store.close();
      await database.close();
    });
    return new World(options, { ...parts, database }, store);
  }

  /** Starts everything that does not run, and retries while that is refused. */
  async whole(): Promise<void> {
    const up = (what: string, start: () => Promise<string | undefined>) =>
      until(what, async () => {
        const why = await start();
        if (why !== undefined) await delay(RETRY_MS);
        return why === undefined;
      });
    // A worker agrees to the keys of the leaders that exist.
    await Promise.all(this.leaders.map((machine) => up(`a service at ${machine.name}`, () => machine.serve())));
    await Promise.all(this.workers.map((machine) => up(`a worker at ${machine.name}`, () => machine.work())));
  }

  /** Adds tasks whenever workers have free slots. */
  feed(): void {
    this.feeding = true;
    this.fed = this.addTasks();
  }

  /** Stops adding tasks. */
  async enough(): Promise<void> {
    this.feeding = false;
    await this.fed;
  }

  async facts(): Promise<Facts> {
    const { rows } = await this.database.query<Facts>(FACTS);
    const [facts] = rows;
    if (facts === undefined) throw new Error('the project is not in the database');
    return facts;
  }

  /** Time of the first entry that a leader after this epoch wrote, in milliseconds since 1970; undefined before it. */
  async wentOnAt(epoch: number): Promise<number | undefined> {
    const { rows } = await this.database.query<{ at: number | null }>(
      `SELECT (extract(epoch FROM min(at)) * 1000)::float8 AS at FROM fleet.${this.name} WHERE epoch > $1
        AND seq > (SELECT min(seq) FROM fleet.${this.name} WHERE epoch > $1)`,
      [epoch],
    );
    return rows[0]?.at ?? undefined;
  }

  async tasks(): Promise<ReadonlyMap<string, Task>> {
    const view = await this.store.view();
    return new Map([...view.nodes()].filter(isTask).map((task) => [task.id, task]));
  }

  async open(): Promise<readonly Task[]> {
    return [...(await this.tasks()).values()].filter(({ status }) => !ENDED.has(status));
  }

  /** Waits for all tasks; returns those that have not ended in time. */
  async finished(): Promise<readonly string[]> {
    const end = performance.now() + FINISH_MS;
    for (;;) {
      await this.whole();
      const left = await this.open().catch(() => undefined);
      if (left?.length === 0) return [];
      if (performance.now() > end) return (left ?? []).map(({ id, status }) => `${id} ${status}`);
      await this.endPauses(left ?? []);
      await delay(RETRY_MS);
    }
  }

  /** Runs `troupe database check` on another machine. */
  async checked(): Promise<Finished> {
    return await troupe(['database', 'check'], { cwd: this.desk, env: ownSettings() });
  }

  /** Waits until there is a leader, no worker is silent, and something is running. */
  async settled(): Promise<void> {
    const isSettled = async () => {
      await this.whole(); // a successor may end after it was seen: it met the tables or the server that were struck
      const facts = await this.facts().catch(() => undefined);
      return (
        facts?.led === true &&
        facts.workers.every(({ silentMs }) => silentMs < SILENT_MS) &&
        this.leaders.every((machine) => machine.service()?.standsBy === !leads(machine, facts))
      );
    };
    try {
      await until('the world to settle', isSettled);
    } catch (error) {
      throw new Error([(error as Error).message, ...(await this.standing())].join('\n'));
    }
  }

  /** State of the world as text, for diagnosis. */
  async standing(): Promise<readonly string[]> {
    const facts = await this.facts().catch((error: Error) => error.message);
    const logs = this.leaders.map(({ name, clone }) => {
      const lines = textOf(path.join(clone, '.workgraph/service/daemon.log')).trimEnd().split('\n').slice(-8);
      return `${name}: ${lines.join(' / ')}`;
    });
    const told = this.workers.map(
      (machine) =>
        `${machine.name}: ${machine
          .events()
          .slice(-6)
          .map(({ event, text }) => `${event} ${text}`)
          .join(' / ')}`,
    );
    return [JSON.stringify(facts), ...logs, ...told];
  }

  /** The current leader and the standby, in a settled world: one that was deposed may not know it yet. */
  leading(): { readonly leader: Machine; readonly standby: Machine } {
    const [first, second] = this.leaders;
    if (first === undefined || second === undefined) throw new Error('a world has two leaders');
    const isFirst = first.service()?.standsBy === false;
    return isFirst ? { leader: first, standby: second } : { leader: second, standby: first };
  }

  /** Expires the lease of a leader that is dead, stopped or cut off, in quick worlds. */
  async endLease(): Promise<void> {
    if (!this.isQuick) return;
    await this.database.query('UPDATE head SET lease_until = clock_timestamp() WHERE lease_until > clock_timestamp()');
  }

  /** Expires the lease of such a worker, in quick worlds. */
  async endWorkerLease({ name }: Machine): Promise<void> {
    if (!this.isQuick) return;
    await this.database.query("UPDATE workers SET seen_at = seen_at - interval '1 hour' WHERE name = $1", [name]);
  }

  /** Ends the pauses of tasks whose runs were lost, as `troupe why` advises, in quick worlds. */
  private async endPauses(tasks: readonly Task[]): Promise<void> {
    if (!this.isQuick) return;
    for (const { id, ready_after } of tasks)
      if (ready_after !== undefined)
        await troupe(['reschedule', id, '--after', '0'], { cwd: this.desk, env: ownSettings() });
  }

  private async addTasks(): Promise<void> {
    const wanted = this.workers.length * 2 + 2;
    while (this.feeding) {
      const open = await this.open().catch(() => undefined);
      for (let missing = wanted - (open?.length ?? wanted); missing > 0 && this.feeding; missing--)
        await this.addTask();
      await delay(FEED_MS);
    }
  }

  private async addTask(): Promise<void> {
    const id = `t${++this.added}`;
    const seconds = (this.isQuick ? 3 + 5 * this.random() : 4 + 16 * this.random()).toFixed(1);
    const before = [...this.acknowledged].at(-1);
    const after = before !== undefined && this.random() < 0.25 ? ['--after', before] : [];
    const words = ['add', `Do it play=lasts seconds=${seconds}`, '--id', id, ...after];
    try {
      await asked(words, { cwd: this.desk, env: ownSettings() });
      this.acknowledged.add(id);
    } catch (error) {
      if (!/database_|disk_full|read_only|locked|service_/.test((error as Error).message)) throw error;
      await delay(RETRY_MS);
    }
  }
}

function leads(machine: Machine, { leader }: Facts): boolean {
  return leader?.startsWith(`process ${machine.service()?.pid} `) === true;
}

/** Whether a request failed because the database is unavailable for now. */
export function isAway(error: unknown): boolean {
  const codes = ['database_away', 'database_unsure', 'locked', 'database_read_only', 'disk_full'] as const;
  return codes.some((code) => isRefusal(error, code));
}
