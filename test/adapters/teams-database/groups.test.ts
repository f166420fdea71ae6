import { expect } from 'vitest';
import { emptied, inGroups } from '#adapters/teams-database/table-copy.js';
import type { KeptRow } from '#ports/storage.js';
import { verifies } from '../../verifies.js';

verifies('fleet.db', 'rows are copied a table at a time, at most two hundred together', async () => {
  const groupsOf = async (...tables: readonly string[]) => {
    const rows = tables.map((table, number) => ({ table, values: { number } }) as unknown as KeptRow);
    const groups: (readonly KeptRow[])[] = [];
    const stream = (async function* () {
      yield* rows;
    })();
    for await (const group of inGroups(stream)) groups.push(group);
    expect(groups.flat()).toEqual(rows);
    return groups.map((group) => [group[0]?.table, group.length]);
  };
  expect(await groupsOf()).toEqual([]);
  expect(await groupsOf('teams', 'teams', 'messages', 'teams')).toEqual([
    ['teams', 2],
    ['messages', 1],
    ['teams', 1],
  ]);
  const many = Array.from({ length: 401 }, () => 'teams');
  expect(await groupsOf(...many.slice(0, 200))).toEqual([['teams', 200]]);
  expect(await groupsOf(...many)).toEqual([
    ['teams', 200],
    ['teams', 200],
    ['teams', 1],
  ]);
});

verifies('fleet.db', 'tables are emptied before those that they refer to', () => {
  const texts: string[] = [];
  const statements = emptied();
  for (let next = statements.next(); !next.done; next = statements.next([])) texts.push(next.value.text.join(''));
  const at = (table: string) => texts.indexOf(`DELETE FROM ${table}`);
  for (const [table, other] of [
    ['members', 'teams'],
    ['messages', 'conversations'],
    ['recipients', 'messages'],
    ['participants', 'sessions'],
    ['turns', 'sessions'],
  ] as const)
    expect([at(table) >= 0, at(table) < at(other)], table).toEqual([true, true]);
});
