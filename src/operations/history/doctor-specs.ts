import { PROJECTIONS } from '#core/history/projections.js';
import { operationSpecs } from '#operations/operation-spec.js';

/** Specs of the maintenance commands for the graph's files. */
export const DOCTOR_SPECS = operationSpecs([
  {
    name: 'project.doctor',
    command: 'doctor',
    group: 'Storage',
    kind: 'write',
    forRuns: 'any',
    where: 'caller',
    summary: 'Check this machine (clients, keys, git, Node) and the files of the graph',
    options: [
      { flag: 'repair', field: 'repair', type: 'switch', summary: 'Repair what can be repaired safely' },
      {
        flag: 'rebuild',
        field: 'rebuild',
        type: 'text',
        value: 'NAME',
        values: PROJECTIONS,
        summary: 'Make this again from what it follows',
      },
    ],
    examples: ['troupe doctor', 'troupe doctor --repair --json', 'troupe doctor --rebuild graph'],
    load: () => import('./doctor.js').then((module) => module.doctor),
  },
  {
    name: 'project.git-merge',
    command: 'git-merge',
    group: 'Storage',
    kind: 'write',
    forRuns: 'any',
    where: 'caller',
    summary: 'Merge three versions of graph.jsonl (called by git)',
    arguments: [
      { field: 'base', summary: 'The common ancestor', required: true },
      { field: 'ours', summary: 'Our version, which receives the result', required: true, writes: true },
      { field: 'theirs', summary: 'Their version', required: true },
    ],
    examples: ['troupe git-merge base.jsonl ours.jsonl theirs.jsonl', 'troupe git-merge %O %A %B'],
    load: () => import('./merge-driver.js').then((module) => module.gitMerge),
  },
]);
