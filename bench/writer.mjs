// A process that writes; started by many-writers.mjs. Prints its start, its end and the duration of each mutation.
import { createConnection } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [mode, folder, number, each, count, bundle] = process.argv.slice(2);
const id = (index) => `task-${String((index * 7_919 + Number(number)) % Number(count)).padStart(6, '0')}`;

async function throughService() {
  const socket = createConnection(path.join(folder, '.workgraph', 'service', 'daemon.sock'));
  socket.setEncoding('utf8');
  let received = '';
  let answered;
  socket.on('data', (chunk) => {
    received += chunk;
    const end = received.indexOf('\n');
    if (end === -1) return;
    const answer = JSON.parse(received.slice(0, end));
    received = received.slice(end + 1);
    answered(answer);
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    async write(index) {
      const answer = await new Promise((resolve) => {
        answered = resolve;
        const request = {
          cmd: 'operation',
          name: 'task.log',
          input: { id: id(index), message: `entry ${index}` },
          caller: { kind: 'person', name: 'bench' },
          request_id: `bench-${number}-${index}`,
        };
        socket.write(`${JSON.stringify(request)}\n`);
      });
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    },
    close: () => socket.destroy(),
  };
}

async function alone() {
  const load = (name) => import(pathToFileURL(path.join(bundle, `${name}.mjs`)).href);
  const [{ FileStore }, { ProcessTable }, { logTask }] = await Promise.all(
    ['file-store', 'process-table', 'moves'].map(load),
  );
  const clock = { now: () => Date.now() };
  const store = await FileStore.open({
    folder: path.join(folder, '.workgraph'),
    clock,
    processes: new ProcessTable(),
    hold: false,
  });
  return {
    async write(index) {
      const options = { now: Date.now(), by: { name: 'bench' } };
      await store.commit((view) => logTask(view, id(index), `entry ${index}`, options));
    },
    close: () => store.close(),
  };
}

const writer = mode === 'service' ? await throughService() : await alone();
const times = [];
const begun = Date.now();
for (let index = 0; index < Number(each); index++) {
  const started = process.hrtime.bigint();
  await writer.write(index);
  times.push(Number(process.hrtime.bigint() - started) / 1e6);
}
const ended = Date.now();
await writer.close();
process.stdout.write(JSON.stringify({ begun, ended, times }));
