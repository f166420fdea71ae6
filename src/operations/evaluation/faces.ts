import type { Face } from '#operations/face.js';
import { ACTOR } from '#operations/graph/options.js';

/** Scores that come from outside. */
export const EVALUATION_FACES: readonly Face[] = [
  {
    name: 'evaluation.record',
    command: 'evaluate record',
    group: 'Learn',
    kind: 'write',
    forRuns: 'any',
    summary: 'Record a score that somebody or something outside gave a task',
    arguments: [{ field: 'id', summary: 'The task; --task says it too' }],
    options: [
      { flag: 'task', field: 'id', type: 'text', value: 'ID', summary: 'The task' },
      { flag: 'score', field: 'score', type: 'number', value: 'S', summary: 'From 0 to 1; must be said' },
      {
        flag: 'source',
        field: 'source',
        type: 'text',
        value: 'TAG',
        summary: 'Where it comes from, such as ci:unit (default: you)',
      },
      {
        flag: 'dimension',
        aliases: ['dim'],
        field: 'dimensions',
        type: 'each',
        value: 'NAME=S',
        summary: 'Also kept: correctness, completeness, efficiency or style_adherence, from 0 to 1',
      },
      {
        flag: 'id',
        field: 'evaluation_id',
        type: 'text',
        value: 'ID',
        summary: 'What the evaluation is called: one that is there already is answered, and nothing changes',
      },
      { flag: 'notes', field: 'notes', type: 'text', value: 'TEXT', summary: 'Why' },
      ACTOR,
    ],
    examples: [
      'troupe evaluate record run-the-tests --score 1 --source ci:unit',
      'troupe evaluate record write-the-parser --score 0.7 --dimension correctness=0.9 --notes "too slow"',
    ],
    load: () => import('./record.js').then((module) => module.evaluationRecord as never),
  },
  {
    name: 'evaluation.run',
    command: 'evaluate run',
    group: 'Learn',
    kind: 'write',
    forRuns: 'any',
    summary: 'Have a model score a task; where there is none, it says so and changes nothing',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    options: [
      {
        flag: 'evaluator-model',
        field: 'evaluator_model',
        type: 'text',
        value: 'MODEL',
        summary: 'Which model judges',
      },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Print what it would be asked, and ask nobody' },
      { flag: 'flip', field: 'flip', type: 'switch', summary: 'Also score what task the output seems to be of' },
    ],
    examples: ['troupe evaluate run run-the-tests', 'troupe evaluate run run-the-tests --dry-run'],
    load: () => import('./run.js').then((module) => module.evaluationRun as never),
  },
  {
    name: 'evaluation.show',
    command: 'evaluate show',
    group: 'Learn',
    kind: 'read',
    summary: 'Show the scores of a task, or of all, newest first',
    arguments: [{ field: 'id', summary: 'A task, or one evaluation (default: all)' }],
    options: [
      { flag: 'task', field: 'task', type: 'text', value: 'ID', summary: 'Of this task' },
      { flag: 'agent', field: 'agent', type: 'text', value: 'AGENT', summary: 'Of tasks that were for this agent' },
      { flag: 'source', field: 'source', type: 'text', value: 'GLOB', summary: 'From sources like this, such as ci:*' },
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most so many (default: 50)' },
    ],
    examples: ['troupe evaluate show run-the-tests', 'troupe evaluate show --source "ci:*" --limit 10 --json'],
    load: () => import('./show.js').then((module) => module.evaluationShow as never),
  },
];
