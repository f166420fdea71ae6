// Measures the graph in process at 1,000, 10,000 and 100,000 tasks: loading, finding ready tasks, and a tick after ten
// changes.
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { inProject, median, troupe, writeTasks } from './measure.mjs';

const SIZES = [1_000, 10_000, 100_000];
const BARS = { load: { 100000: 1_000 }, ready: { 100000: 2 }, tick: { 100000: 5 } };
const RUNS = 10;
const CHANGES = 10;
const SIDE_BY_SIDE = 100;

const id = (number) => `task-${String(number).padStart(6, '0')}`;

/**
 * Predecessors in layers of a hundred tasks: each task depends on two of the previous layer, so that a hundred are
 * ready at any time.
 */
function layered(number) {
  const base = Math.floor(number / SIDE_BY_SIDE) * SIDE_BY_SIDE - SIDE_BY_SIDE;
  return base < 0 ? [] : [id(base + (number % SIDE_BY_SIDE)), id(base + ((number * 7) % SIDE_BY_SIDE))];
}

const elapsed = (started) => Number(process.hrtime.bigint() - started) / 1e6;

async function measured(modules, count) {
  const { FileStore } = modules.store;
  const { ProcessTable } = modules.processes;
  const clock = { now: () => Date.now() };
  return inProject(async (folder) => {
    writeTasks(folder, count, (number) => ({ after: layered(number), exec: 'true' }));
    troupe(folder, 'log', id(1), 'adopted');
    const times = { load: [], ready: [], tick: [] };
    const open = () =>
      FileStore.open({ folder: path.join(folder, '.workgraph'), clock, processes: new ProcessTable(), hold: true });
    for (let run = 0; run < 5; run++) {
      const started = process.hrtime.bigint();
      const store = await open();
      times.load.push(elapsed(started));
      await store.close();
    }
    const { snapshot, decide } = modules;
    const facts = {
      ...decide.NO_FACTS,
      ...{
        runs: [],
        paused: false,
        trust: { trusts: () => true },
        budget: undefined,
        maxAgents: 8,
        executor: 'claude',
      },
      ...{ errands: { underWay: new Set(), answers: new Map() }, terms: snapshot.USUAL_TERMS },
    };
    const store = await open();
    const by = { name: 'bench' };
    await store.commit((view) => modules.moves.logTask(view, id(0), 'warm', { now: Date.now(), by }));
    const context = { clock, graph: async () => store };
    for (let run = 0; run < RUNS; run++) {
      const first = run * CHANGES;
      for (let number = first; number < first + CHANGES; number++) {
        const options = { now: Date.now(), by };
        await store.commit((view) => modules.moves.doneTask(view, id(number), options));
      }
      let started = process.hrtime.bigint();
      const { tasks } = await modules.ready.ready.run(context, {});
      times.ready.push(elapsed(started));
      if (tasks.length === 0) throw new Error('nothing is ready');
      const view = await store.view();
      started = process.hrtime.bigint();
      modules.decide.decide({ ...facts, view }, Date.now());
      times.tick.push(elapsed(started));
    }
    await store.close();
    return times;
  });
}

export default async () => {
  const modules = await fromSource({
    store: 'src/adapters/store/files/file-store.ts',
    processes: 'src/adapters/processes/process-table.ts',
    moves: 'src/core/graph/moves.ts',
    ready: 'src/operations/graph/list.ts',
    decide: 'src/core/coordinator/parts.ts',
    snapshot: 'src/core/coordinator/snapshot.ts',
  });
  const rows = [];
  for (const count of SIZES) {
    const times = await measured(modules, count);
    const said = { load: 'loading', ready: '`ready` after ten changes', tick: 'a tick after ten changes' };
    for (const [what, words] of Object.entries(said)) {
      const bar = BARS[what][count];
      const figure = median(times[what]);
      rows.push({
        name: `${words}, ${count.toLocaleString('en')} tasks`,
        figure: `${figure.toFixed(what === 'load' ? 0 : 2)} ms`,
        ...(bar === undefined ? {} : { bar: `${bar} ms`, met: figure <= bar }),
      });
    }
  }
  return rows;
};
