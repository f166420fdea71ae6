// Measures the analyses of a whole graph: cycles, critical path and bottlenecks at 100,000 tasks in three shapes. Runs
// in process, directly from the source, so that only the analysis is measured.
import { fromSource } from '../tooling/from-source.mjs';
import { median } from './measure.mjs';

const COUNT = 100_000;
const WARM_UPS = 1;
const RUNS = 5;
const BAR_MS = 1_000;
const TOGETHER_BAR_MS = 1_500;

const id = (number) => `task-${String(number).padStart(6, '0')}`;

/** Seeded random numbers. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % sides;
  };
}

const roll = dice(7);
const LAYER = 1_000;
const SHAPES = {
  'one long chain': (number) => [number - 1, number - 2],
  'a hundred layers': (number) => {
    const base = Math.floor(number / LAYER) * LAYER - LAYER;
    return [base + roll(LAYER), base + roll(LAYER)];
  },
  'cycles of ten': (number) => (number % 10 === 0 ? [number + 9, number - 7] : [number - 1]),
};

function tasksOf(shape) {
  const known = (number) => number >= 0 && number < COUNT;
  return Array.from({ length: COUNT }, (_, number) => ({
    kind: 'task',
    id: id(number),
    title: `Task ${number}`,
    description: 'x'.repeat(380),
    status: number % 17 === 0 && shape !== 'cycles of ten' ? 'done' : 'open',
    estimate: { hours: 1 + (number % 7) },
    after: SHAPES[shape](number).filter(known).map(id),
    ...(shape === 'cycles of ten' && number % 10 === 0 ? { cycle_config: { max_iterations: 3 } } : {}),
  }));
}

function timed(work) {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}

export default async () => {
  const source = await fromSource({
    state: 'src/core/graph/state.ts',
    critical: 'src/core/insight/critical-path.ts',
    bottlenecks: 'src/core/insight/bottlenecks.ts',
  });
  const { GraphState } = source.state;
  const { criticalPath } = source.critical;
  const { bottlenecks } = source.bottlenecks;
  const rows = [];
  for (const shape of Object.keys(SHAPES)) {
    const tasks = tasksOf(shape);
    const times = { cycles: [], 'critical path': [], bottlenecks: [], together: [] };
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const state = new GraphState();
      state.load(tasks, 1);
      const view = state.freeze();
      const took = [timed(() => view.cycles()), timed(() => criticalPath(view)), timed(() => bottlenecks(view))];
      if (run < 0) continue;
      for (const [place, name] of ['cycles', 'critical path', 'bottlenecks'].entries()) times[name].push(took[place]);
      times.together.push(took.reduce((sum, ms) => sum + ms, 0));
    }
    for (const [name, all] of Object.entries(times)) {
      const bar = name === 'together' ? TOGETHER_BAR_MS : BAR_MS;
      rows.push({
        name: `${name}, 100,000 tasks, ${shape}`,
        figure: `${median(all).toFixed(0)} ms`,
        bar: `${bar} ms`,
        met: median(all) <= bar,
      });
    }
  }
  return rows;
};
