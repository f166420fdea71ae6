import { faces } from '#operations/face.js';

/** Trying a graph without running it, as seen from outside. */
export const SIMULATION_FACES = faces([
  {
    name: 'graph.simulate',
    command: 'simulate',
    group: 'Run',
    kind: 'read',
    where: 'caller',
    summary: 'Play the graph through on a clock that jumps, before anything is spent',
    arguments: [{ field: 'file', summary: 'How long what takes and how it ends, as YAML (default: estimates)' }],
    options: [
      { flag: 'agents', field: 'agents', type: 'number', value: 'N', summary: 'How many at once' },
      { flag: 'seed', field: 'seed', type: 'number', value: 'N', summary: 'The same seed plays the same way' },
      { flag: 'until', field: 'until', type: 'text', value: 'DURATION', summary: 'Stop there' },
      {
        flag: 'crash',
        field: 'crash',
        type: 'number',
        value: 'SHARE',
        summary: 'How often the service is killed: 0 to 1',
      },
      { flag: 'log', field: 'log', type: 'switch', summary: 'With every event' },
    ],
    examples: ['troupe simulate', 'troupe simulate --agents 8 --seed 7 --json'],
    load: () => import('./simulate.js').then((module) => module.simulate),
  },
]);
