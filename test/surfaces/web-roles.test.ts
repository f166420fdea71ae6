import { expect, test } from 'vitest';
import { type LaneRow, matchingRoles, overlapText, prospectText, rolesOf } from '../../web/app/pages/roles/roles.js';

const row = (lane: LaneRow['lane'], name: string, more: Partial<LaneRow> = {}): LaneRow => ({
  ...{ lane, name, file: `.claude/roles/${lane}.md`, line: 3, role: null, status: 'probationary' },
  ...{ runs: { clean: 1, thin: 0, cuts: 0 }, clean_runs_left: 2, lesson_count: 0, fields: [] },
  ...more,
});
const core = (name: string) => ({ name, charter: `Is ${name}.`, core: 1, solo: 2, lanes: [] });

test('rows stand with the core they are linked to; a link that leads nowhere makes a role of its own', () => {
  const roles = rolesOf(
    {
      cores: [core('skeptic')],
      rows: [
        row('panel', 'doubter', { role: 'skeptic' }),
        row('research', 'skeptic', { role: 'skeptic', status: 'stable' }),
        row('crew', 'lost', { role: 'gone', fields: [{ key: 'owns', value: 'what nobody has' }] }),
      ],
    },
    [],
  );
  expect(roles.map(({ name, charter, rows }) => [name, charter, rows.map((one) => one.name)])).toEqual([
    ['lost', 'what nobody has', ['lost']],
    ['skeptic', 'Is skeptic.', ['doubter', 'skeptic']],
  ]);
  const names = (filter: object) =>
    matchingRoles(roles, { words: '', lane: '', status: '', ...filter }).map(({ name }) => name);
  expect(names({ words: 'DOUBTER is' })).toEqual(['skeptic']);
  expect(names({ lane: 'crew' })).toEqual(['lost']);
  // One row has to be both: the stable one is another than that of the panel.
  expect(names({ lane: 'panel', status: 'stable' })).toEqual([]);
  expect(names({ lane: 'research', status: 'stable' })).toEqual(['skeptic']);
  expect(
    matchingRoles(rolesOf({ cores: [core('alone')], rows: [] }, []), { words: '', lane: '', status: '' }),
  ).toHaveLength(1);
});

test('what becomes of a row, and how much two lessons share, is said in words', () => {
  expect(prospectText(row('crew', 'qa'))).toBe('Stable after 2 more clean runs.');
  expect(prospectText(row('crew', 'qa', { status: 'retired', clean_runs_left: null }))).toBe(
    'It is kept, but never seated.',
  );
  expect(prospectText(row('crew', 'qa', { status: 'stable', clean_runs_left: null }))).toBe('');
  expect([1, 0.6].map(overlapText)).toEqual(['same words', '60 % of the words']);
});
