import { expect, onTestFinished, test, vi } from 'vitest';
import { waitAtMost } from '#kernel/wait-at-most.js';

test('work is waited for, but not beyond the time; its error is told, and no timer is left', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await waitAtMost(1_000, Promise.resolve());
  await expect(waitAtMost(1_000, Promise.reject(new Error('odd')))).rejects.toThrow('odd');
  expect(vi.getTimerCount()).toBe(0);
  let isOver = false;
  const late = waitAtMost(1_000, new Promise(() => undefined)).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await late;
});
