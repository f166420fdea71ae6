import { describe, expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const DAY = 24 * 60 * 60_000;

describe('a clock that jumps', () => {
  const running = () => graphOf(held('a', 'agent-1'), { id: 'b', exec: 'true' });
  const client = { executor: 'claude', progressAt: NOW, leaseUntil: NOW + 60_000, timeoutMs: 2 * DAY };

  test('back: what runs goes on, what is ready starts once, nobody is ended', () => {
    for (const run of [fact('agent-1', 'a'), fact('agent-1', 'a', client)]) {
      expect(said(decide(snapshot(running(), { runs: [run] }), NOW - DAY))).toEqual(['dispatch b agent-10']);
    }
  });

  test('back: a pause that was to last a minute does not last a day', () => {
    const backOff = { until: NOW + DAY, pauseMs: 60_000 };
    expect(said(decide(snapshot(running(), { runs: [fact('agent-1', 'a')], backOff }), NOW))).toContain(
      'dispatch b agent-10',
    );
    const fresh = { until: NOW + 30_000, pauseMs: 60_000 };
    expect(said(decide(snapshot(running(), { runs: [fact('agent-1', 'a')], backOff: fresh }), NOW))).not.toContain(
      'dispatch b agent-10',
    );
  });

  test('forward: a run that is seen to be at work now keeps its task', () => {
    const seen = fact('agent-1', 'a', { ...client, progressAt: NOW + DAY, leaseUntil: NOW + DAY + 60_000 });
    // By the clock it has worked for a day without leaving word: it is asked how far it came, and goes on.
    expect(said(decide(snapshot(running(), { runs: [seen] }), NOW + DAY))).toEqual([
      'checkpoint a agent-1',
      'dispatch b agent-10',
    ]);
  });
});
