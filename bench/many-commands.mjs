// 1,000 tasks that do nothing, eight at a time, against GNU make -j8 and bare spawning.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject, median, startService, timeProcess, writeTasks } from './measure.mjs';

const TASKS = 1_000;
const WIDTH = 8;
const ROUNDS = 5;
const SETTLE_MS = 15_000;

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

/** From the first dispatch to the last settled task, read from the log's own times. */
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

export default async () => {
  // A disk goes on freeing what was removed for seconds, and creating files is slow meanwhile: that is part of none of these.
  spawnSync('sync');
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const figures = { make: [], bare: [], ours: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await inProject(async (folder) => {
      makefile(folder);
      writeTasks(folder, TASKS, () => ({ after: [], description: undefined, exec: 'true' }));
      figures.make.push(timeProcess('make', ['-s', `-j${WIDTH}`, 'all'], { cwd: folder }));
      figures.bare.push(await bareSpawning());
      figures.ours.push(await drained(folder));
    });
  }
  const make = median(figures.make);
  const ratio = median(figures.ours) / make;
  return [
    {
      name: `${TASKS} no-op tasks, ${WIDTH} at a time`,
      figure: `${ratio.toFixed(1)} × make -j${WIDTH}`,
      bar: '6 ×',
      met: ratio <= 6,
    },
    { name: 'the same, bare spawning from Node', figure: `${(median(figures.bare) / make).toFixed(1)} ×` },
    { name: 'GNU make itself', figure: `${make.toFixed(0)} ms` },
  ];
};
