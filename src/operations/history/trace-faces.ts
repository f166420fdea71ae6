import type { Zone } from '#core/history/zone.js';
import { faces, REPLACE } from '#operations/face.js';

/** What looks back over the log, and what carries it to others. All of it reads or writes files where it is typed. */
export const TRACE_FACES = faces([
  {
    name: 'trace.show',
    command: 'trace show',
    group: 'Learn',
    kind: 'read',
    where: 'caller',
    summary: 'Show how a task came to be what it is: operations, runs, times',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    options: [
      { flag: 'full', field: 'full', type: 'switch', summary: 'With what its runs printed' },
      { flag: 'ops-only', field: 'ops_only', type: 'switch', summary: 'Only the operations' },
      {
        flag: 'recursive',
        field: 'recursive',
        type: 'switch',
        summary: 'Also everything that grew from it, as a tree',
      },
      { flag: 'timeline', field: 'timeline', type: 'switch', summary: 'What went on side by side, as lanes' },
      { flag: 'graph', field: 'graph', type: 'switch', summary: 'The tasks around it, layer by layer' },
      { flag: 'at', field: 'at', type: 'number', value: 'SEQ', summary: 'As it was after this event' },
      { flag: 'animate', field: 'animate', type: 'switch', summary: 'Watch it happen again, event by event' },
      {
        flag: 'speed',
        field: 'speed',
        type: 'number',
        value: 'N',
        summary: 'With --animate: so many times faster than it was (default: 10)',
      },
    ],
    examples: ['troupe trace show run-the-tests', 'troupe trace show write-the-parser --recursive --timeline'],
    load: () => import('./show-trace.js').then((module) => module.traceShow),
  },
  {
    name: 'trace.export',
    command: 'trace export',
    group: 'Data',
    kind: 'read',
    where: 'caller',
    summary: 'Write what happened as a file that others may see',
    options: [
      {
        flag: 'visibility',
        field: 'visibility',
        type: 'text',
        value: 'ZONE',
        values: ['internal', 'peer', 'public'] satisfies Zone[],
        summary: 'Who will see it: internal (everything), peer, or public; must be said',
      },
      { flag: 'root', field: 'root', type: 'text', value: 'ID', summary: 'Only this task and what grew from it' },
      {
        flag: 'output',
        short: 'o',
        field: 'output',
        type: 'text',
        value: 'FILE',
        path: 'always',
        writes: true,
        summary: 'Where to (default: print it)',
      },
      REPLACE,
    ],
    examples: [
      'troupe trace export --visibility public -o trace.json',
      'troupe trace export --visibility peer --root write-the-parser',
    ],
    load: () => import('./export-trace.js').then((module) => module.traceExport),
  },
  {
    name: 'trace.import',
    command: 'trace import',
    group: 'Data',
    kind: 'write',
    where: 'caller',
    summary: 'Take in what others exported, beside the graph: nothing of it runs',
    arguments: [{ field: 'file', summary: 'The exported file', required: true }],
    options: [
      {
        flag: 'source',
        field: 'source',
        type: 'text',
        value: 'TAG',
        summary: 'Whose it is (default: the name of the file); the same again replaces it',
      },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only check it' },
    ],
    examples: ['troupe trace import trace.json --dry-run', 'troupe trace import trace.json --source peer-a'],
    load: () => import('./import-trace.js').then((module) => module.traceImport),
  },
]);
