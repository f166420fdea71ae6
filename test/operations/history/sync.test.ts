import { expect, test } from 'vitest';
import { sync } from '#operations/history/sync.js';
import { world } from '../../e2e/world.js';

/** The team of a project as git sees it, and what is asked of it. */
function place(changes: readonly object[]) {
  const asked: unknown[] = [];
  const squad = {
    status: async () => ({ changes, hash: 'abc' }),
    difference: async () => ({ text: '+x', cut: true }),
    commit: async (hash: string, message: string) => {
      asked.push([hash, message]);
      return { changes, hash, commit: 'c0ffee' };
    },
  };
  const context = { ...world().context, squadSync: async () => squad as never };
  return { asked, say: (input: object) => sync.run(context, input) };
}

test('what of the team is not committed is shown, with its patch where that is asked for', async () => {
  const changes = [{ path: '.squad/team.md', kind: 'added' }];
  const { say, asked } = place(changes);
  const shown = { changes, change_set_hash: 'abc', nothing_to_sync: false };
  expect(await say({})).toEqual(shown);
  expect(await say({ diff: true })).toEqual({ ...shown, diff: '+x', diff_cut: true });
  expect(await place([]).say({})).toEqual({ changes: [], change_set_hash: 'abc', nothing_to_sync: true });
  for (const input of [{ expect: 'abc' }, { message: 'm' }])
    await expect(say(input), JSON.stringify(input)).rejects.toMatchObject({ code: 'bad_input', hint: 'Add --commit.' });
  expect(asked).toEqual([]);
});

test('exactly what was looked at is committed, under words that are a text', async () => {
  const { say, asked } = place([]);
  const done = { changes: [], change_set_hash: 'abc', nothing_to_sync: true, commit_id: 'c0ffee' };
  expect(await say({ commit: true, expect: 'abc' })).toEqual(done);
  expect(await say({ commit: true, expect: 'abc', message: 'Two of us', diff: true })).toEqual(done);
  for (const message of ['', '  \n', 'a\0b'])
    await expect(say({ commit: true, expect: 'abc', message })).rejects.toMatchObject({
      ...{ code: 'bad_input', message: 'The message is not valid text.' },
    });
  await expect(say({ commit: true })).rejects.toMatchObject({
    ...{ code: 'bad_input', message: '--commit needs the hash of the changes.' },
  });
  expect(asked).toEqual([
    ['abc', 'Update the team'],
    ['abc', 'Two of us'],
  ]);
});
