import { expect, vi } from 'vitest';
import { StepQueue } from '#kernel/step-queue.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';

verifies(
  'trees.merge-queue',
  'steps run one at a time in their order, and one that fails affects no other',
  async () => {
    const queue = new StepQueue({ width: 1, patienceMs: undefined });
    const told: string[] = [];
    const step = (name: string, fails = false) =>
      queue.run(async () => {
        told.push(`${name} begins`);
        await Promise.resolve();
        told.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const [first, second, third] = [step('a'), step('b', true), step('c')];
    await expect(second).rejects.toThrow('b');
    expect([await first, await third]).toEqual(['a', 'c']);
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  },
);

verifies(
  'fleet.lost',
  'several steps run at once, up to the width, and the next begins when one of them is over',
  async () => {
    const queue = new StepQueue({ width: 2, patienceMs: undefined });
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const step = (name: string) =>
      queue.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = ['a', 'b', 'c', 'd'].map(step);
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b']), PATIENCE);
    ends[1]?.();
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']), PATIENCE);
    for (const at of [0, 2]) ends[at]?.();
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c', 'd']), PATIENCE);
    ends[3]?.();
    await Promise.all(all);
  },
);

verifies('trees.merge-queue', 'a step that takes too long no longer delays the next', async () => {
  vi.useFakeTimers();
  const queue = new StepQueue({ width: 1, patienceMs: 1_000 });
  let release: (text: string) => void = () => undefined;
  const hangs = queue.run(
    () =>
      new Promise<string>((resolve) => {
        release = resolve;
      }),
  );
  const next = vi.fn(async () => 'next');
  const later = queue.run(next);
  await vi.advanceTimersByTimeAsync(999);
  expect(next).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await later).toBe('next');
  expect(vi.getTimerCount(), 'a step that ends leaves no timer').toBe(0);
  release('late');
  expect(await hangs).toBe('late');
  vi.useRealTimers();
});
