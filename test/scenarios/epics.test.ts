import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, troupe } from './program.js';

verifies('graph.parent', 'a person puts tasks together under an epic, and sees how far it is', async () => {
  const cwd = await project();
  const add = (title: string, id: string, ...more: string[]) => asked(['add', title, '--id', id, ...more], { cwd });
  await add('Web shop', 'shop');
  await add('Payment', 'pay', '--parent', 'shop');
  await add('By card', 'card', '--epic', 'pay');
  await add('Cart', 'cart');
  await asked(['edit', 'cart', '--parent', 'shop'], { cwd });
  await add('Alone', 'alone');
  await asked(['done', 'card'], { cwd });
  const printed = async (...words: string[]) => (await troupe(words, { cwd })).stdout;
  expect(await printed('list')).toMatch(
    /alone .*\nshop .*Web shop · 1 of 2 done\n {2}cart .*\n {2}pay .*Payment · 1 of 1 done\n {4}card /,
  );
  expect(await printed('list', '--parent', 'pay')).toMatch(/^ID .*\ncard .*\n$/);
  expect(await printed('show', 'shop')).toMatch(/parts +1 of 2 done: cart \(open\), pay \(open\)/);
  expect(await printed('show', 'cart')).toMatch(/part of +shop/);
  expect(await printed('status')).toMatch(/Epics\n {2}shop +Web shop +1 of 2 done\n/);
  expect(await asked(['show', 'shop'], { cwd })).toMatchObject({
    progress: { done: 1, total: 2, cost_usd: 0 },
    parts: [{ id: 'cart' }, { id: 'pay' }],
  });
  expect(await asked(['graph', 'picture'], { cwd })).toMatchObject({
    tasks: expect.arrayContaining([expect.objectContaining({ id: 'cart', epic: 'shop' })]),
  });
  expect((await troupe(['add', 'Late', '--after', 'shop', '--parent', 'shop'], { cwd })).stderr).toContain(
    'cannot be a part of shop and wait for it',
  );
  expect((await troupe(['edit', 'shop', '--parent', 'card'], { cwd })).stderr).toContain(
    'card is a part of shop already.',
  );
  expect((await troupe(['rm-dep', 'shop', 'cart'], { cwd })).stderr).toContain('troupe edit cart --clear epic');
});
