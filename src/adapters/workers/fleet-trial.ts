import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type OwnServer, startOwnServer } from '#adapters/postgres/own-server.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';
import { TrialRoom } from './trial-room.js';

const EXECUTOR = 'scripted';
const WORKERS = ['worker-1', 'worker-2'];
const CHAPTERS = ['chapter-1', 'chapter-2', 'chapter-3', 'chapter-4'];
const BOOK = 'BOOK.md';
/** Substitute for a client: waits a moment and writes a file. */
const SCRIPT = `#!/bin/sh
set -e
sleep 1
if [ "$WG_TASK_ID" = book ]; then
  cat chapters/*.md > ${BOOK}
else
  mkdir -p chapters
  echo "$WG_TASK_ID, written at $(git rev-parse --git-common-dir | sed 's#/[.]git$##; s#.*/##')" > "chapters/$WG_TASK_ID.md"
fi
`;

interface Parts {
  /** Path of this program's command line entry. */
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly tell: (news: FleetNews) => void;
  /** Aborts the trial. */
  readonly signal: AbortSignal;
}

/**
 * Starts a database, a leader and two workers on this machine, runs a plan with them, and always cleans up. Errors:
 * `database_server_missing`, `database_server_failed`, `fleet_failed`; the signal's abort reason.
 */
export async function playFleet({ command, environment, tell, signal }: Parts): Promise<FleetResult> {
  const room = new TrialRoom({ command, environment, signal });
  let server: OwnServer | undefined;
  try {
    server = await startOwnServer(room.folder, ['fsync=off', 'full_page_writes=off']);
    tell({ event: 'database', who: 'database', text: `PostgreSQL ${server.version}, on a socket of its own` });
    return await new FleetTrial(room, tell).play(server.address);
  } finally {
    await room.endFollowed();
    const leader = path.join(room.folder, 'leader');
    if (existsSync(layoutOf(leader).folder))
      await room.troupeToTheEnd(leader, 'service', 'stop', '--force', '--kill-agents').catch(() => undefined); // none may run
    await server?.stop();
    room.remove();
  }
}

interface Listed {
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
}

class FleetTrial {
  private readonly room: TrialRoom;
  private readonly tell: (news: FleetNews) => void;
  private readonly arrived = new Set<string>();
  private readonly took: Record<string, string[]> = Object.fromEntries(WORKERS.map((name) => [name, []]));

  constructor(room: TrialRoom, tell: (news: FleetNews) => void) {
    this.room = room;
    this.tell = tell;
  }

  async play(address: string): Promise<FleetResult> {
    const leader = await this.project(address);
    await this.leads(leader);
    await Promise.all(WORKERS.map((name) => this.worker(name)));
    await this.room.until('the workers arrive', WORKER_LIMITS.trialMs, () => this.arrived.size === WORKERS.length);
    await this.plan(leader);
    await this.merged(leader);
    const text = await this.room.git(leader, 'show', `wg/integration:${BOOK}`);
    return { workers: this.took, file: BOOK, lines: text.trimEnd().split('\n') };
  }

  /** Creates a repository with its project in the database, and the remote for exchanging work. */
  private async project(address: string): Promise<string> {
    const { room } = this;
    const leader = room.place('leader');
    await room.git(leader, 'init', '--quiet');
    writeFileSync(path.join(leader, 'write.sh'), SCRIPT);
    chmodSync(path.join(leader, 'write.sh'), 0o755);
    const { executors } = layoutOf(leader);
    mkdirSync(executors, { recursive: true });
    writeFileSync(path.join(executors, `${EXECUTOR}.toml`), '[executor]\ncommand = "sh"\nargs = ["write.sh"]\n');
    room.takeDatabase(address);
    await room.troupe(leader, 'init');
    const hub = path.join(room.folder, 'hub.git');
    await room.git(room.folder, 'init', '--quiet', '--bare', hub);
    await room.git(leader, 'remote', 'add', 'origin', hub);
    await room.troupe(leader, 'executor', 'trust', EXECUTOR);
    await room.troupe(leader, 'config', 'set', 'coordinator.executor', EXECUTOR);
    await room.troupe(leader, 'config', 'set', 'coordinator.worktree_isolation', 'on');
    await room.troupe(leader, 'database', 'move', '--to', address, '--project', 'fleet');
    await room.troupe(leader, 'config', 'set', 'database.remote', 'origin');
    await room.troupe(leader, 'config', 'set', 'database.work', 'workers');
    await room.git(leader, 'add', '--all');
    await room.git(leader, 'commit', '--quiet', '--message', 'A project in a database');
    await room.git(leader, 'push', '--quiet', 'origin', 'HEAD:main');
    return leader;
  }

  private async leads(leader: string): Promise<void> {
    const { pid } = await this.room.troupe<{ pid: number }>(leader, 'service', 'start');
    this.tell({ event: 'leads', who: 'leader', text: `process ${pid} leads the project, and runs no task itself` });
  }

  /** Starts a worker in its own clone, which represents another machine. */
  private async worker(name: string): Promise<void> {
    const { room } = this;
    await room.git(room.folder, 'clone', '--quiet', 'hub.git', name);
    const clone = path.join(room.folder, name);
    await room.troupe(clone, 'database', 'use');
    await room.troupe(clone, 'executor', 'trust', EXECUTOR);
    const words = ['worker', 'start', '--yes', '--name', name, '--slots', '2', '--executor', EXECUTOR];
    room.follow(clone, words, (line) => this.heard(name, line));
  }

  private heard(who: string, { event, task, text = '' }: Record<string, string>): void {
    if (event === 'arrived') {
      this.arrived.add(who);
      this.tell({ event, who, text: text.slice(`${who}: `.length) });
    }
    if (task === undefined) return;
    if (event === 'took') this.took[who]?.push(task);
    if (event === 'took' || event === 'ended') this.tell({ event, who, task, text });
  }

  private async plan(leader: string): Promise<void> {
    const { room, tell } = this;
    const add = (id: string, ...words: string[]) =>
      room.troupe(leader, 'add', id.replace('-', ' '), '--id', id, ...words);
    for (const id of CHAPTERS) await add(id);
    await add('book', ...CHAPTERS.flatMap((id) => ['--after', id]));
    tell({
      event: 'planned',
      who: 'leader',
      text: `${CHAPTERS.length} chapters, and a book that waits for all of them`,
    });
  }

  private async merged(leader: string): Promise<void> {
    const done = new Set<string>();
    await this.room.until('the tasks are done', WORKER_LIMITS.trialMs, async () => {
      const { tasks } = await this.room.troupe<Listed>(leader, 'list');
      for (const { id, status } of tasks) {
        if (status !== 'done' || done.has(id)) continue;
        done.add(id);
        this.tell({ event: 'merged', who: 'leader', task: id, text: 'its branch is merged into wg/integration' });
      }
      return done.size === CHAPTERS.length + 1;
    });
  }
}
