// Simulates a fleet with a virtual clock: the real decisions, snapshot and log of a leader, and a modelled database.
// The times of the database are measured first, in the same run, if a server can be started.
import { tmpdir } from 'node:os';
import { fromSource } from '../tooling/from-source.mjs';
import { median, quantile } from './measure.mjs';

const HOUR_MS = 3_600_000;
const BAR_MS = 50;
const SAMPLES = 100;
/** Assumed times, used if no server can be started. */
const ASSUMED = { commitMs: 5, eventMs: 0.05, queryMs: 0.5 };
const DAY = {
  ...{ seed: 11, tasks: 1_000_000, workers: 10_000, slots: 1, layer: 9_500, takesMs: [120_000, 1_560_000] },
  ...{ gpuWorkers: 10, gpuTasks: 40, dies: 0.001, untilMs: 48 * HOUR_MS },
};
/**
 * Pause between rounds of a simulated day: far longer than that of a leader, so that a day takes minutes and each round
 * has more to do.
 */
const DAY_REST_MS = 10_000;
/** Minimum pause of the coordinator loop between two rounds. */
const REST_MS = 20;
const MINUTES = 3;
const BENDS_FROM = 10_000;
const BENDS_MOST = 160_000;

export default async () => {
  const parts = await fromSource({
    server: 'src/adapters/postgres/own-server.ts',
    database: 'src/adapters/postgres/database.ts',
    fleet: 'test/simulated-fleet.ts',
  });
  const times = await measuredTimes(parts);
  const database = { ...times, openMs: 20_000 };
  const stopwatch = () => {
    const begun = performance.now();
    return () => performance.now() - begun;
  };
  const nodes = parts.fleet.layered(DAY);
  const play = async (more) => {
    const begun = performance.now();
    const result = await new parts.fleet.SimulatedFleet(nodes, {
      ...DAY,
      database,
      stopwatch,
      leaderDies: [],
      ...more,
    }).play();
    return { ...result, ms: performance.now() - begun };
  };
  const minutes = await play({
    restMs: REST_MS,
    untilMs: MINUTES * 60_000,
    takesMs: [60_000, 540_000],
    leaderDies: [],
  });
  const day = process.argv.includes('--short')
    ? undefined
    : await play({ restMs: DAY_REST_MS, leaderDies: [6 * HOUR_MS] });
  const bend = await bends(play);
  return [
    {
      name: 'simulated: a commit and a statement of the database',
      figure: `${times.commitMs.toFixed(1)} and ${times.queryMs.toFixed(2)} ms, ${times.measured ? 'measured' : 'assumed'}`,
    },
    ...rowsOf(`${MINUTES} minutes, attempts of 5 minutes`, minutes, true),
    ...(day ? rowsOf(`a day, a round each ${DAY_REST_MS / 1_000} s`, day, false) : []),
    { name: 'simulated: rounds stay below 50 ms up to', figure: bend },
  ];
};

function rowsOf(name, result, isJudged) {
  const whole = result.rounds.map(({ wholeMs }) => wholeMs);
  const own = result.rounds.map(({ decideMs }) => decideMs);
  const p95 = quantile(whole, 0.95);
  const seconds = result.tookMs / 1_000;
  const hours = (seconds / 3_600).toFixed(1);
  const twice = [...result.completed.values()].filter((times) => times !== 1).length;
  return [
    {
      name: `simulated: 10,000 workers, 1,000,000 tasks, ${name}: rounds`,
      figure: `p50 ${median(whole).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${quantile(own, 0.95).toFixed(1)} without the database)`,
      ...(isJudged ? { bar: `${BAR_MS} ms`, met: p95 <= BAR_MS } : {}),
    },
    {
      name: '  the same: what happened',
      figure: `${hours} h in ${(result.ms / 60_000).toFixed(1)} min, ${result.completed.size} done, ${twice} not once, ${(result.events / seconds).toFixed(0)} events/s, ${(result.transactions / seconds).toFixed(0)} writes/s`,
    },
    {
      name: '  the same: ready to taken',
      figure:
        result.lags.length === 0
          ? 'none'
          : `p50 ${median(result.lags).toFixed(0)} ms, p95 ${quantile(result.lags, 0.95).toFixed(0)} ms`,
    },
    ...(result.recoveries.length === 0
      ? []
      : [
          {
            name: '  the same: a leader died',
            figure: `the next had decided after ${(result.recoveries[0] / 1_000).toFixed(1)} s`,
          },
        ]),
  ];
}

/** Doubles the number of workers, with attempts of five minutes, until a round takes too long. */
async function bends(play) {
  let last = 'fewer than 10,000 workers';
  for (let workers = BENDS_FROM; workers <= BENDS_MOST; workers *= 2) {
    const { rounds } = await play({
      workers,
      layer: 0.95 * workers,
      restMs: REST_MS,
      untilMs: 90_000,
      takesMs: [60_000, 540_000],
    });
    const later = rounds.slice(rounds.length >> 1).map(({ wholeMs }) => wholeMs);
    const p95 = quantile(later, 0.95);
    if (p95 > BAR_MS) return `${last}; ${workers} workers: p95 ${p95.toFixed(0)} ms`;
    last = `${workers} workers: p95 ${p95.toFixed(0)} ms`;
  }
  return last;
}

async function measuredTimes({ server, database: databases }) {
  const running = await server.startOwnServer(tmpdir(), []).catch(() => undefined);
  if (running === undefined) return { ...ASSUMED, measured: false };
  try {
    const database = await databases.PostgresDatabase.of(running.address, 'times');
    await database.query('CREATE SCHEMA troupe_times');
    await database.query('CREATE TABLE lines (line text)');
    const line = 'x'.repeat(400);
    const insert = (count) =>
      timed(() =>
        database.query('INSERT INTO lines SELECT unnest($1::text[])', [Array.from({ length: count }, () => line)]),
      );
    const commitMs = await insert(1);
    const eventMs = Math.max(0, ((await insert(200)) - commitMs) / 199);
    const queryMs = await timed(() => database.query('SELECT 1'));
    await database.close();
    return { commitMs, eventMs, queryMs, measured: true };
  } finally {
    await running.stop();
  }
}

async function timed(work) {
  const times = [];
  for (let time = 0; time < SAMPLES; time++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times);
}
