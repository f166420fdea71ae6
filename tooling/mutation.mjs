// npm run test:mutation [-- --faults 240 --seed 1 --minutes 60 --only TEXT --projects unit,parts --slowest 60 --fresh]:
// mutation testing. Seeds faults into a copy of the source, activates one at a time, and reports which the tests catch.
// An interrupted run resumes. `--only TEXT` draws the whole sample from faults whose id contains the text: a folder, a
// file or a function.
import { fork } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compiles, faultsOf, reasonsIn, sample, sha, withFaults } from './faults.mjs';
import { HOME, run } from './prepare.mjs';

/** All layers take part, by room: a room is a folder or a file directly below a layer. */
const LAYERS = ['core', 'operations', 'adapters'];
const COPIED = [
  'src',
  'test',
  'data',
  'docs',
  'web',
  'tooling',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const REASONS = 'tooling/missed-faults.txt';
/** Prefix of the reason for a fault that does not change behaviour. */
const EQUIVALENT = 'equivalent';
const PLACE = path.join(HOME, '.cache', 'mutation');
const COPY = path.join(PLACE, 'copy');
const ACTIVE = path.join(PLACE, 'active');
const HITS = path.join(PLACE, 'hits');
const NONE = -1;
const WANTED = 0.9;
/** Tests in these folders apply to every room they import from. */
const SHARED = ['contract', 'property'];
/** Patterns of the tests to run per round; later rounds run only on faults that earlier ones did not catch. */
const ROUNDS = [/^test\/core\//, /^/];
/** Time limit of a test file: this factor times its duration without a fault, plus `GRACE` milliseconds. */
const SLOWER = 4;
const GRACE = 20_000;
const FIRST = 120_000;

const { values: flags } = parseArgs({
  options: {
    faults: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    projects: { type: 'string', default: 'unit,parts,forks' },
    // Seconds; slower test files are skipped: they hang, or cost more than they reveal.
    slowest: { type: 'string', default: '60' },
    fresh: { type: 'boolean', default: false },
  },
});
const ends = Number(flags.minutes) > 0 ? Date.now() + Number(flags.minutes) * 60_000 : Number.POSITIVE_INFINITY;
const SILENCE = Number(flags.slowest) * 1_000;
const inTime = () => Date.now() < ends;
const say = (text) => process.stdout.write(`${text}\n`);

const filesBelow = (folder) =>
  readdirSync(path.join(HOME, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    return entry.isDirectory() ? (entry.name === 'node_modules' ? [] : filesBelow(file)) : [file];
  });
/** Source texts as of the start of the run; later edits do not affect the copy. */
const texts = new Map();
const textOf = (file) => {
  if (!texts.has(file)) texts.set(file, readFileSync(path.join(HOME, file), 'utf8'));
  return texts.get(file);
};

/** Parses the records of earlier runs; a line truncated by the end of a run is ignored. */
function recordsOf(name) {
  const file = path.join(PLACE, name);
  const records = new Map();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (!line.endsWith('}')) continue;
    const record = JSON.parse(line);
    records.set(record.key, record);
  }
  const keep = (record) => {
    records.set(record.key, record);
    appendFileSync(file, `\n${JSON.stringify(record)}`);
  };
  return { records, keep };
}

/** Copies the checkout with every fault of the plan in it; returns a hash of its inputs. */
function makeCopy(plan) {
  const made = sha(
    ['src', 'data', 'test']
      .flatMap(filesBelow)
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => `${file} ${sha(readFileSync(path.join(HOME, file)))}`)
      .concat(plan.map(({ id }) => id))
      .join('\n'),
  );
  rmSync(COPY, { recursive: true, force: true });
  for (const name of COPIED) {
    cpSync(path.join(HOME, name), path.join(COPY, name), {
      recursive: true,
      filter: (file) => !file.endsWith('node_modules'),
    });
  }
  symlinkSync(path.join(HOME, 'node_modules'), path.join(COPY, 'node_modules'));
  const runtime = path.join(COPY, 'src/kernel/seeded-fault.ts');
  writeFileSync(
    runtime,
    `import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
// What prepares for all tests stays as it is: a fault would outlast its turn there.
const isSetup = isMainThread && process.argv[1]?.endsWith('mutation-worker.mjs');
const active = isSetup ? ${NONE} : Number(readFileSync(${JSON.stringify(ACTIVE)}, 'utf8'));
const seen = new Set();
export function fault(number) {
  if (active >= 0) return number === active;
  const hit = number + ' ' + globalThis.__vitest_worker__?.filepath;
  if (!seen.has(hit)) appendFileSync(${JSON.stringify(HITS)}, hit + '\\n');
  seen.add(hit);
  return false;
}
`,
  );
  const numbered = plan.map((fault, number) => ({ fault, number }));
  for (const file of new Set(plan.map((fault) => fault.file))) {
    const here = numbered.filter(({ fault }) => fault.file === file);
    writeFileSync(path.join(COPY, file), withFaults(textOf(file), here, '#kernel/seeded-fault.js'));
  }
  return made;
}

/** Kills processes left by tests of a killed worker, recognised by our temporary folder in their environment. */
function sweep(temporary) {
  if (!existsSync('/proc')) return;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      if (readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`TMPDIR=${temporary}`))
        process.kill(Number(entry), 'SIGKILL');
    } catch {
      // has ended meanwhile, or belongs to another user
    }
  }
}

/** Runs test files; a vitest that is silent for too long is killed and restarted. */
function testRunner() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'faults-'));
  chmodSync(temporary, 0o755); // the database server of the tests runs as another user
  let worker;
  let files = [];

  /** Next message of the worker; undefined on timeout or if the worker has exited. */
  const answer = (ms) =>
    new Promise((resolve) => {
      const done = (value) => {
        clearTimeout(timer);
        worker.off('message', done);
        worker.off('exit', gone);
        resolve(value);
      };
      const gone = () => done(undefined);
      const timer = setTimeout(gone, ms);
      worker.once('message', done);
      worker.once('exit', gone);
    });

  const end = () => {
    if (worker?.pid && worker.exitCode === null) worker.kill('SIGKILL');
    worker = undefined;
    sweep(temporary);
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary);
  };

  async function begin() {
    worker = fork(path.join(HOME, 'tooling/mutation-worker.mjs'), [COPY, ...flags.projects.split(',')], {
      cwd: COPY,
      env: { ...process.env, TMPDIR: temporary, NODE_ENV: 'test' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ready = await answer(FIRST);
    if (!ready) throw new Error('vitest did not begin');
    files = ready.files;
  }

  return {
    files: async () => {
      if (!worker) await begin();
      return files;
    },
    /** Yields the outcome of each file as it arrives; the last one may be a timeout or an error outside of tests. */
    async *run(chosen, { first, silence }) {
      if (!worker) await begin();
      worker.send({ files: chosen, first });
      const asked = new Set(chosen);
      for (;;) {
        const said = await answer(silence);
        if (!said) {
          end();
          yield { file: [...asked][0], state: 'failed', failed: ['took too long'], ms: silence };
          return;
        }
        if (said.done) {
          if (said.errors.length > 0)
            yield { file: chosen.at(-1), state: 'failed', failed: said.errors.slice(0, 3), ms: 0 };
          return;
        }
        asked.delete(said.file);
        yield said;
      }
    },
    close() {
      end();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** Determines the faults each test file reaches while none is active. Test files that fail even then are excluded. */
async function reach(runner, plan, made, files) {
  const { records, keep } = recordsOf('reach.jsonl');
  const isCurrent = (file) => records.get(file)?.made === made && records.get(file).version === versionOf(file);
  writeFileSync(ACTIVE, String(NONE));
  writeFileSync(HITS, '');
  const look = ({ file, state, failed, ms }) => {
    const here = ` ${path.join(COPY, file)}`;
    const lines = readFileSync(HITS, 'utf8').split('\n');
    const reached = lines.flatMap((line) => (line.endsWith(here) ? (plan[Number.parseInt(line, 10)]?.id ?? []) : []));
    const passed = state === 'passed';
    keep({ key: file, made, version: versionOf(file), passed, ms, reached });
    if (!passed) say(`${file} fails without any fault and is left out: ${failed.join('; ')}`);
  };
  for (;;) {
    const open = files.filter((file) => !isCurrent(file));
    if (open.length === 0 || !inTime()) break;
    say(`looking at what ${open.length} test files reach`);
    for await (const outcome of runner.run(open, { first: false, silence: SILENCE })) look(outcome);
  }
  return files.map((file) => records.get(file)).filter((record) => record?.passed && record.ms <= SILENCE);
}

const IMPORT = /(?:from|import\() ?'(#|\.{1,2}\/)([^']+)\.js'/g;
const imports = new Map();
/** Project files that a file imports, statically or dynamically, with their transitive imports. */
function importedBy(file) {
  if (imports.has(file)) return imports.get(file);
  const all = new Set();
  imports.set(file, all); // ends cycles
  for (const [, start, rest] of textOf(file).matchAll(IMPORT)) {
    const target = `${start === '#' ? `src/${rest}` : path.posix.join(path.posix.dirname(file), start, rest)}.ts`;
    if (!existsSync(path.join(HOME, target))) continue;
    all.add(target);
    for (const one of importedBy(target)) all.add(one);
  }
  return all;
}

/**
 * Test files of the fault's own room that reach it: those that import its file first, then by duration. Last are those
 * that import its file without reaching it: memoised code runs only for the first file of a run that needs it.
 */
function candidates(fault, looks) {
  const reaches = (look) => look.reached.includes(fault.id);
  const isReached = fault.early || looks.some((look) => isOwnTest(fault.file, look.key) && reaches(look));
  const imported = new RegExp(`['"](#|.*/src/)${fault.file.replace(/^src\//, '').replace(/\.ts$/, '')}\\.js['"]`);
  return (
    looks
      .filter(({ key }) => isOwnTest(fault.file, key))
      .map((look) => ({ ...look, direct: imported.test(textOf(look.key)) }))
      // Code that runs when a module is loaded runs once for all files of a run, so its coverage is found by imports.
      .filter((look) => isReached && (reaches(look) || importedBy(look.key).has(fault.file)))
      .sort(
        (one, other) =>
          Number(reaches(other)) - Number(reaches(one)) ||
          Number(other.direct) - Number(one.direct) ||
          one.ms - other.ms,
      )
  );
}

/**
 * Layer and room of a source or test file: `src/core/graph/add.ts` -> `core`, `graph`; a file directly below a layer is
 * its own room.
 */
function roomOf(file) {
  const [, layer, name, ...rest] = file.replace(/(\.test)?\.ts$/, '').split('/');
  return { layer, name, single: rest.length === 0 };
}

/**
 * Whether the test file is responsible for the source file. Tests of another room may catch its faults by accident and
 * stop doing so when they change.
 */
function isOwnTest(source, test) {
  const [room, asked] = [roomOf(source), roomOf(test)];
  if (LAYERS.includes(asked.layer) && asked.name === room.name) return true;
  const alone = room.single && asked.single && room.layer === asked.layer;
  const isOfNoRoom = asked.single || !LAYERS.some((layer) => existsSync(path.join(HOME, 'src', layer, asked.name)));
  const shared = SHARED.includes(asked.layer) || (isOfNoRoom && LAYERS.includes(asked.layer));
  const imports = new RegExp(`['"]#${room.layer}/${room.name}[/.]`);
  return alone || (shared && [test, ...besides(test)].some((file) => imports.test(textOf(file))));
}

/** A contract is written once, beside the tests that apply it to each adapter. */
function besides(test) {
  const names = [...textOf(test).matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, name]) => name);
  return names
    .map((name) => `${path.posix.dirname(test)}/${name}.ts`)
    .filter((file) => existsSync(path.join(HOME, file)));
}

const versionOf = (file) => `${file} ${sha(textOf(file)).slice(0, 12)}`;
const stands = (version) => {
  const file = version.split(' ')[0];
  return existsSync(path.join(HOME, file)) && versionOf(file) === version;
};

/**
 * Runs a fault's tests until one fails. Earlier results stay valid while the mutated source is unchanged, and per test
 * file while that is unchanged: `by` caught it, `let` lists those that did not.
 */
async function judge(runner, fault, number, tests, before) {
  const began = Date.now();
  const source = versionOf(fault.file);
  const same = before?.source === source ? before : { let: [] };
  if (same.by && stands(same.by)) return same;
  const current = tests.map((look) => ({ ...look, version: versionOf(look.key) }));
  const passed = current.filter(({ version }) => same.let.includes(version)).map(({ version }) => version);
  const record = { key: fault.id, source, let: passed };
  const open = current.filter((look) => !passed.includes(look.version));
  if (open.length > 0 && !inTime()) return { ...record, verdict: 'open', ms: 0 };
  writeFileSync(ACTIVE, String(number));
  const silence = Math.max(0, ...open.map(({ ms }) => ms)) * SLOWER + GRACE;
  const versions = new Map(open.map(({ key, version }) => [key, version]));
  if (open.length > 0) {
    for await (const { file, state, failed } of runner.run([...versions.keys()], { first: true, silence })) {
      const version = versions.get(file);
      if (state === 'failed' && !record.by) Object.assign(record, { by: version, test: failed[0] ?? '' });
      else if (state === 'passed') passed.push(version);
    }
  }
  const unanswered = passed.length < current.length ? 'open' : 'survived';
  const verdict = record.by ? 'caught' : current.length === 0 ? 'unreached' : unanswered;
  return { ...record, verdict, ms: Date.now() - began };
}

function report(plan, verdicts, reasons) {
  const missed = ({ id }) => verdicts.get(id) === 'survived' || verdicts.get(id) === 'unreached';
  const equivalent = ({ id }) => missed({ id }) && reasons.get(id)?.startsWith(EQUIVALENT);
  const row = (part, faults) => {
    const equal = faults.filter(equivalent).length;
    const caught = faults.filter(({ id }) => verdicts.get(id) === 'caught').length;
    const through = faults.filter(missed).length - equal;
    return [part, faults.length, caught, through, equal, faults.length - caught - through - equal];
  };
  const placeOf = ({ file }) => `${roomOf(file).layer}/${roomOf(file).name}`;
  const rows = [...new Set(plan.map(placeOf))].map((place) =>
    row(
      place,
      plan.filter((fault) => placeOf(fault) === place),
    ),
  );
  const all = row('all', plan);
  for (const [part, ...figures] of [['room', 'faults', 'caught', 'missed', 'equal', 'open'], ...rows, all]) {
    say(part.padEnd(28) + figures.map((figure) => String(figure).padStart(8)).join(''));
  }
  for (const fault of plan.filter(missed)) {
    say(`${verdicts.get(fault.id)}: ${fault.id}${reasons.has(fault.id) ? ` (${reasons.get(fault.id)})` : ''}`);
  }
  const [, , caught, through] = all;
  const share = caught / Math.max(1, caught + through);
  say(`${(share * 100).toFixed(1)} % caught, of those that make a difference and were judged`);
  process.exitCode = share >= WANTED ? 0 : 1;
}

if (flags.fresh) rmSync(PLACE, { recursive: true, force: true });
mkdirSync(PLACE, { recursive: true });
const rooms = LAYERS.flatMap((layer) =>
  readdirSync(path.join(HOME, 'src', layer)).map((name) => `src/${layer}/${name}`),
);
const parts = rooms.map((room) =>
  (room.endsWith('.ts') ? [room] : filesBelow(room))
    .flatMap((file) => faultsOf(file, textOf(file)))
    .filter(({ id }) => id.includes(flags.only)),
);
const plan = sample(parts, Number(flags.faults), flags.seed).filter((fault) =>
  compiles(withFaults(textOf(fault.file), [{ number: 0, fault }], 'x')),
);
const reasons = reasonsIn(textOf(REASONS));
const made = makeCopy(plan);
for (const file of filesBelow('test')) if (file.endsWith('.test.ts')) textOf(file);
if (flags.projects.includes('system')) await run(process.execPath, ['tooling/build.mjs'], { cwd: COPY });
const runner = testRunner();
process.on('SIGINT', () => {
  runner.close();
  process.exit(130);
});
process.on('SIGTERM', () => {
  runner.close();
  process.exit(143);
});
const { records, keep } = recordsOf('results.jsonl');
const verdicts = new Map();

/** Runs these tests against every fault not caught so far. */
async function ask(looks) {
  for (const [number, fault] of plan.entries()) {
    if (verdicts.get(fault.id) === 'caught') continue;
    const before = records.get(fault.id);
    const record = await judge(runner, fault, number, candidates(fault, looks), before);
    verdicts.set(fault.id, record.verdict);
    if (record === before) continue;
    keep(record);
    say(`${number + 1}/${plan.length} ${record.verdict} (${(record.ms / 1000).toFixed(1)} s) ${fault.id}`);
  }
}

try {
  const files = (await runner.files()).filter((file) => plan.some((fault) => isOwnTest(fault.file, file)));
  const looks = [];
  for (const round of ROUNDS) {
    const chosen = files.filter((file) => ROUNDS.find((one) => one.test(file)) === round);
    looks.push(...(await reach(runner, plan, made, chosen)));
    await ask(looks);
  }
} finally {
  runner.close();
}
report(plan, verdicts, reasons);
