import type { Zone } from '#core/history/zone.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';

const OLDER = {
  flag: 'older',
  field: 'older',
  type: 'text',
  value: 'DURATION',
  summary: 'Only tasks that ended longer ago than this: 12h, 30d, 2w',
} as const satisfies OptionSpec;
const DRY_RUN = {
  flag: 'dry-run',
  field: 'dry_run',
  type: 'switch',
  summary: 'Show what would change, change nothing',
} as const satisfies OptionSpec;

const YES = {
  flag: 'yes',
  short: 'y',
  field: 'yes',
  type: 'switch',
  summary: 'Skip the confirmation',
} as const satisfies OptionSpec;

/** Specs of archiving, restoring, and the graph's files. */
const STORE_SPECS = operationSpecs([
  {
    name: 'archive.search',
    command: 'archive search',
    group: 'History',
    kind: 'read',
    summary: 'Search the archived tasks',
    arguments: [
      {
        field: 'query',
        summary: 'Words that must all occur in id, title, description, tags or artifacts',
        required: true,
      },
    ],
    options: [
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'Maximum number of tasks (default: 20)' },
    ],
    examples: ['troupe archive search parser', 'troupe archive search "write draft" --limit 5 --json'],
    load: () => import('./archive.js').then((module) => module.archiveSearch),
  },
  {
    name: 'archive.restore',
    command: 'archive restore',
    group: 'History',
    kind: 'write',
    summary: 'Restore archived or removed tasks',
    arguments: [{ field: 'ids', summary: 'The tasks', names: 'task', required: true, many: true }],
    options: [
      {
        flag: 'reopen',
        field: 'reopen',
        type: 'switch',
        summary: 'Reopen them, without the state of their last attempt',
      },
    ],
    examples: ['troupe archive restore write-the-parser', 'troupe archive restore write-the-parser --reopen'],
    load: () => import('./archive.js').then((module) => module.archiveRestore),
  },
  {
    name: 'archive.move',
    command: 'archive',
    group: 'History',
    kind: 'write',
    summary: 'Archive done and abandoned tasks that nothing active depends on',
    arguments: [{ field: 'ids', summary: 'Only these (default: all eligible)', many: true }],
    options: [
      OLDER,
      DRY_RUN,
      YES,
      { flag: 'list', field: 'list', type: 'switch', summary: 'List the archived tasks instead' },
      { flag: 'undo', field: 'undo', type: 'switch', summary: 'Undo the last archiving' },
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
    arguments: [{ field: 'ids', summary: 'Only these (default: all eligible)', many: true }],
    options: [
      { flag: 'include-done', field: 'include_done', type: 'switch', summary: 'Include done tasks' },
      OLDER,
      DRY_RUN,
      YES,
      { flag: 'list', field: 'list', type: 'switch', summary: 'List the removed tasks that can be restored' },
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
    summary: 'Rotate the log now; this happens automatically at 10 MB',
    examples: ['troupe rotate', 'troupe rotate --json'],
    load: () => import('./store-files.js').then((module) => module.rotate),
  },
  {
    name: 'store.rebuild',
    command: 'rebuild',
    group: 'Storage',
    kind: 'read',
    where: 'caller',
    summary: 'Rebuild the graph from the log, as of now or of an earlier point',
    options: [
      { flag: 'at', field: 'at', type: 'text', value: 'SEQ|TIME', summary: 'As of this entry or time' },
      {
        flag: 'output',
        short: 'o',
        field: 'output',
        type: 'text',
        value: 'FILE',
        path: 'always',
        writes: true,
        summary: 'Output file (default: -, standard output)',
      },
      REPLACE,
    ],
    examples: ['troupe rebuild -o -', 'troupe rebuild --at 2026-03-21T10:00:00Z -o then.jsonl'],
    load: () => import('./store-files.js').then((module) => module.rebuild),
  },
]);

const RUN = { field: 'id', summary: 'The run', required: true } as const;

/** Specs of replays and their snapshots. */
const REPLAY_SPECS = operationSpecs([
  {
    name: 'replay.run',
    command: 'replay',
    group: 'History',
    kind: 'write',
    forRuns: 'any',
    summary: 'Reopen ended tasks and everything that depends on them',
    options: [
      {
        flag: 'tasks',
        field: 'tasks',
        type: 'list',
        value: 'ID',
        names: 'task',
        summary: 'Only these and what depends on them',
      },
      { flag: 'failed-only', field: 'failed_only', type: 'switch', summary: 'Only failed or abandoned tasks' },
      {
        flag: 'below-score',
        field: 'below_score',
        type: 'number',
        value: 'S',
        summary: 'Only tasks with a lower score',
      },
      {
        flag: 'subgraph',
        field: 'subgraph',
        type: 'text',
        value: 'ID',
        summary: 'Only this task and its dependents',
      },
      {
        flag: 'keep-done',
        field: 'keep_done',
        type: 'number',
        value: 'S',
        summary: 'Keep done tasks with at least this score (default: 0.9)',
      },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model for the new attempts' },
      { flag: 'plan-only', field: 'plan_only', type: 'switch', summary: 'Show what would be reopened, change nothing' },
    ],
    examples: ['troupe replay --failed-only --plan-only', 'troupe replay --tasks write-the-parser --model opus'],
    load: () => import('./replay.js').then((module) => module.replay),
  },
  {
    name: 'runs.list',
    command: 'runs list',
    group: 'History',
    kind: 'read',
    summary: 'List the graph snapshots taken before replays',
    examples: ['troupe runs list', 'troupe runs list --json'],
    load: () => import('./runs.js').then((module) => module.runsList),
  },
  {
    name: 'runs.show',
    command: 'runs show',
    group: 'History',
    kind: 'read',
    summary: 'Show which tasks a replay reopened or kept',
    arguments: [RUN],
    examples: ['troupe runs show run-001', 'troupe runs show run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsShow),
  },
  {
    name: 'runs.diff',
    command: 'runs diff',
    group: 'History',
    kind: 'read',
    summary: 'Compare a graph snapshot with the current graph',
    arguments: [RUN],
    examples: ['troupe runs diff run-001', 'troupe runs diff run-001 --json'],
    load: () => import('./runs.js').then((module) => module.runsDiff),
  },
  {
    name: 'runs.restore',
    command: 'runs restore',
    group: 'History',
    kind: 'write',
    summary: 'Restore a graph snapshot; the current graph is saved first',
    arguments: [RUN],
    options: [{ flag: 'force', field: 'force', type: 'switch', summary: 'Even while runs are active' }],
    examples: ['troupe runs restore run-001', 'troupe runs restore run-001 --force'],
    load: () => import('./runs.js').then((module) => module.runsRestore),
  },
]);

export const ARCHIVE_SPECS = [...STORE_SPECS, ...REPLAY_SPECS];

/** Specs of history and trace transfer. All of them access files on the caller's machine. */
export const TRACE_SPECS = operationSpecs([
  {
    name: 'task.attempts',
    command: 'task attempts',
    group: 'Attempts',
    kind: 'read',
    summary: 'List the runs of a task: time, outcome, turns, tokens and cost',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    examples: ['troupe task attempts run-the-tests', 'troupe task attempts write-the-parser --json'],
    load: () => import('./attempts.js').then((module) => module.taskAttempts),
  },
  {
    name: 'trace.show',
    command: 'trace show',
    group: 'History',
    kind: 'read',
    where: 'caller',
    summary: 'Show the history of a task: operations, runs, times',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'full', field: 'full', type: 'switch', summary: 'Include the output of its runs' },
      { flag: 'ops-only', field: 'ops_only', type: 'switch', summary: 'Only the operations' },
      {
        flag: 'recursive',
        field: 'recursive',
        type: 'switch',
        summary: 'Include everything that grew from it, as a tree',
      },
      { flag: 'timeline', field: 'timeline', type: 'switch', summary: 'Show what ran in parallel, as lanes' },
      { flag: 'graph', field: 'graph', type: 'switch', summary: 'Show the tasks around it, layer by layer' },
      { flag: 'at', field: 'at', type: 'number', value: 'SEQ', summary: 'As of this event' },
      { flag: 'animate', field: 'animate', type: 'switch', summary: 'Play it back, event by event' },
      {
        flag: 'speed',
        field: 'speed',
        type: 'number',
        value: 'N',
        summary: 'With --animate: speed factor (default: 10)',
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
    summary: 'Export what happened to a file for others',
    options: [
      {
        flag: 'visibility',
        field: 'visibility',
        type: 'text',
        value: 'ZONE',
        values: ['internal', 'peer', 'public'] satisfies Zone[],
        summary: 'Who will see it: internal (everything), peer or public (required)',
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
        summary: 'Output file (default: standard output)',
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
    summary: 'Import a trace from others, beside the graph; nothing in it runs',
    arguments: [{ field: 'file', summary: 'The exported file', required: true }],
    options: [
      {
        flag: 'from',
        field: 'from',
        type: 'text',
        value: 'PEER',
        summary: 'The file is in this project, one of `agency remote list`',
      },
      {
        flag: 'source',
        field: 'source',
        type: 'text',
        value: 'TAG',
        summary: 'Its source (default: the remote or file name); replaces an earlier import of it',
      },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only check it' },
    ],
    examples: ['troupe trace import trace.json --dry-run', 'troupe trace import trace.json --from shared'],
    load: () => import('./trace-files.js').then((module) => module.traceImport),
  },
]);

// biome-ignore format: one row an operation reads best
export const SYNC_SPECS = operationSpecs([
  {
    name: 'squad.sync', command: 'squad sync', group: 'Members', kind: 'write', where: 'caller',
    summary: 'Show uncommitted team changes; with --commit, commit just those',
    options: [
      { flag: 'commit', field: 'commit', type: 'switch', summary: 'Commit the shown changes' },
      { flag: 'expect', field: 'expect', type: 'text', value: 'HASH', summary: 'The hash of the shown changes' },
      { flag: 'message', short: 'm', field: 'message', type: 'text', value: 'TEXT', summary: 'The commit message' },
      { flag: 'diff', field: 'diff', type: 'switch', summary: 'Show the changes line by line' },
    ],
    examples: ['troupe squad sync', 'troupe squad sync --commit --expect 3f9a21 -m "Cast the team"'],
    load: () => import('./sync.js').then((module) => module.sync),
  },
]);
