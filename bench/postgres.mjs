// Measures the graph in PostgreSQL, flushing every commit: tasks claimed and completed by a leader against the plainest
// statements that do the same without its rules, and the time to open a large graph. Measures nothing if no server is
// installed.
import { tmpdir } from 'node:os';
import { fromSource } from '../tooling/from-source.mjs';

const TASKS = 100_000;
const CYCLES = 600;
const AT_ONCE = 8;
const ASKED = 300;
const PUTS_AN_EVENT = 500;

export default async function measurePostgres() {
  const {
    server,
    kinds,
    moves,
    database: databases,
    requests,
  } = await fromSource({
    server: 'src/adapters/postgres/own-server.ts',
    kinds: 'src/adapters/store/postgres/postgres-store-kind.ts',
    moves: 'src/core/graph/moves.ts',
    database: 'src/adapters/postgres/database.ts',
    requests: 'src/adapters/workers/postgres-requests.ts',
  });
  const running = await server.startOwnServer(tmpdir(), []).catch(() => undefined);
  if (running === undefined) return [];
  try {
    return await measured({ address: running.address, kinds, moves, databases, requests });
  } finally {
    await running.stop();
  }
}

async function measured({ address, kinds, moves, databases, requests }) {
  const migrations = new URL('../data/database', import.meta.url).pathname;
  const kind = kinds.postgresStoreKind({ address, project: 'bench', migrations, folder: tmpdir(), who: 'bench' });
  await kind.initialise();
  const hold = () =>
    kind.hold({ seize: false, stopWaiting: () => true, onHandEdit: () => undefined, onLost: () => undefined });
  const leader = await hold();
  for (let first = 0; first < TASKS; first += 50 * PUTS_AN_EVENT)
    await leader.commit(() => ({
      events: Array.from({ length: 50 }, (_, index) => puts(first + index * PUTS_AN_EVENT)),
      result: undefined,
    }));
  await leader.files.snapshot();

  const cycle = async (task) => {
    const by = { name: 'ann' };
    await leader.commit((view) => moves.claimTask(view, `task-${task}`, { now: leader.clock.now(), by }));
    await leader.commit((view) => moves.doneTask(view, `task-${task}`, { now: leader.clock.now(), by }));
  };
  const plain = await plainly(address, databases);
  const alone = { plain: await rate(1, plain.cycle), led: await rate(1, cycle) };
  const together = { plain: await rate(AT_ONCE, plain.cycle), led: await rate(AT_ONCE, cycle) };
  await plain.close();
  const asked = await askedFromAfar(address, databases, requests);
  await leader.close();

  const opening = [];
  for (let time = 0; time < 3; time++) {
    const started = performance.now();
    const opened = await hold();
    await opened.view();
    opening.push(performance.now() - started);
    await opened.close();
  }
  const seconds = Math.min(...opening) / 1_000;
  const row = (name, { led, plain: other }, bar) => ({
    name: `PostgreSQL, ${TASKS} tasks: claimed and completed, ${name}`,
    figure: `${Math.round(led)}/s, ${(led / other).toFixed(2)}× plain`,
    bar: `${bar}×`,
    met: led / other >= bar,
  });
  return [
    row('one at a time', alone, 0.3),
    row(`${AT_ONCE} at a time`, together, 0.5),
    {
      name: 'PostgreSQL, asked from another machine, p50',
      figure: `${asked.toFixed(1)} ms`,
      bar: '25 ms',
      met: asked <= 25,
    },
    { name: `PostgreSQL, ${TASKS} tasks: opened`, figure: `${seconds.toFixed(2)} s`, bar: '3 s', met: seconds <= 3 },
  ];
}

/** Milliseconds until the leader has answered a process on another machine. */
async function askedFromAfar(address, databases, requests) {
  const machine = async (who) =>
    new requests.PostgresRequests({ database: await databases.PostgresDatabase.of(address, 'bench'), who });
  const [desk, laptop] = [await machine('desk'), await machine('laptop')];
  await desk.serve(async ({ line }) => line);
  const times = [];
  for (let time = 0; time < ASKED; time++) {
    const from = performance.now();
    await laptop.ask({ line: `"${time}"`, caller: { kind: 'person', name: 'ann' } });
    times.push(performance.now() - from);
  }
  await desk.close();
  await laptop.close();
  return times.sort((left, right) => left - right)[ASKED >> 1];
}

/** An event that creates some hundred tasks. */
function puts(first) {
  const patch = Array.from({ length: PUTS_AN_EVENT }, (_, index) => {
    const id = `task-${first + index}`;
    const created_at = '2026-03-21T10:00:00.000Z';
    return {
      id,
      put: { kind: 'task', id, title: `Task ${first + index}`, status: 'open', tags: ['bench'], created_at },
    };
  });
  return { op: 'adopt', patch };
}

/** Measures two statements per task, each in its own transaction: a row is taken, and marked as done. */
async function plainly(address, databases) {
  const database = await databases.PostgresDatabase.of(address, 'plain');
  await database.query('CREATE SCHEMA troupe_plain');
  await database.query('CREATE TABLE tasks (id integer PRIMARY KEY, status text NOT NULL)');
  await database.query(`INSERT INTO tasks SELECT n, 'open' FROM generate_series(0, ${4 * CYCLES}) n`);
  return {
    async cycle() {
      const { rows } = await database.query(
        `UPDATE tasks SET status = 'in-progress' WHERE id =
         (SELECT id FROM tasks WHERE status = 'open' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      );
      await database.query(`UPDATE tasks SET status = 'done' WHERE id = $1`, [rows[0].id]);
    },
    close: () => database.close(),
  };
}

let next = 0;

/** Returns cycles per second with this number of concurrent workers. */
async function rate(workers, cycle) {
  const until = next + CYCLES;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < until) await cycle(next++);
    }),
  );
  return (CYCLES * 1_000) / (performance.now() - started);
}
