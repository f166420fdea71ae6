import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyName, memberIdOf, rebuildRegistry, renderRegistry } from '#core/squad/registry.js';
import { rebuildHistory, renderHistory } from '#core/squad/team-history.js';
import { verifies } from '../../verifies.js';

const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
const statusOf = (text: string) => rebuildRegistry(text).records.map((record) => `${record.name} ${record.status}`);

verifies('squad.rebuild.registry', 'the latest event of each name counts, case ignored', () => {
  const text = lines(
    { name: 'A1', status: 'Active' },
    { name: 'B1', status: 'Active' },
    { name: 'a1', status: 'Retired' },
  );
  expect(statusOf(text)).toEqual(['a1 Retired', 'B1 Active']);
});

verifies('squad.rebuild.registry', 'rev decides, then the time, then the event id', () => {
  const later = { name: 'Neo', status: 'Retired', rev: 3, at: '2026-01-01T00:00:00Z' };
  expect(statusOf(lines(later, { name: 'Neo', status: 'Active', rev: 2, at: '2026-09-01T00:00:00Z' }))).toEqual([
    'Neo Retired',
  ]);
  expect(statusOf(lines({ ...later, at: '2026-02-01T00:00:00Z' }, { ...later, status: 'Active' }))).toEqual([
    'Neo Retired',
  ]);
  expect(statusOf(lines({ ...later, eventId: 'b' }, { ...later, status: 'Active', eventId: 'a' }))).toEqual([
    'Neo Retired',
  ]);
  // a line without rev counts one above the line before it of the same name
  expect(
    statusOf(
      lines(
        { name: 'Neo', status: 'Active', rev: 5 },
        { name: 'neo', status: 'Retired' },
        { name: 'Neo', status: 'Active', rev: 4 },
      ),
    ),
  ).toEqual(['neo Retired']);
});

verifies('squad.rebuild.registry', 'with revs, any order of the lines rebuilds the same registry', () => {
  const events = [1, 2, 3].flatMap((rev) =>
    ['Neo', 'Trinity'].map((name) =>
      JSON.stringify({ eventId: `${name}${rev}`, name, rev, status: rev === 2 ? 'Retired' : 'Active', createdAt: 'c' }),
    ),
  );
  const wanted = renderRegistry(rebuildRegistry(events.join('\n')).records);
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      expect(renderRegistry(rebuildRegistry(shuffled.join('\n')).records)).toBe(wanted);
    }),
  );
});

verifies('squad.rebuild.tolerant', 'blank and bad lines are passed over and named; an event counts once', () => {
  const text = lines(
    { eventId: 'x', name: 'Neo', status: 'Active', previousName: 'Thomas', unknown: { kept: true } },
    '',
    'not json',
    { eventId: 'y', name: '../../etc', status: 'Active' },
    { name: 'Tank', status: 'asleep' },
    '{"__proto__":{"name":"x"},"name":"Apoc","status":"Active"}',
    { eventId: 'x', name: 'Neo', status: 'Retired' },
  );
  const registry = rebuildRegistry(text);
  expect(registry.records.map((record) => [record.name, record.status])).toEqual([['Neo', 'Active']]);
  expect(registry.badLines.map((bad) => bad.line)).toEqual([3, 4, 5, 6]);
  expect(registry.badLines[0]?.file).toBe('.squad/casting/registry.events.jsonl');
  expect(everyName(registry)).toEqual(['Neo', 'neo', 'Thomas']);
  expect(rebuildRegistry(undefined).records).toEqual([]);
});

verifies('squad.member-id', 'the id is the UUID version 5 of the slug; a line without one reads as that', () => {
  const [record] = rebuildRegistry(lines({ name: 'Neo', status: 'Active' })).records;
  expect(record?.memberId).toBe(memberIdOf('neo'));
  expect(memberIdOf('neo')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(memberIdOf('neo')).not.toBe(memberIdOf('trinity'));
});

verifies('squad.member-id', 'two first events of one name are a clash', () => {
  const first = { name: 'Neo', status: 'Active', rev: 1 };
  expect(rebuildRegistry(lines({ ...first, eventId: 'a' }, { ...first, eventId: 'b' })).clashes).toEqual(['Neo']);
  expect(rebuildRegistry(lines({ ...first, eventId: 'a' }, { ...first, eventId: 'a' })).clashes).toEqual([]);
  expect(rebuildRegistry(lines(first, { ...first, roleTitle: 'Lead' })).clashes, 'events of no id').toEqual([]);
});

verifies('squad.rebuild.history', 'universes are used in the order of time, each once', () => {
  const snapshot = (universe: string, createdAt: string) => ({
    snapshotId: universe + createdAt,
    universe,
    members: [],
    createdAt,
  });
  const text = lines(
    snapshot('Dune', '2026-03-01T00:00:00Z'),
    'junk',
    snapshot('Alien', '2026-01-01T00:00:00Z'),
    snapshot('dune', '2026-02-01T00:00:00Z'),
    snapshot('Firefly', '2026-01-01T00:00:00Z'),
  );
  const history = rebuildHistory(text);
  expect(history.usage).toEqual(['Alien', 'Firefly', 'dune']);
  expect(history.badLines).toEqual([{ file: '.squad/casting/history.events.jsonl', line: 2 }]);
  const json = JSON.parse(renderHistory(history)) as { snapshots: unknown[]; universeUsageHistory: string[] };
  expect(json.snapshots).toHaveLength(4);
  expect(json.universeUsageHistory).toEqual(history.usage);
});

test('registry.json is keyed by slug, in order, without the marks of single events', () => {
  const { records } = rebuildRegistry(
    lines({ eventId: 'e', at: 't', by: 'ann', name: 'Trinity', status: 'Active' }, { name: 'Neo', status: 'Active' }),
  );
  const { agents } = JSON.parse(renderRegistry(records)) as { agents: Record<string, object> };
  expect(Object.keys(agents)).toEqual(['neo', 'trinity']);
  expect(agents['trinity']).not.toHaveProperty('eventId');
});

verifies(
  'squad.rebuild.registry',
  'of events with one rev the later time counts, of one time the later id, in any order',
  () => {
    const of = (more: object) => ({ name: 'Neo', status: 'Active', rev: 1, createdAt: 'c', ...more });
    const pairs = [
      [
        of({ eventId: 'z', at: '2026-01-01', roleTitle: 'old' }),
        of({ eventId: 'a', at: '2026-01-02', roleTitle: 'new' }),
      ],
      [
        of({ eventId: 'a', at: '2026-01-01', roleTitle: 'old' }),
        of({ eventId: 'b', at: '2026-01-01', roleTitle: 'new' }),
      ],
      [of({ eventId: 'z', roleTitle: 'old' }), of({ eventId: 'a', at: '2026-01-01', roleTitle: 'new' })],
      [of({ at: '2026-01-01', roleTitle: 'old' }), of({ eventId: 'a', at: '2026-01-01', roleTitle: 'new' })],
    ] as const;
    for (const [earlier, later] of pairs)
      for (const events of [
        [earlier, later],
        [later, earlier],
      ])
        expect(rebuildRegistry(lines(...events)).records.map(({ roleTitle }) => roleTitle)).toEqual(['new']);
  },
);
