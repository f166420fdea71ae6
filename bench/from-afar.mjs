// Measures a whole `troupe show` of a task in a project of 10,000 that another machine leads, alternating with bare Node
// and with the same command on the machine of the leader.
import { cpSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { CLI, inProject, median, startService, timeProcess, troupe, writeTasks } from './measure.mjs';

const TASKS = 10_000;
const ROUNDS = 41;
const WARMING = 3;
const BAR_MS = 40;

export default async () => {
  const { server } = await fromSource({ server: 'src/adapters/postgres/own-server.ts' });
  const database = await server.startOwnServer(tmpdir(), []);
  try {
    return await inProject((folder) => measured(folder, database.address));
  } finally {
    await database.stop();
  }
};

async function measured(folder, address) {
  writeTasks(folder, TASKS);
  troupe(folder, 'log', 'task-000001', 'adopted');
  troupe(folder, 'database', 'move', '--to', address, '--project', 'bench');
  const clone = path.join(folder, '..', 'clone');
  mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
  cpSync(path.join(folder, '.workgraph', 'config.toml'), path.join(clone, '.workgraph', 'config.toml'));
  troupe(clone, 'database', 'use', address);
  const service = await startService(folder);
  const times = { bare: [], beside: [], afar: [] };
  const show = (cwd) => timeProcess(process.execPath, [CLI, 'show', 'task-005000'], { cwd });
  for (let round = -WARMING; round < ROUNDS; round++) {
    const one = { bare: timeProcess(process.execPath, ['-e', '0']), beside: show(folder), afar: show(clone) };
    if (round >= 0) for (const name of Object.keys(times)) times[name].push(one[name]);
  }
  await service.stop();
  const more = (name) => median(times[name]) - median(times.bare);
  const figure = (name) => `bare Node + ${more(name).toFixed(1)} ms`;
  const tasks = `${TASKS.toLocaleString('en')} tasks`;
  return [
    {
      name: `troupe show from another machine, ${tasks}`,
      figure: figure('afar'),
      bar: `+ ${BAR_MS} ms`,
      met: more('afar') <= BAR_MS,
    },
    { name: '  the same on the machine of the leader', figure: figure('beside') },
  ];
}
