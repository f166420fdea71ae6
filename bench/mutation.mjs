// Measures one durable mutation through the service, at 1,000 and at 100,000 tasks.
import { createConnection } from 'node:net';
import path from 'node:path';
import { inProject, median, quantile, startService, troupe, writeTasks } from './measure.mjs';

const MUTATIONS = 600;

function connect(folder) {
  const socket = createConnection(path.join(folder, '.workgraph', 'service', 'daemon.sock'));
  socket.setEncoding('utf8');
  let waiting;
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
    const end = received.indexOf('\n');
    if (end === -1) return;
    const line = received.slice(0, end);
    received = received.slice(end + 1);
    waiting(JSON.parse(line));
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        waiting = resolve;
        socket.write(`${JSON.stringify(request)}\n`);
      }),
    end: () => socket.destroy(),
  };
}

async function mutations(count) {
  return inProject(async (folder) => {
    writeTasks(folder, count);
    troupe(folder, 'log', 'task-000001', 'adopted');
    const service = await startService(folder);
    const client = connect(folder);
    const times = [];
    for (let number = 0; number < MUTATIONS + 50; number++) {
      const id = `task-${String((number * 7919) % count).padStart(6, '0')}`;
      const started = process.hrtime.bigint();
      const answer = await client.ask({
        cmd: 'operation',
        name: 'task.log',
        input: { id, message: `entry ${number}` },
        caller: { kind: 'person', name: 'bench' },
        request_id: `bench-${number}`,
      });
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      if (number >= 50) times.push(Number(process.hrtime.bigint() - started) / 1e6);
    }
    client.end();
    await service.stop();
    return times;
  });
}

export default async () => {
  const small = await mutations(1_000);
  const large = await mutations(100_000);
  const ratio = median(large) / median(small);
  const row = (count, times) => ({
    name: `durable mutation through the service, ${count} tasks`,
    figure: `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`,
  });
  return [
    row('1,000', small),
    row('100,000', large),
    { name: 'the same at 100,000 against 1,000', figure: `${ratio.toFixed(2)} ×`, bar: '1.3 ×', met: ratio <= 1.3 },
  ];
};
