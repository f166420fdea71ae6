import { TRACKERS, type Tracker } from '#core/imports/imported-task.js';
import { operationSpecs } from '#operations/operation-spec.js';

// biome-ignore format: one row an operation reads best
export const IMPORT_SPECS = operationSpecs([
  {
    name: 'task.import', command: 'import', group: 'Tasks', kind: 'write',
    summary: 'Import the tasks of another tracker: beads, Task Master, Backlog.md, GitHub, a checklist, a workgraph',
    arguments: [{ field: 'file', summary: 'Its file or folder', required: true, path: 'always' }],
    options: [
      { flag: 'from', field: 'from', type: 'text', value: 'TRACKER', values: TRACKERS satisfies readonly Tracker[], summary: 'The tracker (default: recognised from the content)' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Show what would come and what is left out; change nothing' },
      { flag: 'open', field: 'open', type: 'switch', summary: 'Unfinished tasks may start at once (default: they are paused)' },
      { flag: 'skip-broken', field: 'skip_broken', type: 'switch', summary: 'Leave out records that cannot be read' },
      { flag: 'source', field: 'source', type: 'text', value: 'NAME', summary: 'Distinguishes several trackers of one kind (default: for a checklist, its path)' },
    ],
    examples: ['troupe import TODO.md --dry-run', 'troupe import .beads/issues.jsonl --from beads --skip-broken'],
    load: () => import('./import.js').then((module) => module.importWork),
  },
]);
