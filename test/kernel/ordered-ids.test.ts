import { expect, test } from 'vitest';
import { compareText } from '#kernel/order.js';
import { OrderedIds } from '#kernel/ordered-ids.js';
import { randomFrom } from '#kernel/random.js';

test('ids are in order whatever comes and goes, and copies go their own way', () => {
  const random = randomFrom(7);
  const below = (most: number) => Math.floor(random() * most);
  let model = new Map<string, number>(Array.from({ length: 2_000 }, (_, number) => [`t${number}`, below(300)]));
  let list = new OrderedIds([...model].map(([id, at]) => ({ id, at })));
  const kept: { model: Map<string, number>; list: OrderedIds }[] = [];
  const expected = (of: Map<string, number>, after = -1) =>
    [...of]
      .filter(([, at]) => at > after)
      .sort(([left, one], [right, other]) => one - other || compareText(left, right))
      .map(([id]) => id);
  for (let step = 0; step < 6_000; step++) {
    const id = `t${below(4_000)}`;
    const at = model.get(id);
    if (at === undefined) {
      const next = below(300);
      model.set(id, next);
      list.add({ id, at: next });
    } else {
      model.delete(id);
      list.remove({ id, at });
      list.remove({ id, at }); // nothing is there any more
    }
    if (step % 1_000 === 500) {
      kept.push({ model, list });
      [model, list] = [new Map(model), list.fork()];
    }
  }
  for (const { model: of, list: own } of [...kept, { model, list }]) {
    expect([...own.ids()]).toEqual(expected(of));
    for (const after of [-1, 0, 150, 299, 300]) expect([...own.ids(after)], String(after)).toEqual(expected(of, after));
  }
  const empty = new OrderedIds();
  empty.remove({ id: 'a', at: 1 });
  expect([...empty.ids()]).toEqual([]);
});
