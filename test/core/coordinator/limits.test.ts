import { describe, expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { REST } from '#core/coordinator/sessions.js';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { type Fields, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const spent = NOTHING_SPENT;
const BOT = { human: false, capacity: 1, executor: 'codex' };
const BOTS = {
  autoAssign: false,
  autoEvaluate: false,
  agents: new Map([['bot', BOT]]),
};

const LIMITS_OF_A_START: readonly [string, Fields, object, string[]][] = [
  ['nothing holds it back', {}, {}, ['dispatch t agent-10']],
  ['no slot', { maxAgents: 1 }, {}, []],
  ['its agent has enough to do', { agency: BOTS }, { agent: 'bot' }, []],
  ['its runs died lately', {}, { ready_after: timestamp(NOW + 60_000) }, []],
  ['too many runs are silent', { backOff: { until: NOW + 1, pauseMs: 60_000 } }, {}, []],
  ['no client is trusted and there', {}, { exec: undefined, without: true }, []],
  [
    'the budget does not reach',
    { budget: { caps: { usdPerDay: 0.04 }, reserve: { usd: 2, tokens: 1 }, spent, reserved: new Map() } },
    {},
    [],
  ],
];

for (const [name, picture, fields, wanted] of LIMITS_OF_A_START) {
  verifies('dispatch.limits', name, () => {
    const { without, ...task } = fields as { without?: boolean };
    const graph = graphOf({ ...held('h', 'agent-1'), agent: 'bot' }, { id: 't', ...task });
    const common = { runs: [fact('agent-1', 'h', { progressAt: NOW })], maxAgents: 4 };
    const client = without ? {} : { executor: 'claude' };
    expect(said(decide(snapshot(graph, { ...common, ...client, ...picture }), NOW))).toEqual(wanted);
  });
}

verifies('dispatch.limits', 'who waits for a full agent keeps nobody else from a slot', () => {
  const waiting = Array.from({ length: 6 }, (_, number) => ({ id: `b${number}`, agent: 'bot' }));
  const graph = graphOf({ ...held('h', 'agent-1'), agent: 'bot' }, ...waiting, { id: 'z' });
  const picture = { runs: [fact('agent-1', 'h')], maxAgents: 3, executor: 'claude', agency: BOTS };
  expect(said(decide(snapshot(graph, picture), NOW))).toEqual(['dispatch z agent-10']);
});

describe('so many and no more, and not one less', () => {
  const open = (...ids: string[]) => ids.map((id) => ({ id, tags: ['web'] }));
  const forBot = (...ids: string[]) => ids.map((id) => ({ id, agent: 'bot' }));
  const started = (fields: Fields, ...tasks: (TaskFields & { id: string })[]) =>
    said(decide(snapshot(graphOf(...tasks), { executor: 'claude', nextRun: 2, ...fields }), NOW)).length;
  const busy = [fact('agent-1', 'h', { progressAt: NOW, executor: 'claude' })];
  const one = held('h', 'agent-1', { tags: ['web'] });

  verifies('dispatch.limits', 'slots, with one taken and with none', () => {
    expect(started({ maxAgents: 3 }, ...open('a', 'b', 'c', 'd'))).toBe(3);
    expect(started({ maxAgents: 3, runs: busy }, one, ...open('a', 'b', 'c'))).toBe(2);
    expect(started({ maxAgents: 1, runs: busy }, one, ...open('a'))).toBe(0);
  });

  verifies('dispatch.limits', 'what an agent takes at once', () => {
    const agents = (capacity: number) => ({ ...BOTS, agents: new Map([['bot', { ...BOT, capacity }]]) });
    expect(started({ maxAgents: 9, agency: agents(2) }, ...forBot('a', 'b', 'c'))).toBe(2);
    expect(
      started({ maxAgents: 9, runs: busy, agency: agents(2) }, { ...one, agent: 'bot' }, ...forBot('a', 'b', 'c')),
    ).toBe(1);
  });

  verifies('dispatch.limits', 'what a session has at once', () => {
    const session = { ...REST, id: 1, name: 'web', scope: { tags: ['web'], roots: [] }, max_agents: 2 };
    const sessions = [REST, session];
    expect(started({ maxAgents: 9, sessions }, ...open('a', 'b', 'c'))).toBe(2);
    expect(started({ maxAgents: 9, sessions, runs: busy }, one, ...open('a', 'b', 'c'))).toBe(1);
  });

  verifies('dispatch.limits', 'a run that parked its task takes no slot, of nobody', () => {
    const parked = { ...one, status: 'waiting' as const, wait_condition: { mode: 'message' } };
    const session = { ...REST, id: 1, name: 'web', scope: { tags: ['web'], roots: [] }, max_agents: 1 };
    expect(started({ maxAgents: 1, runs: busy }, parked as never, ...open('a', 'b'))).toBe(1);
    expect(started({ maxAgents: 9, runs: busy, sessions: [REST, session] }, parked as never, ...open('a', 'b'))).toBe(
      1,
    );
    expect(
      started({ maxAgents: 9, runs: busy, agency: BOTS }, { ...parked, agent: 'bot' } as never, ...forBot('a', 'b')),
    ).toBe(1);
  });
});
