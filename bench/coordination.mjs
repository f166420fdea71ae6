// npm run bench -- coordination [--long]: coordination as other programs can be measured too. Writes the figures with
// versions and settings to .cache/coordination/result.json, and a page of charts beside it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { adapters } from './coordination/adapters.mjs';
import { figure, pageOf } from './coordination/page.mjs';
import { ended, notesIn, noting, repeatedAndLost, wait } from './coordination/work.mjs';
import { median, quantile, timeProcess, used } from './measure.mjs';

/** Sizes: `--tiny` shows that it works, without `--long` it takes some minutes. */
const SIZE = ['tiny', 'long'].find((word) => process.argv.includes(`--${word}`)) ?? 'short';
const sized = (tiny, short, long) => ({ tiny, short, long })[SIZE];
const AT_ONCE = 4;
const TASKS = sized(8, 100, 500);
const CHAIN = sized(4, 40, 200);
const ADDED = sized(2, 15, 50);
const INTERRUPTED = { tasks: sized(12, 40, 40), seconds: 0.1, before: sized(4, 12, 12) };
const WRITERS = sized(2, 8, 8);
const NOTES_EACH = sized(2, 10, 50);
const SENDERS = sized(2, 4, 4);
const MESSAGES_EACH = sized(2, 10, 25);
const IDLE_SECONDS = sized(1, 10, 60);
const SETTLE_MS = sized(500, 3_000, 3_000);
const SIZES = sized([100], [100, 10_000, 100_000], [100, 10_000, 100_000]);
const STARTS = sized(1, 5, 21);
const FOLDER = path.resolve(
  process.env.TROUPE_BENCH_OUTPUT ?? path.join(import.meta.dirname, '../.cache/coordination'),
);

/** Measures by key: title, explanation, unit. The rows of the page and of the terminal are in this order. */
const MEASURES = {
  first: [
    'Dispatch: started to first task',
    `${TASKS} tasks wait; the coordinator is started; the first task notes that it began`,
    'ms',
  ],
  each: [
    'Dispatch: each further task',
    `the same ${TASKS} tasks, which do nothing, ${AT_ONCE} at once: time from first begin to last end, divided`,
    'ms',
  ],
  added: [
    'Added to begun',
    'a task is added while the coordinator runs: from the start of that command to the begin of the task, median',
    'ms',
  ],
  unblocked: [
    'Unblocked to begun',
    `a chain of ${CHAIN} tasks: from the end of one to the begin of the next, median`,
    'ms',
  ],
  unblockedLate: ['Unblocked to begun, slowest twentieth', 'the same chain, 95th percentile', 'ms'],
  recovered: [
    'Killed to working again',
    'the coordinator is ended by kill -9 among its tasks and started again: until the next task begins',
    'ms',
  ],
  repeated: [
    'Tasks run twice after kill -9',
    `of ${INTERRUPTED.tasks} tasks that take ${INTERRUPTED.seconds} s each`,
    'tasks',
  ],
  lost: ['Tasks lost after kill -9', 'the same tasks: never ended', 'tasks'],
  doubled: ['Tasks run twice by two coordinators', 'the coordinator is started twice in the same folder', 'tasks'],
  updates: [
    'Updates lost',
    `${WRITERS} processes write ${NOTES_EACH} notes each to one task at the same time`,
    'notes',
  ],
  update: ['An update among many writers', 'the same writers: the whole process, median', 'ms'],
  undelivered: [
    'Messages lost or doubled',
    `${SENDERS} senders, ${MESSAGES_EACH} messages each to one task`,
    'messages',
  ],
  message: ['A message sent', 'the same senders: the whole process, median', 'ms'],
  idle: ['Idle: share of a core', `20 tasks wait for a person; ${IDLE_SECONDS} s`, '%'],
  idleMemory: ['Idle: memory', 'the same coordinator: resident', 'MB'],
  ...Object.fromEntries(
    SIZES.flatMap((size) => [
      [
        `one-${size}`,
        [
          `One task of ${size.toLocaleString('en')}, whole process`,
          'shows one task, nothing else running, median',
          'ms',
        ],
      ],
      [
        `next-${size}`,
        [
          `What is ready of ${size.toLocaleString('en')}, whole process`,
          'lists ready tasks, nothing else running, median',
          'ms',
        ],
      ],
    ]),
  ),
};

export default async () => {
  const { all, close } = await adapters();
  const programs = [];
  try {
    for (const adapter of all) programs.push(await measured(adapter));
  } finally {
    await close();
  }
  const result = { at: new Date().toISOString(), machine: machine(), programs };
  const measures = Object.entries(MEASURES).map(([key, [name, what, unit]]) => ({
    name,
    what,
    unit,
    rows: programs.map((program) => ({ program: program.name, ...shown(program, key) })),
  }));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(path.join(FOLDER, 'report.html'), await pageOf({ machine: result.machine, measures, programs }));
  process.stderr.write(`${path.join(FOLDER, 'report.html')}\n${path.join(FOLDER, 'result.json')}\n`);
  return measures.flatMap(({ name, unit, rows }) =>
    rows.map(({ program, value, note }) => ({
      name: `${name}: ${program}`,
      figure: value === undefined ? note : `${figure(value)} ${unit}`,
      ...(value !== undefined && program.startsWith('Troupe') && MUST_BE_NONE.has(name)
        ? { bar: 'none', met: value === 0 }
        : {}),
    })),
  );
};

const MUST_BE_NONE = new Set(['repeated', 'lost', 'doubled', 'updates', 'undelivered'].map((key) => MEASURES[key][0]));

function shown({ absent, figures = {}, failures = {} }, key) {
  if (absent !== undefined) return { note: 'not measured here' };
  if (failures[key] !== undefined) return { note: `failed: ${failures[key]}` };
  return figures[key] === undefined ? { note: 'not what it is for' } : { value: figures[key] };
}

function machine() {
  const [load] = os.loadavg();
  const busy = load > os.cpus().length / 2 ? ` The machine was busy: load ${load.toFixed(1)}.` : '';
  return `${os.cpus().length} cores, ${os.cpus()[0]?.model ?? 'unknown'}, ${os.type()} ${os.release()}, Node ${process.version}.${busy}`;
}

/** All figures of one program. What fails is reported by its reason and loses nothing else. */
async function measured(adapter) {
  const { name, settings, absent } = adapter;
  if (absent !== undefined) return { name, absent };
  const [figures, failures] = [{}, {}];
  for (const [part, keys] of PARTS) {
    process.stderr.write(`  ${name}: ${keys[0]} …\n`);
    try {
      Object.assign(figures, await inRoom(part, adapter));
    } catch (error) {
      for (const key of keys) failures[key] = String(error?.message ?? error).split('\n')[0];
    }
  }
  return { name, version: adapter.version(), settings, figures, failures };
}

/** Measures one part in a folder of its own. The coordinators it began are stopped at its end. */
async function inRoom(part, adapter) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'troupe-coordination-'));
  const begun = [];
  const begin = async (...words) => {
    const running = await adapter.begin(...words);
    begun.push(running);
    return running;
  };
  try {
    return await part(adapter.begin === undefined ? adapter : { ...adapter, begin }, folder);
  } finally {
    for (const running of begun) await running.stop().catch(() => undefined); // it may have ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const PARTS = [
  [dispatch, ['first', 'each']],
  [additions, ['added']],
  [chain, ['unblocked', 'unblockedLate']],
  [recovery, ['recovered', 'repeated', 'lost']],
  [twoCoordinators, ['doubled']],
  [updates, ['updates', 'update']],
  [mail, ['undelivered', 'message']],
  [idle, ['idle', 'idleMemory']],
  ...SIZES.map((size) => [(adapter, folder) => latency(adapter, folder, size), [`one-${size}`, `next-${size}`]]),
];

const plain = (folder, count, seconds) =>
  Array.from({ length: count }, (_, number) => ({ id: `t-${number}`, line: noting(folder, `t-${number}`, seconds) }));

async function dispatch({ prepare, begin }, folder) {
  if (begin === undefined) return {};
  await prepare(folder, plain(folder, TASKS));
  const from = Date.now();
  await begin(folder, AT_ONCE);
  const notes = await ended(folder, TASKS);
  const first = Math.min(...notes.map(({ at }) => at));
  return { first: first - from, each: (Math.max(...notes.map(({ at }) => at)) - first) / TASKS };
}

async function additions({ prepare, begin, add }, folder) {
  if (add === undefined) return {};
  await prepare(folder, plain(folder, 1));
  await begin(folder, AT_ONCE);
  const times = [];
  for (let number = 0; number < ADDED; number++) {
    const id = `added-${number}`;
    const from = Date.now();
    await add(folder, id, noting(folder, id));
    const notes = await ended(folder, number + 2);
    times.push(notes.find((note) => note.id === id && note.kind === 'b').at - from);
  }
  return { added: median(times) };
}

async function chain({ prepare, begin, hasNoOrder }, folder) {
  if (begin === undefined || hasNoOrder) return {};
  const tasks = plain(folder, CHAIN).map((task, number) => ({
    ...task,
    ...(number > 0 ? { after: `t-${number - 1}` } : {}),
  }));
  await prepare(folder, tasks);
  await begin(folder, AT_ONCE);
  const notes = await ended(folder, CHAIN);
  const at = (kind, number) => notes.find((note) => note.kind === kind && note.id === `t-${number}`).at;
  const gaps = Array.from({ length: CHAIN - 1 }, (_, number) => at('b', number + 1) - at('e', number));
  return { unblocked: median(gaps), unblockedLate: quantile(gaps, 0.95) };
}

async function recovery({ prepare, begin }, folder) {
  if (begin === undefined) return {};
  const tasks = plain(folder, INTERRUPTED.tasks, INTERRUPTED.seconds);
  await prepare(folder, tasks);
  const first = await begin(folder, AT_ONCE);
  await ended(folder, INTERRUPTED.before);
  await first.kill();
  const from = Date.now();
  await begin(folder, AT_ONCE);
  const notes = await ended(folder, INTERRUPTED.tasks);
  await wait(INTERRUPTED.seconds * 2_000); // what the first one left running ends too
  const begun = notes.filter(({ kind, at }) => kind === 'b' && at >= from).map(({ at }) => at);
  return {
    recovered: Math.min(...begun) - from,
    ...repeatedAndLost(
      notesIn(folder),
      tasks.map(({ id }) => id),
    ),
  };
}

async function twoCoordinators({ prepare, begin }, folder) {
  if (begin === undefined) return {};
  const tasks = plain(folder, INTERRUPTED.tasks, INTERRUPTED.seconds);
  await prepare(folder, tasks);
  await Promise.allSettled([begin(folder, AT_ONCE), begin(folder, AT_ONCE)]); // one may be refused
  await ended(folder, INTERRUPTED.tasks);
  await wait(INTERRUPTED.seconds * 2_000 + SETTLE_MS);
  return {
    doubled: repeatedAndLost(
      notesIn(folder),
      tasks.map(({ id }) => id),
    ).repeated,
  };
}

/** Does `work` for each text of each writer, the writers side by side; returns how long each took. */
async function together(writers, each, work) {
  const times = [];
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let number = 0; number < each; number++) {
        const from = performance.now();
        await work(`text ${writer}-${number}.`, `writer-${writer}`);
        times.push(performance.now() - from);
      }
    }),
  );
  return times;
}

/** Number of texts that were read never, or more than once. */
function missingOrDoubled(writers, each, read) {
  const texts = Array.from(
    { length: writers * each },
    (_, index) => `text ${Math.floor(index / each)}-${index % each}.`,
  );
  return texts.filter((text) => read.split(text).length !== 2).length;
}

async function updates({ prepare, note }, folder) {
  if (note === undefined) return {};
  await prepare(folder, [{ id: 't-0' }]);
  const times = await together(WRITERS, NOTES_EACH, (text) => note.write(folder, 't-0', text));
  return { updates: missingOrDoubled(WRITERS, NOTES_EACH, note.read(folder, 't-0')), update: median(times) };
}

async function mail({ prepare, mail: post }, folder) {
  if (post === undefined) return {};
  await prepare(folder, [{ id: 't-0' }]);
  const times = await together(SENDERS, MESSAGES_EACH, (text, from) => post.send(folder, 't-0', text, from));
  return { undelivered: missingOrDoubled(SENDERS, MESSAGES_EACH, post.read(folder, 't-0')), message: median(times) };
}

async function idle({ prepare, begin, add }, folder) {
  if (add === undefined || process.platform !== 'linux') return {};
  await prepare(
    folder,
    plain(folder, 20).map((task) => ({ ...task, paused: true })),
  );
  const running = await begin(folder, AT_ONCE);
  await wait(SETTLE_MS);
  const before = used(running.pid);
  await wait(IDLE_SECONDS * 1_000);
  const after = used(running.pid);
  return { idle: ((after.seconds - before.seconds) / IDLE_SECONDS) * 100, idleMemory: after.mb };
}

async function latency({ large }, folder, size) {
  if (large === undefined) return {};
  await large.prepare(folder, size);
  const time = ([program, args]) =>
    median(Array.from({ length: STARTS }, () => timeProcess(program, args, { cwd: folder })));
  return { [`one-${size}`]: time(large.one(size)), ...(large.next ? { [`next-${size}`]: time(large.next()) } : {}) };
}
