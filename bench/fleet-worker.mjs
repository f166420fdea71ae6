// A worker whose runs do nothing: it takes as many as it has slots and ends them at once. Arguments: the folder of the
// bundled modules, the address, the project, its name, its slots. Reports what it takes, and exits on any message.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, address, project, name, slots] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(path.join(folder, `${module}.mjs`)).href);
const [{ PostgresDatabase }, { PostgresWorkerGateway }, { DATABASE_LIMITS }] = await Promise.all(
  ['database', 'desk', 'limits'].map(load),
);
const desk = new PostgresWorkerGateway({
  ...{ database: await PostgresDatabase.of(address, project), key: name, lookMs: DATABASE_LIMITS.attemptsLookMs },
});
const leaders = (await desk.leaders()).map(({ key }) => key);
await desk.registerWorker({ name, at: name, version: '1', slots: Number(slots), labels: [], executors: [], leaders });
await desk.beat([]);
let free = Number(slots);
const known = new Set();
let taking = false;
let again = false;

async function take() {
  again = true;
  if (taking) return;
  taking = true;
  while (again && free > 0) {
    again = false;
    const orders = (await desk.take(free, [...known])).map(({ order }) => JSON.parse(order.text));
    const at = Date.now();
    free -= orders.length;
    for (const order of orders) {
      known.add(order.plan.id);
      if (order.plan.taskId.startsWith('chain-')) process.send({ id: order.plan.taskId, at });
      void end(order);
    }
  }
  taking = false;
}

async function end({ plan: { id, taskId, fence, startedAt, timeoutMs } }) {
  const fact = {
    id,
    taskId,
    fence,
    startedAt,
    timeoutMs,
    alive: false,
    started: true,
    outputBytes: 0,
    exit: { code: 0 },
  };
  const listed = {
    id,
    task_id: taskId,
    executor: 'shell',
    started_at: new Date(startedAt).toISOString(),
    status: 'done',
  };
  await desk.end({ fact, listed, publication: undefined, unpublished: undefined }); // there is no worktree
  known.delete(id);
  free++;
  await take();
}

desk.onWorkAvailable(() => void take());
const beating = setInterval(() => void desk.beat([]), DATABASE_LIMITS.workerBeatMs);
process.once('message', async () => {
  clearInterval(beating);
  await desk.unregisterWorker();
  process.disconnect();
});
process.send('here');
