import { expect } from 'vitest';
import { freeTeamName, nameIn } from '#core/teams/team-name.js';
import { verifies } from '../../verifies.js';

const labels = (...names: string[]) => names.map((name) => ({ id: name, name, status: 'active' as const }));

verifies(
  'team.name.auto',
  'a proposed name is one line of letters, digits, blanks, hyphens and apostrophes, or none',
  () => {
    const nameFor = (name: unknown) => nameIn(JSON.stringify({ name }));
    expect(["Ripley's Watch-2", '  Air  crew ', 'Überwachung'].map(nameFor)).toEqual([
      "Ripley's Watch-2",
      'Air crew',
      'Überwachung',
    ]);
    for (const name of ['', ' ', '- -', 'a/b', 'a:b', 'a\nb', 'a\u202eb', 'x'.repeat(41), '<b>', 7, null])
      expect(nameFor(name), String(name)).toBeUndefined();
    expect(nameIn('Sure, call it Watch')).toBeUndefined();
  },
);

verifies('team.name.auto', 'a name that is taken gets a number', () => {
  const own = { reserved: 'nostromo', own: 'me' };
  expect(freeTeamName('Watch', labels('other'), own)).toBe('Watch');
  expect(freeTeamName('Watch', labels('WATCH', 'Watch 2'), own)).toBe('Watch 3');
  expect(freeTeamName('Nostromo', [], own)).toBe('Nostromo 2');
  expect(freeTeamName('Watch', [{ id: 'me', name: 'Watch', status: 'active' }], own)).toBe('Watch');
  expect(freeTeamName('Watch', [{ id: 'x', name: 'Watch', status: 'archived' }], own)).toBe('Watch');
  const long = 'x'.repeat(40);
  expect(freeTeamName(long, labels(long), own)).toBe(`${'x'.repeat(38)} 2`);
});
