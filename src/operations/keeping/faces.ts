import type { Face, OptionFace } from '#operations/face.js';

const OLDER: OptionFace = {
  flag: 'older',
  field: 'older',
  type: 'text',
  value: 'DURATION',
  summary: 'Only what ended longer ago than this: 12h, 30d, 2w',
};
const DRY_RUN: OptionFace = {
  flag: 'dry-run',
  field: 'dry_run',
  type: 'switch',
  summary: 'Only say what would be done',
};

/** What leaves the graph and comes back, and its files. */
const STORE_FACES: readonly Face[] = [
  {
    name: 'archive.search',
    command: 'archive search',
    group: 'Data',
    kind: 'read',
    summary: 'Find archived tasks by their words',
    arguments: [{ field: 'query', summary: 'Words that all stand in id, title, description or tags', required: true }],
    options: [{ flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most so many (default: 20)' }],
    examples: ['troupe archive search parser', 'troupe archive search "write draft" --limit 5 --json'],
    load: () => import('./archive-search.js').then((module) => module.archiveSearch as never),
  },
  {
    name: 'archive.restore',
    command: 'archive restore',
    group: 'Data',
    kind: 'write',
    summary: 'Bring archived or removed tasks back',
    arguments: [{ field: 'ids', summary: 'The tasks', required: true, many: true }],
    options: [
      { flag: 'reopen', field: 'reopen', type: 'switch', summary: 'Open, without the marks of their last try' },
    ],
    examples: ['troupe archive restore write-the-parser', 'troupe archive restore write-the-parser --reopen'],
    load: () => import('./archive-restore.js').then((module) => module.archiveRestore as never),
  },
  {
    name: 'archive.move',
    command: 'archive',
    group: 'Data',
    kind: 'write',
    summary: 'Move done and abandoned tasks that nothing active counts on out of the graph',
    arguments: [{ field: 'ids', summary: 'Only these (default: all that may go)', many: true }],
    options: [
      OLDER,
      DRY_RUN,
      { flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' },
      { flag: 'list', field: 'list', type: 'switch', summary: 'List what is archived instead' },
      { flag: 'undo', field: 'undo', type: 'switch', summary: 'Bring back what was moved last' },
    ],
    examples: ['troupe archive --older 30d --dry-run', 'troupe archive -y', 'troupe archive --undo'],
    load: () => import('./archive.js').then((module) => module.archive as never),
  },
  {
    name: 'gc.remove',
    command: 'gc',
    group: 'Data',
    kind: 'write',
    summary: 'Remove failed and abandoned tasks that nothing active counts on',
    arguments: [{ field: 'ids', summary: 'Only these (default: all that may go)', many: true }],
    options: [
      { flag: 'include-done', field: 'include_done', type: 'switch', summary: 'Done ones too' },
      OLDER,
      DRY_RUN,
      { flag: 'list', field: 'list', type: 'switch', summary: 'List what was removed and can come back' },
    ],
    examples: ['troupe gc --dry-run', 'troupe gc --include-done --older 2w'],
    load: () => import('./gc.js').then((module) => module.gc as never),
  },
  {
    name: 'store.snapshot',
    command: 'snapshot',
    group: 'Data',
    kind: 'write',
    summary: 'Bring graph.jsonl up to date with the log now',
    examples: ['troupe snapshot', 'troupe snapshot --json'],
    load: () => import('./snapshot.js').then((module) => module.snapshot as never),
  },
  {
    name: 'store.rotate',
    command: 'rotate',
    group: 'Data',
    kind: 'write',
    summary: 'Pack the log away now and begin a new one; by itself it does so at 10 MB',
    examples: ['troupe rotate', 'troupe rotate --json'],
    load: () => import('./rotate.js').then((module) => module.rotate as never),
  },
  {
    name: 'store.rebuild',
    command: 'rebuild',
    group: 'Data',
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
        summary: 'Write it there (default: -, print it)',
      },
    ],
    examples: ['troupe rebuild -o -', 'troupe rebuild --at 2026-03-21T10:00:00Z -o then.jsonl'],
    load: () => import('./rebuild.js').then((module) => module.rebuild as never),
  },
];

const RUN = { field: 'id', summary: 'The run', required: true } as const;

/** Doing it again, and what was kept before. */
const REPLAY_FACES: readonly Face[] = [
  {
    name: 'replay.run',
    command: 'replay',
    group: 'Run',
    kind: 'write',
    summary: 'Open tasks again that ended, with all that comes after them',
    options: [
      { flag: 'tasks', field: 'tasks', type: 'list', value: 'ID', summary: 'Only these and what comes after them' },
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
        summary: 'Only within this task and what comes after it',
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
    load: () => import('./replay.js').then((module) => module.replay as never),
  },
  {
    name: 'runs.list',
    command: 'runs list',
    group: 'Run',
    kind: 'read',
    summary: 'List what was kept before tasks were opened again',
    examples: ['troupe runs list', 'troupe runs list --json'],
    load: () => import('./runs.js').then((module) => module.runsList as never),
  },
  {
    name: 'runs.show',
    command: 'runs show',
    group: 'Run',
    kind: 'read',
    summary: 'Show what one of them opened and left',
    arguments: [RUN],
    examples: ['troupe runs show run-001', 'troupe runs show run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsShow as never),
  },
  {
    name: 'runs.diff',
    command: 'runs diff',
    group: 'Run',
    kind: 'read',
    summary: 'Compare the graph that was kept with the present one',
    arguments: [RUN],
    examples: ['troupe runs diff run-001', 'troupe runs diff run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsDiff as never),
  },
  {
    name: 'runs.restore',
    command: 'runs restore',
    group: 'Run',
    kind: 'write',
    summary: 'Put the graph back to what was kept; the present one is kept first',
    arguments: [RUN],
    options: [{ flag: 'force', field: 'force', type: 'switch', summary: 'Also while runs are under way' }],
    examples: ['troupe runs restore run-001', 'troupe runs restore run-001 --force'],
    load: () => import('./runs-restore.js').then((module) => module.runsRestore as never),
  },
];

export const KEEPING_FACES: readonly Face[] = [...STORE_FACES, ...REPLAY_FACES];
