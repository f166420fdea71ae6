import type { Zone } from '#core/history/zone.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';

const OLDER = {
  flag: 'older',
  field: 'older',
  type: 'text',
  value: 'DURATION',
  summary: 'Only what ended longer ago than this: 12h, 30d, 2w',
} as const satisfies OptionSpec;
const DRY_RUN = {
  flag: 'dry-run',
  field: 'dry_run',
  type: 'switch',
  summary: 'Only say what would be done',
} as const satisfies OptionSpec;

/** What leaves the graph and comes back, and its files. */
const STORE_SPECS = operationSpecs([
  {
    name: 'archive.search',
    command: 'archive search',
    group: 'History',
    kind: 'read',
    summary: 'Find archived tasks by their words',
    arguments: [{ field: 'query', summary: 'Words that all stand in id, title, description or tags', required: true }],
    options: [{ flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most so many (default: 20)' }],
    examples: ['troupe archive search parser', 'troupe archive search "write draft" --limit 5 --json'],
    load: () => import('./archive.js').then((module) => module.archiveSearch),
  },
  {
    name: 'archive.restore',
    command: 'archive restore',
    group: 'History',
    kind: 'write',
    summary: 'Bring archived or removed tasks back',
    arguments: [{ field: 'ids', summary: 'The tasks', names: 'task', required: true, many: true }],
    options: [
      { flag: 'reopen', field: 'reopen', type: 'switch', summary: 'Open, without the marks of their last try' },
    ],
    examples: ['troupe archive restore write-the-parser', 'troupe archive restore write-the-parser --reopen'],
    load: () => import('./archive.js').then((module) => module.archiveRestore),
  },
  {
    name: 'archive.move',
    command: 'archive',
    group: 'History',
    kind: 'write',
    summary: 'Move done and abandoned tasks that nothing active depends on out of the graph',
    arguments: [{ field: 'ids', summary: 'Only these (default: all that may go)', many: true }],
    options: [
      OLDER,
      DRY_RUN,
      { flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' },
      { flag: 'list', field: 'list', type: 'switch', summary: 'List what is archived instead' },
      { flag: 'undo', field: 'undo', type: 'switch', summary: 'Bring back what was moved last' },
    ],
    examples: ['troupe archive --older 30d --dry-run', 'troupe archive -y', 'troupe archive --undo'],
    load: () => import('./archive.js').then((module) => module.archive),
  },
  {
    name: 'gc.remove',
    command: 'gc',
    group: 'History',
    kind: 'write',
    summary: 'Remove failed and abandoned tasks that nothing active depends on',
    arguments: [{ field: 'ids', summary: 'Only these (default: all that may go)', many: true }],
    options: [
      { flag: 'include-done', field: 'include_done', type: 'switch', summary: 'Done ones too' },
      OLDER,
      DRY_RUN,
      { flag: 'list', field: 'list', type: 'switch', summary: 'List what was removed and can come back' },
    ],
    examples: ['troupe gc --dry-run', 'troupe gc --include-done --older 2w'],
    load: () => import('./archive.js').then((module) => module.gc),
  },
  {
    name: 'store.snapshot',
    command: 'snapshot',
    group: 'Storage',
    kind: 'write',
    forRuns: 'any',
    summary: 'Bring graph.jsonl up to date with the log now',
    examples: ['troupe snapshot', 'troupe snapshot --json'],
    load: () => import('./store-files.js').then((module) => module.snapshot),
  },
  {
    name: 'store.rotate',
    command: 'rotate',
    group: 'Storage',
    kind: 'write',
    summary: 'Pack the log away now and begin a new one; by itself it does so at 10 MB',
    examples: ['troupe rotate', 'troupe rotate --json'],
    load: () => import('./store-files.js').then((module) => module.rotate),
  },
  {
    name: 'store.rebuild',
    command: 'rebuild',
    group: 'Storage',
    kind: 'read',
    where: 'caller',
    summary: 'Make the graph again from the log alone, as it is or as it was',
    options: [
      { flag: 'at', field: 'at', type: 'text', value: 'SEQ|TIME', summary: 'As it was after this entry, or then' },
      {
        flag: 'output',
        short: 'o',
        field: 'output',
        type: 'text',
        value: 'FILE',
        path: 'always',
        writes: true,
        summary: 'Write it there (default: -, print it)',
      },
      REPLACE,
    ],
    examples: ['troupe rebuild -o -', 'troupe rebuild --at 2026-03-21T10:00:00Z -o then.jsonl'],
    load: () => import('./store-files.js').then((module) => module.rebuild),
  },
]);

const RUN = { field: 'id', summary: 'The run', required: true } as const;

/** Doing it again, and what was kept before. */
const REPLAY_SPECS = operationSpecs([
  {
    name: 'replay.run',
    command: 'replay',
    group: 'History',
    kind: 'write',
    forRuns: 'any',
    summary: 'Open tasks again that ended, with all that comes after them',
    options: [
      {
        flag: 'tasks',
        field: 'tasks',
        type: 'list',
        value: 'ID',
        names: 'task',
        summary: 'Only these and what comes after them',
      },
      { flag: 'failed-only', field: 'failed_only', type: 'switch', summary: 'Only what failed or was abandoned' },
      {
        flag: 'below-score',
        field: 'below_score',
        type: 'number',
        value: 'S',
        summary: 'Only what scored less, or ended without a score',
      },
      {
        flag: 'subgraph',
        field: 'subgraph',
        type: 'text',
        value: 'ID',
        summary: 'Only within this task and what depends on it',
      },
      {
        flag: 'keep-done',
        field: 'keep_done',
        type: 'number',
        value: 'S',
        summary: 'Leave done tasks that scored this much (default: 0.9)',
      },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model they are done with now' },
      { flag: 'plan-only', field: 'plan_only', type: 'switch', summary: 'Only say what would be opened' },
    ],
    examples: ['troupe replay --failed-only --plan-only', 'troupe replay --tasks write-the-parser --model opus'],
    load: () => import('./replay.js').then((module) => module.replay),
  },
  {
    name: 'runs.list',
    command: 'runs list',
    group: 'History',
    kind: 'read',
    summary: 'List what was kept before tasks were opened again',
    examples: ['troupe runs list', 'troupe runs list --json'],
    load: () => import('./runs.js').then((module) => module.runsList),
  },
  {
    name: 'runs.show',
    command: 'runs show',
    group: 'History',
    kind: 'read',
    summary: 'Show what one of them opened and left',
    arguments: [RUN],
    examples: ['troupe runs show run-001', 'troupe runs show run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsShow),
  },
  {
    name: 'runs.diff',
    command: 'runs diff',
    group: 'History',
    kind: 'read',
    summary: 'Compare the graph that was kept with the present one',
    arguments: [RUN],
    examples: ['troupe runs diff run-001', 'troupe runs diff run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsDiff),
  },
  {
    name: 'runs.restore',
    command: 'runs restore',
    group: 'History',
    kind: 'write',
    summary: 'Put the graph back to what was kept; the present one is kept first',
    arguments: [RUN],
    options: [{ flag: 'force', field: 'force', type: 'switch', summary: 'Also while runs are under way' }],
    examples: ['troupe runs restore run-001', 'troupe runs restore run-001 --force'],
    load: () => import('./runs.js').then((module) => module.runsRestore),
  },
]);

export const ARCHIVE_SPECS = [...STORE_SPECS, ...REPLAY_SPECS];

/** What looks back over the log, and what carries it to others. All of it reads or writes files where it is typed. */
export const TRACE_SPECS = operationSpecs([
  {
    name: 'trace.show',
    command: 'trace show',
    group: 'History',
    kind: 'read',
    where: 'caller',
    summary: 'Show how a task came to be what it is: operations, runs, times',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'full', field: 'full', type: 'switch', summary: 'With what its runs printed' },
      { flag: 'ops-only', field: 'ops_only', type: 'switch', summary: 'Only the operations' },
      {
        flag: 'recursive',
        field: 'recursive',
        type: 'switch',
        summary: 'Also everything that grew from it, as a tree',
      },
      { flag: 'timeline', field: 'timeline', type: 'switch', summary: 'What ran in parallel, as lanes' },
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
    group: 'History',
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
      {
        flag: 'root',
        field: 'root',
        type: 'text',
        value: 'ID',
        names: 'task',
        summary: 'Only this task and what grew from it',
      },
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
    load: () => import('./trace-files.js').then((module) => module.traceExport),
  },
  {
    name: 'trace.import',
    command: 'trace import',
    group: 'History',
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
    load: () => import('./trace-files.js').then((module) => module.traceImport),
  },
]);

/** Looking after the files of the graph, as seen from outside. */
export const DOCTOR_SPECS = operationSpecs([
  {
    name: 'project.doctor',
    command: 'doctor',
    group: 'Storage',
    kind: 'write',
    forRuns: 'any',
    where: 'caller',
    summary: 'Check this machine (clients, keys, git, Node) and the files of the graph',
    options: [{ flag: 'repair', field: 'repair', type: 'switch', summary: 'Put right what can be proved' }],
    examples: ['troupe doctor', 'troupe doctor --repair --json'],
    load: () => import('./doctor.js').then((module) => module.doctor),
  },
  {
    name: 'project.git-merge',
    command: 'git-merge',
    group: 'Storage',
    kind: 'write',
    forRuns: 'any',
    where: 'caller',
    summary: 'Merge three versions of graph.jsonl; git calls it',
    arguments: [
      { field: 'base', summary: 'What both sides began from', required: true },
      { field: 'ours', summary: 'Our version, which becomes the answer', required: true, writes: true },
      { field: 'theirs', summary: 'Their version', required: true },
    ],
    examples: ['troupe git-merge base.jsonl ours.jsonl theirs.jsonl', 'troupe git-merge %O %A %B'],
    load: () => import('./merge-driver.js').then((module) => module.gitMerge),
  },
]);

// biome-ignore format: one row an operation reads best
export const SYNC_SPECS = operationSpecs([
  {
    name: 'squad.sync', command: 'squad sync', group: 'Members', kind: 'write', where: 'caller',
    summary: 'Show what of the team is not committed; with --commit, commit just that',
    options: [
      { flag: 'commit', field: 'commit', type: 'switch', summary: 'Commit what was looked at' },
      { flag: 'expect', field: 'expect', type: 'text', value: 'HASH', summary: 'The hash that was shown' },
      { flag: 'message', short: 'm', field: 'message', type: 'text', value: 'TEXT', summary: 'What the commit says' },
      { flag: 'diff', field: 'diff', type: 'switch', summary: 'Show the changes line by line' },
    ],
    examples: ['troupe squad sync', 'troupe squad sync --commit --expect 3f9a21 -m "Cast the team"'],
    load: () => import('./sync.js').then((module) => module.sync),
  },
]);
