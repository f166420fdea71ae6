// Measures attempts handed out to workers: a leader that claims, offers and completes, and workers in their own
// processes that take and end, over one PostgreSQL that flushes every commit. Their runs do nothing. Measures nothing
// if no server is installed.
import { fork } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fromSource } from '../tooling/from-source.mjs';
import { quantile } from './measure.mjs';

const WORKERS = [1, 2, 4, 8];
const SLOTS = 16;
const CYCLES = 4_000;
const CHAIN = 100;
const AT_ONCE = 8;
const WANTED = 1_000;
const PART = 0.5;
const BEGUN_BAR_MS = 100;
const PUTS_AN_EVENT = 500;

export default async function measureFleet() {
  const parts = await fromSource({
    server: 'src/adapters/postgres/own-server.ts',
    kinds: 'src/adapters/store/postgres/postgres-store-kind.ts',
    database: 'src/adapters/postgres/database.ts',
    board: 'src/adapters/workers/postgres-board.ts',
    runs: 'src/adapters/workers/handed-out-runs.ts',
    desk: 'src/adapters/workers/postgres-worker-gateway.ts',
    loop: 'src/operations/coordinator/coordinator-loop.ts',
    dispatch: 'src/operations/coordinator/dispatch-host.ts',
    quiet: 'test/quiet-parts.ts',
    moves: 'src/core/graph/moves.ts',
    limits: 'src/kernel/limits/database.ts',
  });
  const running = await parts.server.startOwnServer(tmpdir(), []).catch(() => undefined);
  if (running === undefined) return [];
  try {
    return await measured({ ...parts, address: running.address });
  } finally {
    await running.stop();
  }
}

async function measured(parts) {
  const store = await led(parts);
  const alone = await withoutHandOut(store, parts);
  const leader = await leading(store, parts);
  const rows = [];
  const bar = Math.min(WANTED, PART * alone);
  for (const workers of WORKERS) {
    const crew = await crewOf(workers, parts);
    const rate = await drained(leader, CYCLES);
    if (workers === WORKERS.at(-1)) rows.push(begun(await chained(leader)));
    await crew.leave();
    const isJudged = workers === WORKERS.at(-1);
    rows.push({
      name: `claimed, handed out, ended and completed, ${workers} ${workers === 1 ? 'worker' : 'workers'} of ${SLOTS} slots`,
      figure: `${Math.round(rate)}/s, ${(rate / alone).toFixed(2)}× of a leader alone`,
      ...(isJudged ? { bar: `${Math.round(bar)}/s`, met: rate >= bar } : {}),
    });
  }
  await leader.close();
  return [
    { name: `claimed and completed by a leader alone, ${AT_ONCE} at a time`, figure: `${Math.round(alone)}/s` },
    ...rows,
  ];
}

function begun(times) {
  const p95 = quantile(times, 0.95);
  return {
    name: 'unblocked to taken by a worker, through the leader',
    figure: `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    bar: `${BEGUN_BAR_MS} ms`,
    met: p95 <= BEGUN_BAR_MS,
  };
}

/** Opens the graph of a project as its leader. */
async function led({ address, kinds }) {
  const migrations = new URL('../data/database', import.meta.url).pathname;
  const kind = kinds.postgresStoreKind({ address, project: 'fleet', migrations, folder: tmpdir(), who: 'bench' });
  await kind.initialise();
  return await kind.hold({
    ...{ seize: false, stopWaiting: () => true, onHandEdit: () => undefined, onLost: () => undefined },
  });
}

/** Returns cycles per second of the graph without workers. */
async function withoutHandOut(store, { moves }) {
  await adds(store, 'plain', CYCLES, () => ({}));
  let next = 0;
  const started = performance.now();
  const by = { name: 'ann' };
  const cycles = async () => {
    while (next < CYCLES) {
      const task = `plain-${next++}`;
      await store.commit((view) => moves.claimTask(view, task, { now: store.clock.now(), by }));
      await store.commit((view) => moves.doneTask(view, task, { now: store.clock.now(), by }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, cycles));
  return (CYCLES * 1_000) / (performance.now() - started);
}

/** Signs as a leader does; these workers do not verify. */
function ownSeal() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'jwk' }).x;
  const seal = (_, text) => ({ text, key, signature: sign(null, Buffer.from(text), privateKey).toString('base64url') });
  return { card: { key, name: 'bench', at: 'here' }, seal };
}

/** Creates a coordinator without local slots. */
async function leading(store, { address, database, board, runs, loop, dispatch, quiet, limits }) {
  const { attemptsLookMs: lookMs } = limits.DATABASE_LIMITS;
  const far = new runs.HandedOutRuns({
    board: new board.PostgresAttemptBoard({
      ...{ database: await database.PostgresDatabase.of(address, 'fleet'), epoch: store.epoch, lookMs },
    }),
    clock: store.clock,
    trees: async () => ({ placeOf: async ({ task }) => ({ path: '/wg', folder: '/wg', branch: `wg/${task}` }) }),
    terms: runs.USUAL_ATTEMPT_TERMS,
    seal: ownSeal(),
  });
  const elsewhere = {
    facts: async () => ({
      ...{
        rooms: await far.rooms(),
        silent: await far.silent(),
        worries: await far.workerProblems(),
        worksHere: false,
      },
      ...{ trees: { isolation: 'auto', repository: 'work-tree' }, follow: 'integration', fullMode: 'full' },
      notHere: new Set(),
    }),
    hand: (_, run, { request }) => far.assignRun(run, { tree: request, setsUp: false, labels: [] }),
  };
  const places = {
    enter: async () => undefined,
    order: async ({ id: task }, attempt) => ({
      ...{ request: { task, attempt, base: 'c0ffee' }, tree: { path: '/wg', folder: '/wg', attempt, mode: 'shell' } },
    }),
  };
  const coordinator = new loop.CoordinatorLoop({
    ...quiet.quietParts({ store, runs: far }),
    hosts: (tools) => ({
      ...quiet.quietHosts(tools),
      dispatch: new dispatch.DispatchHost(tools, places, elsewhere),
    }),
    onError: (error) => process.stderr.write(`${error.stack}\n`),
  });
  await coordinator.start();
  return {
    ...{ store, coordinator },
    close: async () => {
      await coordinator.stop();
      await store.close();
    },
  };
}

let batch = 0;

/** Returns cycles per second for this number of ready tasks. */
async function drained(leader, count) {
  const name = `batch-${batch++}`;
  const { seq: from } = await leader.store.view(); // the leader may begin before all tasks are visible
  await adds(leader.store, name, count, () => ({}));
  const started = performance.now();
  leader.coordinator.triggerByChange();
  await all(leader.store, { name, count, from });
  return (count * 1_000) / (performance.now() - started);
}

/** Returns the milliseconds from the end of each task until a worker has taken its successor. */
async function chained({ store, coordinator }) {
  const name = `chain-${batch++}`;
  const { seq: from } = await store.view();
  await adds(store, name, CHAIN, (number) => ({ after: number === 0 ? ['seed'] : [`${name}-${number - 1}`] }));
  const taken = new Map();
  const hear = ({ id, at }) => {
    if (id.startsWith(`${name}-`)) taken.set(id, at);
  };
  for (const child of children) child.on('message', hear);
  coordinator.triggerByChange();
  await all(store, { name, count: CHAIN, from });
  for (const child of children) child.off('message', hear);
  const waits = [];
  const ended = new Map();
  for await (const { op, task_id: id, timestamp } of store.entries(1)) {
    if (op === 'done' && id?.startsWith(name)) ended.set(id, Date.parse(timestamp));
  }
  for (const [id, at] of taken) {
    const before = ended.get(`${name}-${Number(id.split('-').at(-1)) - 1}`);
    if (before !== undefined) waits.push(at - before);
  }
  return waits;
}

/** Resolves when all tasks of a batch are done. */
async function all(store, { name, count, from }) {
  const over = new AbortController();
  const done = new Set();
  for await (const { op, task_id: id } of store.follow(from, over.signal)) {
    if (op === 'done' && id?.startsWith(`${name}-`)) done.add(id);
    if (done.size === count) over.abort();
  }
}

/**
 * Adds the tasks of a batch, some hundred per event. They depend on a task whose work was merged, so that they need a
 * worktree.
 */
async function adds(store, name, count, more) {
  const created_at = '2026-03-21T10:00:00.000Z';
  const seed = { kind: 'task', id: 'seed', title: 'Seed', status: 'done', merged: 'c0ffee', created_at };
  const puts = Array.from({ length: count }, (_, number) => {
    const id = `${name}-${number}`;
    const node = { kind: 'task', id, title: id, status: 'open', after: ['seed'], created_at };
    return { id, put: { ...node, ...(name === 'plain' ? {} : { exec: 'true' }), ...more(number) } };
  });
  for (let first = 0; first < count; first += PUTS_AN_EVENT)
    await store.commit(() => ({
      events: [{ op: 'adopt', patch: [{ id: 'seed', put: seed }, ...puts.slice(first, first + PUTS_AN_EVENT)] }],
      result: undefined,
    }));
}

const children = new Set();

/** Starts workers in their own processes and waits until all are registered. */
async function crewOf(count, { address, folder }) {
  const crew = Array.from({ length: count }, (_, number) => {
    const child = fork(new URL('./fleet-worker.mjs', import.meta.url), [
      ...[folder, address, 'fleet', `box-${count}-${number}`, String(SLOTS)],
    ]);
    children.add(child);
    return child;
  });
  const came = (child) =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
    });
  await Promise.all(crew.map(came));
  return {
    leave: () =>
      Promise.all(
        crew.map(
          (child) =>
            new Promise((resolve) => {
              children.delete(child);
              child.once('exit', resolve);
              child.send('leave');
            }),
        ),
      ),
  };
}
