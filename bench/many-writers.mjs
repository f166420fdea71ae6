// Measures eight processes that write at the same time, with and without a service, and the memory of the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { inProject, quantile, startService, troupe, used, writeTasks } from './measure.mjs';

const WRITERS = 8;
/** Changes of each process, by the number of tasks: with fewer, much of the time goes into code that is not compiled yet. */
const EACH = { 1000: 8_000, 100000: 1_500 };
const EACH_ALONE = 60;
const WRITER = path.resolve(import.meta.dirname, 'writer.mjs');

function write(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.once('exit', (code) => (code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`writer: ${code}`))));
  });
}

/** Mutations per second from the first start to the last end, and the slowest mutation. */
function summed(writers) {
  const begun = Math.min(...writers.map(({ begun }) => begun));
  const ended = Math.max(...writers.map(({ ended }) => ended));
  const times = writers.flatMap(({ times }) => times);
  return { rate: (times.length / (ended - begun)) * 1_000, p99: quantile(times, 0.99) };
}

/** Changes per second of a server that only answers `ok`: a bound for any service on this machine. */
async function answering(folder) {
  const socket = path.join(folder, '.workgraph', 'service', 'daemon.sock');
  mkdirSync(path.dirname(socket), { recursive: true });
  const answers = `require('node:net').createServer((peer) => peer.on('data', () => peer.write('{"ok":true}\\n'))).listen(${JSON.stringify(socket)}, () => console.log())`;
  const server = spawn(process.execPath, ['-e', answers], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  try {
    return await writing(folder, 1_000);
  } finally {
    server.kill();
  }
}

/** Rate of eight processes, each with one change in flight. */
async function writing(folder, count) {
  const numbers = Array.from({ length: WRITERS }, (_, number) => String(number));
  return summed(
    await Promise.all(numbers.map((number) => write(['service', folder, number, String(EACH[count]), String(count)]))),
  );
}

const largestMegabytes = (pid) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

export default async () => {
  const modules = await fromSource({
    'file-store': 'src/adapters/store/files/file-store.ts',
    'process-table': 'src/adapters/processes/process-table.ts',
    moves: 'src/core/graph/moves.ts',
  });
  const rows = [];
  const bound = await inProject(answering);
  for (const count of [1_000, 100_000]) {
    const { rate, p99, memory, micros } = await inProject(async (folder) => {
      writeTasks(folder, count);
      troupe(folder, 'log', 'task-000001', 'adopted');
      const service = await startService(folder);
      const before = used(service.pid).seconds;
      const written = await writing(folder, count);
      const micros = ((used(service.pid).seconds - before) / (WRITERS * EACH[count])) * 1e6;
      const memory = largestMegabytes(service.pid);
      await service.stop();
      return { ...written, memory, micros };
    });
    const bars = count === 1_000 ? { rate: 1_000, p99: 50 } : { rate: 800, memory: 400 };
    const tasks = `${count.toLocaleString('en')} tasks`;
    rows.push(
      {
        name: `${WRITERS} processes through the service, ${tasks}`,
        figure: `${rate.toFixed(0)} a second, ${(rate / bound.rate).toFixed(2)} × only answering`,
        bar: `${bars.rate}`,
        met: rate >= bars.rate,
      },
      { name: '  processor time of the service for each', figure: `${micros.toFixed(0)} µs` },
      {
        name: 'their slowest hundredth',
        figure: `${p99.toFixed(1)} ms`,
        ...(bars.p99 ? { bar: `${bars.p99} ms`, met: p99 <= bars.p99 } : {}),
      },
      {
        name: `memory of the service at most, ${tasks}`,
        figure: `${memory.toFixed(0)} MB`,
        ...(bars.memory ? { bar: `${bars.memory} MB`, met: memory <= bars.memory } : {}),
      },
    );
  }
  const alone = await inProject(async (folder) => {
    writeTasks(folder, 1_000);
    troupe(folder, 'log', 'task-000001', 'adopted');
    return summed(
      await Promise.all(
        Array.from({ length: WRITERS }, (_, number) =>
          write(['alone', folder, String(number), String(EACH_ALONE), '1000', modules.folder]),
        ),
      ),
    );
  });
  rows.push({
    name: `${WRITERS} processes without a service`,
    figure: `${alone.rate.toFixed(0)} a second`,
    bar: '300',
    met: alone.rate >= 300,
  });
  return rows;
};
