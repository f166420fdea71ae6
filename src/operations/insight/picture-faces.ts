import { SHOWN_STATES } from '#core/graph/status-look.js';
import { faces, REPLACE } from '#operations/face.js';

// biome-ignore format: one row a flag reads best
export const PICTURE_FACES = faces([
  {
    name: 'graph.viz', command: 'viz', group: 'Work', kind: 'read',
    // A picture may take long and may be written where the command was typed: both are no business of the service.
    where: 'caller',
    summary: 'Draw the graph: as a tree, as boxes, or for other programs',
    arguments: [{ field: 'ids', summary: 'Only what hangs together with these tasks', many: true }],
    options: [
      { flag: 'graph', field: 'graph', type: 'switch', summary: 'Boxes in layers, with lines between them' },
      { flag: 'dot', field: 'dot', type: 'switch', summary: 'The text that Graphviz draws' },
      { flag: 'mermaid', field: 'mermaid', type: 'switch', summary: 'The text that Mermaid draws' },
      { flag: 'output', short: 'o', field: 'output', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'Write a .png or .svg (needs Graphviz), .dot or .mmd' },
      REPLACE,
      { flag: 'all', field: 'all', type: 'switch', summary: 'Also trees in which nothing is left to do' },
      { flag: 'show-internal', field: 'show_internal', type: 'switch', summary: 'Also tasks of the system itself' },
      { flag: 'status', field: 'status', type: 'list', value: 'STATUS', values: SHOWN_STATES, summary: 'Only these statuses' },
      { flag: 'tag', short: 't', field: 'tag', type: 'list', value: 'TAG', summary: 'Only tasks with this tag' },
      { flag: 'critical-path', field: 'critical_path', type: 'switch', summary: 'Mark the chain that delays the end' },
    ],
    examples: ['troupe viz', 'troupe viz --graph --critical-path', 'troupe viz write-the-parser --all'],
    load: () => import('./viz.js').then((module) => module.viz),
  },
]);
