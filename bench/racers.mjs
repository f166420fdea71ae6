// Measures 64 processes that claim the same task at the same moment, repeatedly: one wins, the others get its name.
import { fork } from 'node:child_process';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { inProject, startService, troupe, writeTasks } from './measure.mjs';

const RACERS = 64;
const RACES = { service: 1_000, alone: 50 };
const RACER = path.resolve(import.meta.dirname, 'racer.mjs');

const said = (child) => new Promise((resolve) => child.once('message', resolve));

async function race(mode, folder, bundle) {
  const racers = Array.from({ length: RACERS }, (_, number) => fork(RACER, [mode, folder, String(number), bundle]));
  const outcomes = new Map();
  let odd = 0;
  try {
    await Promise.all(racers.map(said));
    for (let index = 1; index <= RACES[mode]; index++) {
      const answers = racers.map(said);
      for (const racer of racers) racer.send(`task-${String(index).padStart(6, '0')}`);
      const ended = await Promise.all(answers);
      for (const outcome of ended) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (ended.filter((outcome) => outcome === 'won').length !== 1) odd++;
    }
  } finally {
    for (const racer of racers) racer.kill();
  }
  return { odd, outcomes: [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ') };
}

export default async () => {
  const { folder: bundle } = await fromSource({
    client: 'src/surfaces/socket/client.ts',
    'file-store': 'src/adapters/store/files/file-store.ts',
    'process-table': 'src/adapters/processes/process-table.ts',
    moves: 'src/core/graph/moves.ts',
  });
  const rows = [];
  for (const mode of ['service', 'alone']) {
    const { odd, outcomes } = await inProject(async (folder) => {
      writeTasks(folder, RACES[mode] + 1, () => ({ after: [] }));
      troupe(folder, 'log', 'task-000001', 'adopted');
      const service = mode === 'service' ? await startService(folder) : undefined;
      const result = await race(mode, folder, bundle);
      await service?.stop();
      return result;
    });
    const how = mode === 'service' ? 'through the service' : 'without one';
    rows.push({
      name: `${RACERS} processes after one task, ${RACES[mode]} times, ${how}`,
      figure: odd === 0 ? `one winner each (${outcomes})` : `${odd} races without just one winner (${outcomes})`,
      bar: 'one winner',
      met: odd === 0,
    });
  }
  return rows;
};
