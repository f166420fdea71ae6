import { faces } from '#operations/face.js';

/** Looking after the files of the graph, as seen from outside. */
export const CARE_FACES = faces([
  {
    name: 'project.doctor',
    command: 'doctor',
    group: 'Data',
    kind: 'write',
    forRuns: 'any',
    where: 'caller',
    summary: 'Check that the files of the graph are sound and agree',
    options: [{ flag: 'repair', field: 'repair', type: 'switch', summary: 'Put right what can be proved' }],
    examples: ['troupe doctor', 'troupe doctor --repair --json'],
    load: () => import('./doctor.js').then((module) => module.doctor),
  },
  {
    name: 'project.git-merge',
    command: 'git-merge',
    group: 'Data',
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
    load: () => import('./git-merge.js').then((module) => module.gitMerge),
  },
]);
