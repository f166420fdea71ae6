import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openDatabase } from '#adapters/teams-database/database.js';
import { mass } from '../mass.js';
import { asked, bareService, CLI, endEverything, environment, project } from '../scenarios/program.js';
import { logOf } from '../scenarios/repository-world.js';
import { ResidentProgram } from '../scenarios/resident.js';
import { verifies } from '../verifies.js';
import { randomFrom, seed } from './killing.js';

/** Fewer than an inbox that nobody reads takes. */
const MESSAGES_A_TASK = 100;
const PAUSE_MS = 1_500;
const SERVICE_MS = 4_000;

interface Storm {
  readonly writers: number;
  /** Of each writer. */
  readonly messages: number;
  readonly random: () => number;
  /** The mean time from one process that is paused or killed to the next. */
  readonly everyMs: number;
}

interface Seen {
  readonly acknowledged: number;
  readonly paused: number;
  readonly killed: number;
  readonly services: number;
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One process after the other that writes message after message, in its order; whoever is killed is followed by another. */
class Writer {
  readonly acknowledged: string[] = [];
  private program = new ResidentProgram(CLI, environment());
  private readonly cwd: string;
  private readonly name: string;

  constructor(cwd: string, name: string) {
    this.cwd = cwd;
    this.name = name;
  }

  signal(signal: NodeJS.Signals): boolean {
    return this.program.signal(signal);
  }

  async write(messages: number): Promise<void> {
    for (let number = 0; number < messages; number++) {
      const text = `${this.name} ${number}`;
      const args = ['msg', 'send', taskOf(this.name, number), text];
      if (!this.program.free) this.program = new ResidentProgram(CLI, environment());
      try {
        const { code } = await this.program.run({ args, cwd: this.cwd, env: environment() });
        if (code === 0) this.acknowledged.push(text);
      } catch {
        // It was killed: nobody knows whether it was done.
      }
    }
  }

  async end(): Promise<void> {
    this.program.signal('SIGCONT');
    await this.program.end();
  }
}

function taskOf(writer: string, number: number): string {
  return `${writer}-${Math.floor(number / MESSAGES_A_TASK)}`;
}

/** Pauses or kills a process now and then, and starts and ends services beside them, until all is written. */
async function trouble(
  cwd: string,
  writers: readonly Writer[],
  { random, everyMs }: Storm,
  over: () => boolean,
): Promise<Omit<Seen, 'acknowledged'>> {
  let [paused, killed, services] = [0, 0, 0];
  let service: ChildProcess | undefined;
  const processes = async () => {
    while (!over()) {
      await sleep(random() * 2 * everyMs);
      const victim = writers[Math.floor(random() * writers.length)];
      const target = random() < 0.15 && service ? { signal: (name: NodeJS.Signals) => service?.kill(name) } : victim;
      if (random() < 0.5) {
        if (target === victim && victim?.signal('SIGKILL')) killed++;
        continue;
      }
      if (target?.signal('SIGSTOP')) paused++;
      await sleep(random() * PAUSE_MS);
      target?.signal('SIGCONT');
    }
  };
  const serve = async () => {
    while (!over()) {
      await sleep(random() * SERVICE_MS);
      const begun = bareService(cwd);
      service = begun;
      services++;
      const ended = new Promise((resolve) => begun.once('exit', resolve));
      await Promise.race([ended, sleep(random() * SERVICE_MS)]);
      begun.kill('SIGCONT');
      begun.kill(random() < 0.5 ? 'SIGKILL' : 'SIGTERM');
      await ended;
    }
  };
  await Promise.all([processes(), serve()]);
  return { paused, killed, services };
}

/** What the database and the log say afterwards, held against what was acknowledged. */
async function examine(cwd: string, writers: readonly Writer[]): Promise<void> {
  await asked(['log', 'base', 'over'], { cwd });
  await asked(['msg', 'send', 'base', 'over'], { cwd }); // tells the graph what killed processes left
  const database = await openDatabase(path.join(cwd, '.workgraph/teams.db'));
  const rows = database.all('SELECT id, conversation_id, seq, body FROM messages ORDER BY conversation_id, seq');
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await database.close();
  const texts = rows.map(({ body }) => String(body));
  expect(texts).toHaveLength(new Set(texts).size);
  for (const { acknowledged } of writers) {
    const numbers = acknowledged.map((text) => rows.findIndex(({ body }) => body === text));
    expect(
      acknowledged.filter((_, index) => numbers[index] === -1),
      'lost',
    ).toEqual([]);
    const places = acknowledged.map((text) => rows.find(({ body }) => body === text));
    for (const [index, row] of places.entries()) {
      const before = places[index - 1];
      if (before?.['conversation_id'] !== row?.['conversation_id']) continue;
      expect(Number(row?.['seq']), acknowledged[index]).toBeGreaterThan(Number(before?.['seq']));
    }
  }
  for (const conversation of new Set(rows.map((row) => row['conversation_id']))) {
    const numbers = rows.filter((row) => row['conversation_id'] === conversation).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
  const told = logOf(cwd).flatMap(({ op, detail }) => (op === 'message' ? [String(detail?.['message_id'])] : []));
  expect([...told].sort()).toEqual(rows.map(({ id }) => String(id)).sort());
}

async function endure(storm: Storm): Promise<Seen> {
  const cwd = await project();
  onTestFinished(() => endEverything(cwd));
  const names = Array.from({ length: storm.writers }, (_, index) => `writer-${index}`);
  await asked(['add', 'Base', '--id', 'base', '--paused'], { cwd });
  for (const name of names)
    for (let number = 0; number < storm.messages; number += MESSAGES_A_TASK)
      await asked(['add', 'Base', '--id', taskOf(name, number), '--paused'], { cwd });
  const writers = names.map((name) => new Writer(cwd, name));
  try {
    let over = false;
    const written = Promise.all(writers.map((writer) => writer.write(storm.messages))).finally(() => {
      over = true;
    });
    const [seen] = await Promise.all([trouble(cwd, writers, storm, () => over), written]);
    await examine(cwd, writers);
    return { ...seen, acknowledged: writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0) };
  } finally {
    await Promise.all(writers.map((writer) => writer.end()));
  }
}

const SEEDS = mass(1, 1_000);
/** Milliseconds after which no other seed begins: well before the test runs out of its own time. */
const MOST_MS = mass(30_000, 80 * 60_000);

verifies(
  ['db.locks', 'db.once'],
  `${SEEDS} storms of processes that are paused, killed and started, beside services: nothing lost, doubled or out of order`,
  async () => {
    const until = performance.now() + MOST_MS;
    let number = 0;
    for (; number < SEEDS && performance.now() < until; number++)
      await endure({ writers: 3, messages: 8, random: randomFrom(seed + number), everyMs: 150 });
    process.stdout.write(`second store: ${number} storms from seed ${seed}\n`);
  },
);

verifies(
  ['db.locks', 'db.once'],
  'eight processes at once, a third of them paused or killed, services that come and go: the same',
  async () => {
    const messages = mass(6, 1_250);
    const seen = await endure({ writers: 8, messages, random: randomFrom(seed), everyMs: mass(150, 400) });
    process.stdout.write(`second store, seed ${seed}: ${JSON.stringify(seen)}\n`);
    expect(seen.acknowledged).toBeGreaterThan(4 * messages);
  },
);
