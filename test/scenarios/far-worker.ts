import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { PostgresWorkerGateway } from '#adapters/workers/postgres-worker-gateway.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import type { AttemptTrees, Publication } from '#ports/attempt-trees.js';
import type { AttemptOrder, SignedOrder } from '#ports/worker-gateway.js';
import { exchangeOver } from '../adapters/worktrees/apart.js';
import { portsOf } from '../adapters/worktrees/place.js';
import { freshProject } from '../postgres.js';
import { git } from '../repository.js';
import { room } from '../room.js';
import { ownSettings } from './client-world.js';
import { asked, until } from './program.js';
import { repositoryProject } from './repository-world.js';

/** A project of a repository in a database, whose work is exchanged through a bare repository. */
export interface Fleet {
  readonly cwd: string;
  readonly hub: string;
  readonly database: PostgresDatabase;
}

export async function fleet(address: string, ...settings: string[]): Promise<Fleet> {
  const cwd = await repositoryProject(...settings);
  const hub = path.join(realpathSync(room('hub')), 'hub.git');
  git(path.dirname(hub), 'clone', '--quiet', '--bare', '--', cwd, hub);
  git(cwd, 'remote', 'add', 'hub', hub);
  const name = freshProject(address);
  await asked(['database', 'move', '--to', address, '--project', name], { cwd, env: ownSettings() });
  await asked(['database', 'use', address], { cwd }); // the caller is another person
  await asked(['config', 'set', 'database.remote', 'hub'], { cwd, env: ownSettings() });
  const database = await PostgresDatabase.of(address, name);
  onTestFinished(() => database.close());
  return { cwd, hub, database };
}

/** A worker that does the client's work itself: it writes a file named after the task. */
export class FarWorker {
  readonly name: string;
  private readonly labels: readonly string[];
  private readonly desk: PostgresWorkerGateway;
  private readonly trees: AttemptTrees;
  /** Runs that it took. */
  private readonly known: string[] = [];

  private constructor(name: string, labels: readonly string[], desk: PostgresWorkerGateway, trees: AttemptTrees) {
    this.name = name;
    this.labels = labels;
    this.desk = desk;
    this.trees = trees;
  }

  static async arrive({ hub, database }: Fleet, name: string, labels: readonly string[] = []): Promise<FarWorker> {
    const clone = path.join(realpathSync(room(name)), 'clone');
    git(path.dirname(clone), 'clone', '--quiet', '--no-checkout', '--', hub, clone);
    mkdirSync(path.join(clone, '.workgraph'));
    const desk = new PostgresWorkerGateway({ database, key: `key-of-${name}`, lookMs: 100, blobs: ROW_BLOBS });
    const { trees } = portsOf(clone, { exchange: exchangeOver(clone, hub) });
    const worker = new FarWorker(name, labels, desk, trees);
    await worker.introduce();
    return worker;
  }

  /** Registers the worker and accepts the keys of all current leaders. */
  private async introduce(): Promise<void> {
    const { name, labels } = this;
    const leaders = (await this.desk.leaders()).map(({ key }) => key);
    await this.desk.registerWorker({
      ...{ name, at: 'a test', version: '1', slots: 1, labels, leaders },
      executors: ['claude'],
    });
  }

  /** Waits for an attempt. */
  async take(): Promise<AttemptOrder> {
    let taken: readonly SignedOrder[] = [];
    await until(`an attempt for ${this.name}`, async () => {
      await this.introduce();
      await this.desk.beat([]);
      taken = await this.desk.take(1, this.known);
      return taken.length > 0;
    });
    const [handed] = taken;
    if (handed === undefined) throw new Error('nothing was taken');
    this.known.push(handed.run);
    return JSON.parse(handed.order.text);
  }

  /** Creates the worktree of the attempt and writes the file of its task; returns the folder. */
  async work({ tree }: AttemptOrder): Promise<string> {
    const { folder } = await this.trees.create(tree);
    writeFileSync(path.join(folder, `${tree.task}.txt`), `by ${this.name}\n`);
    return folder;
  }

  async hand({ plan, tree }: AttemptOrder, code = 0): Promise<'taken' | 'refused'> {
    const { task, attempt } = tree;
    const publication: Publication = await this.trees.publish({ task, attempt });
    const { id, taskId, fence, startedAt, timeoutMs, executor = 'shell' } = plan;
    const fact = { id, taskId, fence, startedAt, timeoutMs, executor, alive: false, started: true, outputBytes: 9 };
    const result = { outcome: code === 0 ? ('succeeded' as const) : ('failed' as const), reason: 'said' };
    const began = { executor, started_at: new Date(startedAt).toISOString() };
    const listed = { id, task_id: taskId, ...began, status: code === 0 ? ('done' as const) : ('failed' as const) };
    return await this.desk.end({
      fact: { ...fact, exit: { code }, result },
      listed,
      publication,
      unpublished: undefined,
    });
  }

  async does(order: AttemptOrder): Promise<'taken' | 'refused'> {
    await this.work(order);
    return await this.hand(order);
  }
}
