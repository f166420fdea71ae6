import { faces } from '#operations/face.js';

// biome-ignore format: one row an operation reads best
export const SYNC_FACES = faces([
  {
    name: 'squad.sync', command: 'squad sync', group: 'Team', kind: 'write', where: 'caller',
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
