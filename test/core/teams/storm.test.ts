import { expect } from 'vitest';
import { admitWakeUps, wakeUpLimitNotice } from '#core/teams/storm.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { verifies } from '../../verifies.js';

verifies(
  'team.storm',
  'a chain is so deep, a turn calls so many, and all of it is so long; then nobody is called',
  () => {
    expect([
      TALK_LIMITS.stormDepth,
      TALK_LIMITS.stormWakeUpsPerTurn,
      TALK_LIMITS.stormActivations,
      TALK_LIMITS.stormRunMs,
    ]).toEqual([...[6, 5, 32, 600_000]]);
    const five = ['a', 'b', 'c', 'd', 'e'];
    const fresh = { depth: 0, wakeUps: 0, activations: 0 };
    expect(admitWakeUps(five, fresh)).toEqual({ members: five, limit: undefined });
    expect(admitWakeUps(five, { ...fresh, depth: 5 })).toEqual({ members: five, limit: undefined });
    expect(admitWakeUps(five, { ...fresh, depth: 6 })).toEqual({ members: [], limit: 'depth' });
    expect(admitWakeUps(five, { ...fresh, wakeUps: 3 })).toEqual({ members: ['a', 'b'], limit: 'wake-ups' });
    expect(admitWakeUps(five, { ...fresh, activations: 31 })).toEqual({ members: ['a'], limit: 'activations' });
    expect(admitWakeUps(five, { ...fresh, activations: 40, wakeUps: 5 })).toEqual({
      members: [],
      limit: 'activations',
    });
    const tie = { ...fresh, wakeUps: 4, activations: 31 };
    expect(admitWakeUps(five, tie), 'the nearer bound is said first').toEqual({ members: ['a'], limit: 'wake-ups' });
    expect(admitWakeUps([], { depth: 9, wakeUps: 9, activations: 99 })).toEqual({ members: [], limit: undefined });
    for (const limit of ['depth', 'wake-ups', 'activations'] as const)
      expect(wakeUpLimitNotice(limit)).toContain('stay unread');
  },
);
