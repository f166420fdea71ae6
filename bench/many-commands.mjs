// Measures 1,000 tasks that do nothing, eight at a time, against GNU make -j8 and bare process starts.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject, MEMORY, median, startService, timeProcess, writeTasks } from './measure.mjs';

const TASKS = 1_000;
const WIDTH = 8;
const ROUNDS = 5;
const PROBES = 100;
const BAR = 4;

function makefile(folder) {
  const names = Array.from({ length: TASKS }, (_, number) => `t${number}`);
  const rules = names.map((name) => `${name}:\n\t@true\n`).join('');
  writeFileSync(path.join(folder, 'Makefile'), `all: ${names.join(' ')}\n.PHONY: all ${names.join(' ')}\n${rules}`);
}

function bareSpawning() {
  const started = Date.now();
  let [begun, ended] = [0, 0];
  return new Promise((resolve) => {
    const next = () => {
      while (begun - ended < WIDTH && begun < TASKS) {
        begun++;
        spawn('true', [], { stdio: 'ignore' }).once('exit', () => {
          ended++;
          if (ended === TASKS) resolve(Date.now() - started);
          else next();
        });
      }
    };
    next();
  });
}

/** Time from the first dispatch to the last settled task, from the timestamps of the log. */
async function drained(folder) {
  const service = await startService(folder, WIDTH);
  const log = path.join(folder, '.workgraph', 'operations.jsonl');
  const done = () => readFileSync(log, 'utf8').split('"op":"done"').length - 1;
  while (done() < TASKS) await new Promise((resolve) => setTimeout(resolve, 25));
  await service.stop();
  const entries = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const first = entries.find((entry) => entry.op === 'claim');
  const last = entries.findLast((entry) => entry.op === 'done');
  return Date.parse(last.timestamp) - Date.parse(first.timestamp);
}

/**
 * Milliseconds to create a file in a folder. A disk that has just removed many files can take a hundred times as long
 * as before.
 */
function creating(folder) {
  const place = path.join(folder, 'creating');
  mkdirSync(place);
  const started = process.hrtime.bigint();
  for (let number = 0; number < PROBES; number++) writeFileSync(path.join(place, String(number)), '');
  return Number(process.hrtime.bigint() - started) / 1e6 / PROBES;
}

async function measured(memory) {
  const figures = { make: [], bare: [], ours: [], creating: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await inProject(
      async (folder) => {
        makefile(folder);
        writeTasks(folder, TASKS, () => ({ after: [], description: undefined, exec: 'true' }));
        figures.creating.push(creating(folder));
        figures.make.push(timeProcess('make', ['-s', `-j${WIDTH}`, 'all'], { cwd: folder }));
        figures.bare.push(await bareSpawning());
        figures.ours.push(await drained(folder));
      },
      { memory },
    );
  }
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
}

export default async () => {
  const disk = await measured(false);
  const memory = existsSync(MEMORY) ? await measured(true) : undefined;
  const judged = memory ?? disk;
  const lines = [
    {
      name: `${TASKS} no-op tasks, ${WIDTH} at a time${memory ? ', files in memory' : ''}`,
      figure: `${(judged.ours / judged.make).toFixed(1)} × make -j${WIDTH}`,
      bar: `${BAR} ×`,
      met: judged.ours / judged.make <= BAR,
    },
    { name: 'the same, bare spawning from Node', figure: `${(judged.bare / judged.make).toFixed(1)} ×` },
    { name: 'GNU make itself', figure: `${judged.make.toFixed(0)} ms` },
  ];
  if (memory) {
    const price = `a new file costs ${disk.creating.toFixed(2)} ms there, ${memory.creating.toFixed(2)} in memory`;
    lines.push({ name: 'the same on this disk', figure: `${(disk.ours / disk.make).toFixed(1)} × (${price})` });
  }
  return lines;
};
