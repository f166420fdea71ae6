import { SHOWN_STATES } from '#core/graph/status-look.js';
import { faces, type OptionFace } from '#operations/face.js';

export const OUTPUT_OPTIONS = [
  { flag: 'bytes', field: 'bytes', type: 'number', value: 'N', summary: 'How much of the end to show' },
  { flag: 'raw', field: 'raw', type: 'switch', summary: 'As it was printed: of a client its own lines' },
] as const satisfies readonly OptionFace[];

// biome-ignore format: one row an operation reads best
export const STATUS_FACES = faces([
  {
    name: 'status.now', command: 'status', group: 'Run', kind: 'read',
    summary: 'What needs you, what is running, what comes next',
    examples: ['troupe status', 'troupe status --json'],
    load: () => import('./now.js').then((module) => module.statusNow),
  },
  {
    name: 'status.work', command: 'status work', group: 'Run', kind: 'read',
    summary: 'Who is at work, on what, for how much: what `troupe top` draws',
    examples: ['troupe status work', 'troupe status work --json'],
    load: () => import('./work.js').then((module) => module.statusWork),
  },
  {
    name: 'graph.picture', command: 'graph picture', group: 'Run', kind: 'read',
    summary: 'The tasks and their edges with everything a drawing of them needs',
    options: [
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N tasks beside those that are held up, unfinished ones first' },
      { flag: 'search', field: 'search', type: 'text', value: 'WORDS', summary: 'Only tasks with these words in title, id or member' },
      { flag: 'state', field: 'state', type: 'list', value: 'STATE', summary: `Only tasks shown as one of ${SHOWN_STATES.join(', ')}` },
    ],
    examples: ['troupe graph picture --json', 'troupe graph picture --limit 100 --json'],
    load: () => import('./status-picture.js').then((module) => module.graphPicture),
  },
  {
    name: 'task.output', command: 'task output', group: 'Run', kind: 'read',
    summary: 'What `troupe output` shows, once',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    options: OUTPUT_OPTIONS,
    examples: ['troupe task output lint --json', 'troupe task output lint --raw --bytes 2000'],
    load: () => import('./output.js').then((module) => module.taskOutput),
  },
]);
