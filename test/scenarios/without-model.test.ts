import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, project, textOf, troupe } from './program.js';

const OPERATIONS = [
  {
    ...{
      op: 'create_tradeoff',
      name: 'Hasty',
      description: 'Soon is better than fine.',
      rationale: 'Nobody is quick.',
    },
    ...{ acceptable_tradeoffs: ['Rough edges'] },
  },
];

/** What is typed, in this order; each works without a model. */
const WORKS = (other: string, file: string): readonly string[][] => [
  ['agency', 'init'],
  ['role', 'add', 'Tester', '-d', 'Finds what breaks.', '--outcome', 'Every fault is seen.', '--skill', 'testing'],
  ['role', 'list'],
  ['role', 'show', 'Tester'],
  ['tradeoff', 'add', 'Frugal', '-d', 'Prefers little.', '--accept', 'Takes longer'],
  ['agent', 'create', 'Careful Tester', '--role', 'Tester', '--tradeoff', 'Frugal', '--capabilities', 'testing'],
  ['role', 'lineage', 'Tester'],
  ['agent', 'performance', 'Careful Tester'],
  ['match', 'first'],
  ['assign', 'first', '--auto'],
  ['config', '--auto-create', 'true'],
  ['agent', 'provide', 'second'],
  ['done', 'first'],
  ['evaluate', 'record', 'first', '--score', '0.8', '--notes', 'Good'],
  ['evaluate', 'show', 'first'],
  ['evaluate', 'run', 'first', '--dry-run'],
  ['agency', 'stats'],
  ['agency', 'remote', 'add', 'other', other],
  ['agency', 'scan', other],
  ['agency', 'pull', 'other'],
  ['agency', 'push', 'other'],
  ['evolve', 'run', '--dry-run'],
  ['evolve', 'apply', file],
  ['evolve', 'review', 'list'],
  ['evolve', 'runs'],
  ['agent', 'rm', 'Hasty Tester'],
  ['tradeoff', 'rm', 'Hasty'],
];
const NEEDS_ONE = [
  ['evaluate', 'run', 'first'],
  ['evolve', 'run'],
  ['evolve', 'run', '--replay', '2'],
];

verifies(
  'model.offline',
  'without a model all that needs none works, and what needs one says so and changes nothing',
  async () => {
    const cwd = await project();
    const other = room('other');
    await asked(['init'], { cwd: other });
    await asked(['agency', 'init'], { cwd: other });
    const file = path.join(cwd, 'operations.json');
    writeFileSync(file, JSON.stringify({ operations: OPERATIONS }));
    for (const [title, id] of [
      ['Test the parser', 'first'],
      ['Write the guide', 'second'],
    ] as const)
      await asked(['add', title, '--id', id], { cwd });
    for (const words of WORKS(other, file)) {
      const { code, stderr } = await troupe([...words, '--json'], { cwd });
      expect([code, words.join(' '), code === 0 ? '' : stderr]).toEqual([0, words.join(' '), '']);
    }
    for (const words of NEEDS_ONE) {
      const before = textOf(path.join(cwd, '.workgraph/operations.jsonl'));
      const { code, stderr } = await troupe([...words, '--json'], { cwd });
      expect([code, JSON.parse(stderr).error.code], words.join(' ')).toEqual([1, 'model_required']);
      expect(textOf(path.join(cwd, '.workgraph/operations.jsonl'))).toBe(before);
    }
  },
);
