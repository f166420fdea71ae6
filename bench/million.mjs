// One million tasks in PostgreSQL: a new leader opens them, with its largest memory, and the first of those that are ready are read.
// Nothing is measured where no server is installed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../tooling/from-source.mjs';

const TASKS = 1_000_000;
const AT_ONCE = 25_000;
const PUTS_AN_EVENT = 500;
/** One task in so many waits for the one before it; the others are ready. */
const WAITING_EVERY = 2;
const FIRST = 50;
const BARS = { openSeconds: 30, openMegabytes: 4_096, readyMs: 10 };
const SELF = fileURLToPath(import.meta.url);

const leaderOf = async (address) => {
  const { kinds } = await fromSource({ kinds: 'src/adapters/store/postgres/postgres-store-kind.ts' });
  const migrations = new URL('../data/database', import.meta.url).pathname;
  const kind = kinds.postgresStoreKind({ address, project: 'million', migrations, folder: tmpdir(), who: 'bench' });
  const nothing = () => undefined;
  const hold = () => kind.hold({ seize: false, stopWaiting: () => true, onHandEdit: nothing, onLost: nothing });
  return { kind, hold };
};

export default async function measureMillion() {
  const { server } = await fromSource({ server: 'src/adapters/postgres/own-server.ts' });
  const running = await server.startOwnServer(tmpdir(), []).catch(() => undefined);
  if (running === undefined) return [];
  try {
    const { kind, hold } = await leaderOf(running.address);
    await kind.initialise();
    const leader = await hold();
    for (let first = 0; first < TASKS; first += AT_ONCE) {
      const starts = Array.from({ length: AT_ONCE / PUTS_AN_EVENT }, (_, index) => first + index * PUTS_AN_EVENT);
      await leader.commit(() => ({ events: starts.map(puts), result: undefined }));
    }
    await leader.files.snapshot();
    await leader.close();
    const { seconds, megabytes, readyMs, ready } = await opened(running.address);
    const row = (name, figure, bar, unit) => ({
      name,
      figure: `${figure} ${unit}`,
      bar: `${bar} ${unit}`,
      met: figure <= bar,
    });
    const name = `PostgreSQL, ${TASKS} tasks`;
    return [
      row(`${name}: opened`, Number(seconds.toFixed(1)), BARS.openSeconds, 's'),
      row(`${name}: memory of the leader`, Math.round(megabytes), BARS.openMegabytes, 'MB'),
      row(`${name}: first ${FIRST} of ${ready} that are ready`, Number(readyMs.toFixed(2)), BARS.readyMs, 'ms'),
    ];
  } finally {
    await running.stop();
  }
}

function puts(first) {
  const created_at = '2026-03-21T10:00:00.000Z';
  const patch = Array.from({ length: PUTS_AN_EVENT }, (_, index) => {
    const number = first + index;
    const after = number % WAITING_EVERY === 0 ? {} : { after: [`task-${number - 1}`] };
    const id = `task-${number}`;
    return {
      id,
      put: { kind: 'task', id, title: `Task ${number}`, status: 'open', tags: ['bench'], created_at, ...after },
    };
  });
  return { op: 'adopt', patch };
}

/** A process of its own, so that its memory is that of a leader that opens the project. */
async function opened(address) {
  const child = spawn(process.execPath, [`--max-old-space-size=${BARS.openMegabytes}`, SELF, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

async function open(address) {
  const { hold } = await leaderOf(address);
  const begun = performance.now();
  const leader = await hold();
  const view = await leader.view();
  const seconds = (performance.now() - begun) / 1_000;
  const asked = performance.now();
  const first = [];
  for (const id of view.withoutCommand()) if (first.push(view.task(id)) === FIRST) break;
  const readyMs = performance.now() - asked;
  const ready = [...view.candidates()].length;
  const megabytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;
  await leader.close();
  process.stdout.write(JSON.stringify({ seconds, megabytes, readyMs, ready, first: first.length }));
}

if (process.argv[1] === SELF) await open(process.argv[2]);
