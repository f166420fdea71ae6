// Measures 64 clients of the socket for a minute, each with one request at a time: whether all of them are served, and
// the longest wait.
import { createConnection } from 'node:net';
import path from 'node:path';
import { inProject, quantile, startService, troupe, writeTasks } from './measure.mjs';

const CLIENTS = 64;
const MILLISECONDS = 60_000;
const TASKS = 1_000;
const id = (number) => `task-${String(number % TASKS).padStart(6, '0')}`;
const operation = (name, input) => ({ cmd: 'operation', name, input });

/** Everyday requests in turn; every third one is a change. */
const QUESTIONS = [
  () => operation('task.list', {}),
  (number) => operation('task.show', { id: id(number) }),
  (number, round) => ({
    ...operation('task.log', { id: id(number), message: `entry ${round}` }),
    request_id: `fair-${number}-${round}`,
  }),
  () => operation('status.now', {}),
  () => ({ cmd: 'status' }),
  (number, round) => ({
    ...operation('task.add', { title: `From ${number}, ${round}` }),
    request_id: `fair-add-${number}-${round}`,
  }),
];

/** Sends requests until the deadline; returns the milliseconds of each response by operation. */
async function client(file, number, until) {
  const socket = createConnection(file);
  let received = '';
  let answered;
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
    if (!received.endsWith('\n')) return;
    const answer = JSON.parse(received);
    received = '';
    answered(answer);
  });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const times = [];
  for (let round = number; performance.now() < until; round++) {
    const question = QUESTIONS[round % QUESTIONS.length](number, round);
    const asked = performance.now();
    const answer = await new Promise((resolve) => {
      answered = resolve;
      socket.write(`${JSON.stringify(question)}\n`);
    });
    if (!answer.ok) throw new Error(`${question.name ?? question.cmd}: ${JSON.stringify(answer.error)}`);
    times.push({ name: question.name ?? question.cmd, ms: performance.now() - asked });
  }
  socket.destroy();
  return times;
}

export default async () =>
  await inProject(async (folder) => {
    writeTasks(folder, TASKS, (number) => ({ status: number % 3 === 0 ? 'done' : 'open', paused: true }));
    troupe(folder, 'log', id(1), 'adopted');
    const service = await startService(folder);
    const file = path.join(folder, '.workgraph', 'service', 'daemon.sock');
    const until = performance.now() + MILLISECONDS;
    const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(file, number, until)));
    await service.stop();
    const counts = clients.map((times) => times.length);
    const all = clients.flat();
    const ratio = Math.max(...counts) / Math.min(...counts);
    const slowest = Math.max(...all.map(({ ms }) => ms));
    if (process.env.FAIR_DETAILS) {
      for (const name of new Set(all.map((one) => one.name))) {
        const ms = all.filter((one) => one.name === name).map((one) => one.ms);
        process.stderr.write(
          `${name} ${ms.length} p50 ${quantile(ms, 0.5).toFixed(0)} p99 ${quantile(ms, 0.99).toFixed(0)} max ${Math.max(...ms).toFixed(0)}\n`,
        );
      }
    }
    return [
      {
        name: `${CLIENTS} clients for a minute: most answers to one by the fewest`,
        figure: `${ratio.toFixed(2)} (${Math.min(...counts)} to ${Math.max(...counts)})`,
        bar: '2',
        met: ratio <= 2,
      },
      { name: 'their slowest answer', figure: `${(slowest / 1_000).toFixed(2)} s`, bar: '3 s', met: slowest <= 3_000 },
    ];
  });
