import { describe, expect, test } from 'vitest';
import { type BackOff, ZERO_OUTPUT_TAG } from '#core/coordinator/breakers.js';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { throttle } from '#core/coordinator/throttle.js';
import { timeOf } from '#core/graph/time.js';
import { problemsOf } from '#core/insight/problems.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const MINUTE = 60_000;
const client = (id: string, taskId: string, fields: Partial<RunFact> = {}) =>
  fact(id, taskId, {
    executor: 'claude',
    startedAt: NOW - 6 * MINUTE,
    timeoutMs: 30 * MINUTE,
    leaseUntil: NOW + MINUTE,
    ...fields,
  });

verifies(
  'hold.launcher',
  'a start that fails backs off like a death; from the third in a row on it is a problem, with its reason',
  () => {
    const graph = graphOf({ id: 'a', exec: 'true' });
    const told = () => {
      const facts = { live: new Set<string>(), stalled: new Map(), unmerged: [], awaited: [], toLand: 0 };
      const rows = problemsOf(
        graph,
        { ...facts, coordination: { running: true, paused: false, alive: 0, most: 4, waitsForTrust: () => false } },
        NOW,
      );
      return rows.map(({ kind, text }) => `${kind}: ${text}`);
    };
    const pauses: number[] = [];
    let now = NOW;
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(told()).toEqual(
        attempt < 4 ? [] : [`executor: ${attempt - 1} attempts in a row could not be started: no bash`],
      );
      apply(graph, decide(snapshot(graph, { nextRun: attempt }), now));
      const run = fact(`agent-${attempt}`, 'a', {
        fence: attempt,
        alive: false,
        started: false,
        startError: 'no bash',
      });
      apply(graph, decide(snapshot(graph, { runs: [run], paused: true }), now));
      pauses.push(Math.max(0, timeOf(graph.task('a')?.ready_after) - now) / MINUTE || 0);
      now += 5 * MINUTE;
    }
    expect(pauses.slice(0, 4)).toEqual([0, 1, 2, 4]);
    expect(graph.task('a')).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining('no bash') });
  },
);

describe('silence', () => {
  verifies(
    'zero.agent',
    'a client that did nothing for five minutes is ended; shells, people and talkers are not',
    () => {
      const graph = graphOf(held('a', 'agent-1'), held('b', 'agent-2'), held('c', 'agent-3'), held('d', 'agent-4'));
      const runs = [
        client('agent-1', 'a'),
        client('agent-2', 'b', { progressAt: NOW - 5_000 }),
        client('agent-3', 'c', { startedAt: NOW - 4 * MINUTE }),
        fact('agent-4', 'd', { startedAt: NOW - 6 * MINUTE, timeoutMs: 30 * MINUTE }),
      ];
      const decisions = decide(snapshot(graph, { runs }), NOW);
      expect(said(decisions)).toEqual(['kill a agent-1']);
      expect(decisions[0]).toMatchObject({ why: 'silent' });
      const told = runs.map((run) => (run.id === 'agent-1' ? { ...run, ended: 'silent' as const } : run));
      expect(decide(snapshot(graph, { runs: told }), NOW)).toEqual([]);
    },
  );

  const ends = [
    ['whose end is on record', { code: 143 }],
    ['which was ended before it could record that', undefined],
  ] as const;
  for (const [which, exit] of ends) {
    verifies('zero.task', `one ${which} gives its task back; the second in a row fails it, with a tag`, () => {
      const graph = graphOf(held('a', 'agent-1'));
      const run = (id: string) =>
        client(id, 'a', {
          ...{ alive: false, ended: 'silent', fence: graph.task('a')?.fence ?? 1 },
          ...(exit === undefined ? {} : { exit }),
        });
      apply(graph, decide(snapshot(graph, { runs: [run('agent-1')], paused: true }), NOW));
      expect(graph.task('a')).toMatchObject({ status: 'open', silent_runs: 1 });
      expect(graph.task('a')).not.toHaveProperty('deaths');
      graph.apply({
        seq: 90,
        id: 'x',
        timestamp: '',
        op: 'x',
        patch: [{ id: 'a', set: { status: 'in-progress', assigned: 'agent-2' } }],
      });
      apply(graph, decide(snapshot(graph, { runs: [run('agent-2')], paused: true }), NOW));
      expect(graph.task('a')).toMatchObject({ status: 'failed', tags: [ZERO_OUTPUT_TAG] });
    });
  }

  verifies('zero.task', 'a run that did something in between ends the row', () => {
    const graph = graphOf(held('a', 'agent-1', { silent_runs: 1 } as never));
    const run = client('agent-1', 'a', { progressAt: NOW, alive: false, exit: { code: 1 } });
    apply(graph, decide(snapshot(graph, { runs: [run], paused: true }), NOW));
    expect(graph.task('a')).toMatchObject({ status: 'failed' });
    expect(graph.task('a')).not.toHaveProperty('silent_runs');
  });

  verifies(
    'zero.global',
    'half of them silent: nothing starts for a minute, then two, at most fifteen; a word ends it',
    () => {
      const graph = graphOf(held('a', 'agent-1'), held('b', 'agent-2'), { id: 'c', exec: 'true' });
      const runs = [
        client('agent-1', 'a', { ended: 'silent' }),
        client('agent-2', 'b', { progressAt: NOW - 10 * MINUTE }),
      ];
      const at = (now: number, backOff?: BackOff, change: Partial<RunFact> = {}) =>
        decide(
          snapshot(graph, {
            runs: runs.map((run) => ({
              ...run,
              leaseUntil: now + MINUTE,
              timeoutMs: 9e9,
              ...(run.progressAt ? change : {}),
            })),
            ...(backOff ? { backOff } : {}),
          }),
          now,
        );
      expect(at(NOW)).toMatchObject([{ do: 'back-off', backOff: { until: NOW + MINUTE, pauseMs: MINUTE } }]);
      const first = { until: NOW + MINUTE, pauseMs: MINUTE };
      expect(at(NOW + 30_000, first)).toEqual([]);
      expect(at(NOW + MINUTE, first)).toMatchObject([{ backOff: { pauseMs: 2 * MINUTE } }]);
      expect(at(NOW, { until: NOW, pauseMs: 14 * MINUTE })).toMatchObject([{ backOff: { pauseMs: 15 * MINUTE } }]);
      const single = [client('agent-1', 'a', { ended: 'silent' })];
      expect(said(decide(snapshot(graph, { runs: single }), NOW))).toEqual(['dispatch c agent-10']);
      const spoke = [client('agent-2', 'b', { progressAt: NOW + 40_000 })];
      const decisions = decide(snapshot(graph, { runs: spoke, backOff: first }), NOW + 41_000);
      expect(said(decisions)).toEqual(['back-off', 'dispatch c agent-10']);
      expect(decisions[0]).not.toHaveProperty('backOff');
      expect(said(decide(snapshot(graph, { runs: [], backOff: first }), NOW + 41_000))).toEqual([]);
    },
  );
});

describe('deaths', () => {
  verifies('throttle.rule', 'in five minutes: none, then one minute, two, four, and no more', () => {
    let deaths: readonly string[] | undefined;
    const pauses: (number | undefined)[] = [];
    for (let death = 1; death <= 5; death++) {
      const answer = throttle(deaths, NOW + death * 1_000);
      if (death === 5) expect(answer.spent).toBe(true);
      else pauses.push(answer.until === undefined ? undefined : answer.until - NOW - death * 1_000);
      deaths = answer.deaths;
    }
    expect(pauses).toEqual([undefined, MINUTE, 2 * MINUTE, 4 * MINUTE]);
    const old = [1, 2, 3, 4].map((number) => timestamp(NOW - 10 * MINUTE - number));
    expect(throttle(old, NOW)).toEqual({ deaths: [...old, timestamp(NOW)], spent: false });
    const hours = Array.from({ length: 19 }, (_, hour) => timestamp(NOW - (19 - hour) * 60 * MINUTE));
    expect(throttle(hours.slice(1), NOW).spent).toBe(false);
    expect(throttle(hours, NOW).spent).toBe(true);
    expect(throttle(7, NOW).spent).toBe(false);
  });
});

describe('leases', () => {
  verifies('lease.dead', 'past its term and the grace the task goes back, and whatever is left is ended', () => {
    const graph = graphOf(held('a', 'agent-1'));
    const run = client('agent-1', 'a', { progressAt: NOW, leaseUntil: NOW });
    expect(decide(snapshot(graph, { runs: [run], paused: true }), NOW + 30_000)).toEqual([]);
    const decisions = decide(snapshot(graph, { runs: [run], paused: true }), NOW + 30_001);
    expect(said(decisions)).toEqual(['release a agent-1']);
    apply(graph, decisions);
    expect(graph.task('a')?.status).toBe('open');
    expect(said(decide(snapshot(graph, { runs: [run], paused: true }), NOW + 30_002))).toEqual(['kill a agent-1']);
  });
});

describe('clients', () => {
  test('do what has no command, when there is one, in the order in which it became ready', () => {
    const at = (second: number) => timestamp(NOW - 60_000 + second * 1_000);
    const graph = graphOf(
      { id: 'a', created_at: at(3) },
      { id: 'b', exec: 'true', created_at: at(2) },
      { id: 'c', created_at: at(1) },
      { id: 'd', created_at: at(0), exec_mode: 'shell' },
      { id: 'e', created_at: at(0), human: true } as never,
    );
    expect(said(decide(snapshot(graph), NOW))).toEqual(['dispatch b agent-10']);
    const decisions = decide(snapshot(graph, { executor: 'claude', maxAgents: 2 }), NOW);
    expect(said(decisions)).toEqual(['dispatch c agent-10', 'dispatch b agent-11']);
    expect(decisions.map((decision) => 'executor' in decision && decision.executor)).toEqual(['claude', 'shell']);
  });

  verifies('wrap.settle', 'what the client says decides; what it used is added up on the task', () => {
    const usage = { cost_usd: 0.5, input_tokens: 100, output_tokens: 10 };
    const settle = (fields: Partial<RunFact>) => {
      const graph = graphOf(held('a', 'agent-1', { token_usage: { cost_usd: 1, input_tokens: 1 } } as never));
      const decisions = decide(
        snapshot(graph, { runs: [client('agent-1', 'a', { alive: false, ...fields })], paused: true }),
        NOW,
      );
      apply(graph, decisions);
      return { task: graph.task('a'), decisions };
    };
    const well = settle({
      exit: { code: 0 },
      result: { outcome: 'succeeded', reason: 'it said so', usage, sessionId: 's1' },
    });
    expect(well.task).toMatchObject({
      status: 'done',
      session_id: 's1',
      token_usage: { cost_usd: 1.5, input_tokens: 101, output_tokens: 10 },
    });
    expect(well.decisions[0]?.events.at(-1)).toMatchObject({
      op: 'agent_complete',
      detail: { executor: 'claude', usage },
    });
    const cutShort = settle({ exit: { code: 137 }, result: { outcome: 'succeeded', reason: 'done', usage } });
    expect(cutShort.task?.status, 'its last word was written before it was killed').toBe('done');
    const badly = settle({ exit: { code: 1 }, result: { outcome: 'failed', reason: 'the model is not known', usage } });
    expect(badly.task).toMatchObject({ status: 'failed', failure_reason: 'the model is not known' });
  });
});
