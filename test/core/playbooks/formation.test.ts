import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIdForm } from '#core/graph/slug.js';
import { checkedRunId, formationRunId, isRunId, placeOf, runFolder, seatTags } from '#core/playbooks/formation.js';
import { verifies } from '../../verifies.js';

const DAY = new Date('2026-11-23T10:00:00Z');

verifies('form.run-id', 'a run is called by its day, its goal and four digits, and its folder by that', () => {
  const run = formationRunId('Add CSV export to the report!', DAY, '1f0c');
  expect(run).toBe('20261123-add-csv-export-1f0c');
  expect(runFolder('crew', run)).toBe('.claude/dev-crew/runs/20261123-add-csv-export-1f0c');
  expect(runFolder('panel', run)).toBe('.claude/brainstorm-panel/runs/20261123-add-csv-export-1f0c');
  expect(runFolder('sweep', run)).toBe('.claude/research-sweep/runs/20261123-add-csv-export-1f0c');
});

verifies(
  'form.run-id',
  'whatever the goal, the name is one of a run, and with the longest seat the id of a task',
  () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(0xffff), (goal, number) => {
        const run = formationRunId(goal, DAY, number.toString(16).padStart(4, '0'));
        expect(isRunId(run), run).toBe(true);
        expect(isIdForm(`${run}-${'s'.repeat(64)}`), run).toBe(true);
      }),
    );
  },
);

test('what is no name of a run leads to no folder', () => {
  for (const text of [
    '',
    '..',
    '../../etc',
    '20261123-x',
    '20261123-a/b-1f0c',
    '20261123-a--b-1f0c',
    'x'.repeat(4_000),
  ]) {
    expect(isRunId(text), text).toBe(false);
    expect(() => checkedRunId(text)).toThrow(expect.objectContaining({ code: 'bad_input' }));
    expect(() => runFolder('crew', text)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  }
});

test('a task says by its tags which run, lane and seat it is of', () => {
  const run = '20261123-add-csv-export-1f0c';
  expect(placeOf(seatTags('crew', run, 'qa'))).toEqual({ run, lane: 'crew', seat: 'qa' });
  expect(placeOf(seatTags('sweep', run, 'scout-1'))).toEqual({ run, lane: 'research', seat: 'scout-1' });
  expect(placeOf(['formation:../x', 'lane:crew'])).toBeUndefined();
  expect(placeOf(['lane:crew'])).toBeUndefined();
  expect(placeOf([`formation:${run}`, 'lane:elsewhere'])).toEqual({ run, lane: undefined, seat: undefined });
});
