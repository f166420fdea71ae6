import { expect } from 'vitest';
import { decide } from '#core/coordinator/decide.js';
import type { CoordinatorSnapshot } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import { fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const spent = { usdToday: 0, usdTotal: 0, tokensToday: 0, usdByTask: new Map<string, number>() };
const BOTS = {
  autoAssign: false,
  autoEvaluate: false,
  agents: new Map([['bot', { human: false, capacity: 1, executor: 'codex' }]]),
};

const LIMITS_OF_A_START: readonly [string, Partial<CoordinatorSnapshot>, object, string[]][] = [
  ['nothing holds it back', {}, {}, ['dispatch t agent-10']],
  ['no slot', { maxAgents: 1 }, {}, []],
  ['its agent has enough to do', { agency: BOTS }, { agent: 'bot' }, []],
  ['its runs died lately', {}, { ready_after: timestamp(NOW + 60_000) }, []],
  ['too many runs are silent', { backOff: { until: NOW + 1, pauseMs: 60_000 } }, {}, []],
  ['no client is trusted and there', {}, { exec: undefined, without: true }, []],
  [
    'the budget does not reach',
    { budget: { caps: { usdPerDay: 1 }, reserve: { usd: 2, tokens: 1 }, spent, reserved: new Map() } },
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
