import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { committedIn, withChangeMark } from '#operations/change-mark.js';
import type { Context } from '#operations/operation.js';
import { verifies } from '../verifies.js';

const event = (op: string) => ({ op, actor: 'ann', detail: { role: 'qa' }, patch: [] });

verifies('one.commit', 'the first event of a change has its name, the others stay as they are', () => {
  const [one, two] = [event('one'), event('two')];
  expect(withChangeMark([one, two], 'c1')).toEqual([{ ...one, detail: { role: 'qa', change: 'c1' } }, two]);
  const bare = { op: 'one', actor: 'ann', patch: [] };
  expect(withChangeMark([bare], 'c1')).toEqual([{ ...bare, detail: { change: 'c1' } }]);
  expect(withChangeMark([one, two], ''), 'a change of no file has none').toEqual([one, two]);
  expect(withChangeMark([], 'c1')).toEqual([]);
});

verifies('one.commit', 'a change is committed when an entry after its position has its name', async () => {
  const log = ['c1', undefined, 'c2'].map((change, index) => ({ seq: index + 1, detail: change && { change } }));
  const store = {
    async *entries(from: number) {
      yield* log.filter(({ seq }) => seq >= from);
    },
  };
  const committed = committedIn({ graph: async () => store } as unknown as Pick<Context, 'graph'>);
  expect([await committed('c2', 0), await committed('c2', 2), await committed('c2', 3)]).toEqual([true, true, false]);
  expect([await committed('c1', 0), await committed('c1', 1), await committed('c3', 0)]).toEqual([true, false, false]);
  const bare = committedIn({ graph: () => Promise.reject(new TroupeError('not_initialized')) });
  expect(await bare('c1', 0), 'where there is no log its record commits it').toBe(true);
});
