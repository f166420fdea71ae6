import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeoutOf } from '#core/coordinator/dispatch.js';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { retryTask } from '#core/graph/moves.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { commit } from '../graph/graph.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

describe('what became of a run', () => {
  /** One held task, one run, one tick. */
  function settle(fields: Partial<RunFact>, task: TaskFields = {}) {
    const graph = graphOf(held('a', 'agent-1', task));
    const decisions = decide(snapshot(graph, { runs: [fact('agent-1', 'a', fields)], paused: true }), NOW);
    apply(graph, decisions);
    return { graph, decisions, task: graph.task('a') };
  }
  const exit = (code: number) => ({ alive: false, exit: { code, durationMs: 1_200 } });

  verifies('wrap.settle', 'exit 0 is done, anything else failed with its code', () => {
    const well = settle(exit(0));
    expect(well.task).toMatchObject({ status: 'done', assigned: 'agent-1' });
    expect(well.decisions[0]).toMatchObject({ do: 'settle-exit', outcome: 'done' });
    expect(well.decisions[0]?.events.map((event) => event.op)).toEqual(['done', 'agent_complete']);
    expect(well.decisions[0]?.events[0]?.detail).toEqual({ run: 'agent-1', exit_code: 0, ms: 1_200 });
    expect(settle(exit(3)).task).toMatchObject({
      status: 'failed',
      failure_reason: 'Command exited with code 3',
      retry_count: 1,
    });
  });

  verifies('wrap.settle', 'a predecessor opened again meanwhile undoes nothing and stops no tick', () => {
    const graph = graphOf(held('a', 'agent-1', { after: ['b'] }), { id: 'b' });
    const decisions = decide(
      snapshot(graph, { runs: [fact('agent-1', 'a', { alive: false, exit: { code: 0 } })], paused: true }),
      NOW,
    );
    apply(graph, decisions);
    expect(graph.task('a')?.status).toBe('done');
  });

  verifies('wrap.settle', 'a run whose task moved on changes nothing but is completed', () => {
    for (const moved of [{ fence: 2, assigned: 'agent-2' }, { status: 'done' as const }, { status: 'open' as const }]) {
      const { task, decisions } = settle(exit(0), moved);
      expect(task).toMatchObject(moved);
      expect(decisions[0]).toMatchObject({ outcome: 'kept' });
      expect(decisions[0]?.events.map((event) => event.op)).toEqual(['agent_complete']);
    }
  });

  verifies('wrap.timeout', 'past its time it is told to end, once, and then failed with the reason', () => {
    const late = { startedAt: NOW - 60_001 };
    expect(settle(late).decisions).toMatchObject([{ do: 'kill', why: 'timeout', events: [] }]);
    expect(settle({ startedAt: NOW - 60_000 }).decisions).toEqual([]);
    expect(settle({ ...late, ended: 'timeout' }).decisions).toEqual([]);
    const reason = 'Agent exceeded hard timeout (1m)';
    for (const end of [exit(143), exit(0), { alive: false }]) {
      expect(settle({ ...late, ...end, ended: 'timeout' }).task).toMatchObject({
        status: 'failed',
        failure_reason: reason,
      });
    }
  });

  test('a run that prints without end is ended', () => {
    expect(settle({ outputBytes: WORK_LIMITS.outputBytes + 1 }).decisions).toMatchObject([
      { do: 'kill', why: 'output' },
    ]);
    expect(settle({ ...exit(143), ended: 'output' }).task?.failure_reason).toMatch(/output file/);
  });

  test('a stopped run gives its task back, however it ended', () => {
    for (const end of [exit(143), { alive: false }]) {
      const { task } = settle({ ...end, ended: 'stopped' });
      expect(task?.status).toBe('open');
      expect(task?.assigned).toBeUndefined();
      expect(fieldsOf(task)['deaths']).toBeUndefined();
    }
  });

  verifies('coord.tick.reap', 'a living run whose task is terminal or elsewhere is told to end', () => {
    for (const moved of [
      { status: 'abandoned' as const },
      { status: 'open' as const },
      { fence: 2 },
      { assigned: 'ann' },
    ]) {
      expect(settle({}, moved).decisions).toMatchObject([{ do: 'kill', why: 'superseded' }]);
    }
  });

  verifies(
    'crash.service-claimed',
    'claimed and never begun: open again, uncounted, dispatched in the same pass',
    () => {
      const graph = graphOf(held('a', 'agent-1'));
      const decisions = decide(
        snapshot(graph, { runs: [fact('agent-1', 'a', { alive: false, started: false })] }),
        NOW,
      );
      expect(said(decisions)).toEqual(['mark-dead a agent-1', 'dispatch a agent-10']);
      apply(graph, decisions);
      expect(graph.task('a')).toMatchObject({ status: 'in-progress', assigned: 'agent-10', fence: 2 });
      expect(fieldsOf(graph.task('a'))['deaths']).toBeUndefined();
    },
  );

  verifies('hold.verify.told', 'a check that failed is named, with its code and its last lines', () => {
    const ended = (fields: Partial<RunFact>) => {
      const graph = graphOf(held('a', 'agent-1', { verify_cmd: 'npm test' }));
      apply(
        graph,
        decide(snapshot(graph, { runs: [fact('agent-1', 'a', { alive: false, ...fields })], paused: true }), NOW),
      );
      return graph.task('a')?.failure_reason;
    };
    const lastLines = '1 of 9 failed\n\nsee tests.log';
    const said = 'The check `npm test` exited with code 3: 1 of 9 failed | see tests.log';
    expect(ended({ exit: { code: 3, check: { lastLines } } })).toBe(said);
    const result = { outcome: 'failed', reason: 'x', check: { code: 3, ms: 9, lastLines } } as const;
    expect(ended({ executor: 'claude', exit: { code: 1 }, result })).toBe(said);
    expect(ended({ exit: { code: 3 } })).toBe('Command exited with code 3');
  });

  verifies('say.untrue', 'the code of a bad end never hides the refusal that was printed', () => {
    const graph = graphOf(held('a', 'agent-1'));
    const lastLines = 'error[decision_incomplete]: The decision has no verdict.\nhint: Write it.\n';
    const run = fact('agent-1', 'a', { alive: false, exit: { code: 1, lastLines } });
    apply(graph, decide(snapshot(graph, { runs: [run], paused: true }), NOW));
    expect(graph.task('a')?.failure_reason).toBe(
      'Command exited with code 1: error[decision_incomplete]: The decision has no verdict. | hint: Write it.',
    );
  });

  verifies(
    'throttle.rule',
    'died without a word: open after a pause that grows, retries uncounted, given up after five',
    () => {
      const graph = graphOf(held('a', 'agent-1'));
      const pauses: number[] = [];
      let now = NOW;
      for (let death = 1; death <= 5; death++) {
        const fence = graph.task('a')?.fence ?? 0;
        const run = graph.task('a')?.assigned ?? '';
        apply(graph, decide(snapshot(graph, { runs: [fact(run, 'a', { alive: false, fence })], paused: true }), now));
        if (death === 5) break;
        const after = graph.task('a')?.ready_after;
        const until = after === undefined ? now : Date.parse(after);
        pauses.push(until - now);
        expect(graph.task('a')?.status).toBe('open');
        expect(fieldsOf(graph.task('a'))['deaths']).toHaveLength(death);
        expect(graph.task('a')?.retry_count).toBeUndefined();
        if (until > now) expect(decide(snapshot(graph), until - 1)).toEqual([]);
        now = until;
        apply(graph, decide(snapshot(graph, { nextRun: death + 1 }), now));
        expect(graph.task('a')?.status).toBe('in-progress');
      }
      expect(pauses).toEqual([0, 60_000, 120_000, 240_000]);
      expect(graph.task('a')).toMatchObject({
        status: 'failed',
        failure_reason: expect.stringContaining('keep failing'),
      });
      commit(graph, retryTask(graph, 'a', { now, by: { name: 'ann' } }));
      expect(fieldsOf(graph.task('a'))['deaths']).toBeUndefined();
      expect(said(decide(snapshot(graph), now))).toEqual(['dispatch a agent-10']);
    },
  );

  test('what could not be started is given back after a pause, with the reason, and given up after five', () => {
    const once = settle({ alive: false, startError: 'spawn EAGAIN' });
    expect(once.task).toMatchObject({ status: 'open', deaths: [expect.any(String)] });
    expect(once.task?.log?.at(-1)?.message).toContain('spawn EAGAIN');
    const last = settle({ alive: false, startError: 'spawn EAGAIN' }, {
      deaths: [4, 3, 2, 1].map((seconds) => new Date(NOW - seconds * 1_000).toISOString()),
    } as never);
    expect(last.task).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining('spawn EAGAIN') });
  });
});

describe('dispatch', () => {
  const open = (id: string, created: number, fields: TaskFields = {}) => ({
    id,
    exec: 'true',
    created_at: timestamp(NOW + created),
    ...fields,
  });

  verifies(
    ['coord.tick.order', 'graph.ready.order'],
    'first ready, first served; then by id; only into the free slots',
    () => {
      const graph = graphOf(open('b', -10), open('a', -10), open('z', -90), open('m', -50), open('y', -70));
      const decisions = decide(snapshot(graph, { maxAgents: 4 }), NOW);
      expect(said(decisions)).toEqual([
        'dispatch z agent-10',
        'dispatch y agent-11',
        'dispatch m agent-12',
        'dispatch a agent-13',
      ]);
    },
  );

  verifies('dispatch.cap', 'living runs take a slot each, those that have ended none', () => {
    const graph = graphOf(
      open('a', -9),
      open('b', -8),
      open('c', -7),
      held('x', 'agent-1'),
      held('y', 'agent-2'),
      held('z', 'agent-3'),
    );
    const runs = [
      fact('agent-1', 'x'),
      fact('agent-2', 'y'),
      fact('agent-3', 'z', { alive: false, exit: { code: 0 } }),
    ];
    expect(said(decide(snapshot(graph, { runs, maxAgents: 3 }), NOW))).toEqual([
      'settle-exit z agent-3',
      'dispatch a agent-10',
    ]);
    expect(said(decide(snapshot(graph, { runs, maxAgents: 1 }), NOW))).toEqual(['settle-exit z agent-3']);
  });

  verifies(
    'coord.tick.saturated',
    'no free slot skips only the dispatch: exits, deaths and time boxes are seen to',
    () => {
      const graph = graphOf(open('a', -9), held('w', 'agent-1'), held('x', 'agent-2'), held('y', 'agent-3'));
      const runs = [
        fact('agent-1', 'w', { startedAt: 0 }),
        fact('agent-2', 'x', { alive: false, exit: { code: 0 } }),
        fact('agent-3', 'y', { alive: false }),
      ];
      expect(said(decide(snapshot(graph, { runs, maxAgents: 1 }), NOW))).toEqual([
        'kill w agent-1',
        'settle-exit x agent-2',
        'mark-dead y agent-3',
      ]);
    },
  );

  verifies('coord.decide.chained', 'an end frees its dependents and its slot in the same pass', () => {
    const graph = graphOf(
      held('a', 'agent-1'),
      open('b', -5, { after: ['a'] }),
      open('c', -5, { after: ['a'], after_success: ['a'] }),
    );
    const freed = (code: number) =>
      said(
        decide(snapshot(graph, { runs: [fact('agent-1', 'a', { alive: false, exit: { code } })], maxAgents: 2 }), NOW),
      );
    expect(freed(0)).toEqual(['settle-exit a agent-1', 'dispatch b agent-10', 'dispatch c agent-11']);
    expect(freed(1)).toEqual(['settle-exit a agent-1', 'dispatch b agent-10']);
  });

  test('paused: nothing new, but what ended is settled', () => {
    const graph = graphOf(open('b', -5), held('a', 'agent-1'));
    const runs = [fact('agent-1', 'a', { alive: false, exit: { code: 0 } })];
    expect(said(decide(snapshot(graph, { runs, paused: true }), NOW))).toEqual(['settle-exit a agent-1']);
  });

  test('only what has a command, is ready and whose time has come', () => {
    const graph = graphOf(
      { id: 'talk' },
      open('later', -5, { not_before: timestamp(NOW + 1) }),
      open('draft', -5, { paused: true }),
      open('waits', -5, { after: ['talk'] }),
      held('runs', 'agent-1'),
    );
    expect(decide(snapshot(graph), NOW)).toEqual([]);
    expect(said(decide(snapshot(graph), NOW + 1))).toEqual(['dispatch later agent-10']);
  });

  verifies('graph.ready.time', 'a clock that was set back holds no task up', () => {
    const graph = graphOf(open('a', 3_600_000), open('b', -5, { after: ['x'] }), {
      id: 'x',
      status: 'done',
      completed_at: timestamp(NOW + 60_000),
    });
    expect(said(decide(snapshot(graph), NOW))).toEqual(['dispatch b agent-10', 'dispatch a agent-11']);
  });

  test('the time box of a task is its own, or the default when it cannot be read', () => {
    expect(timeoutOf(open('a', 0, { timeout: '5m' }) as Task)).toBe(300_000);
    expect(timeoutOf(open('a', 0) as Task)).toBe(WORK_LIMITS.taskTimeoutMs);
    expect(timeoutOf(open('a', 0, { timeout: 'soon' }) as Task)).toBe(WORK_LIMITS.taskTimeoutMs);
  });
});

verifies('coord.decide.pure', 'the order of lists changes nothing, byte for byte, and nothing given is changed', () => {
  const task = fc.record({
    status: fc.constantFrom('open', 'open', 'in-progress', 'done', 'failed'),
    created: fc.integer({ min: -5, max: 1 }),
    after: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 2 }),
    exec: fc.boolean(),
  });
  const run = fc.record({
    alive: fc.boolean(),
    started: fc.boolean(),
    code: fc.option(fc.constantFrom(0, 1)),
    late: fc.boolean(),
    ended: fc.option(fc.constantFrom('timeout', 'stopped')),
  });
  fc.assert(
    fc.property(
      fc.array(task, { minLength: 4, maxLength: 12 }),
      fc.array(run, { maxLength: 12 }),
      fc.integer({ min: 0, max: 6 }),
      fc.gen(),
      (tasks, runs, maxAgents, generated) => {
        const nodes = tasks.map((fields, index) => ({
          kind: 'task',
          id: `t${index}`,
          title: 'T',
          status: fields.status,
          ...(fields.status === 'in-progress' ? { assigned: `agent-${index}`, fence: 1 } : {}),
          ...(fields.exec ? { exec: 'true' } : {}),
          created_at: timestamp(NOW + fields.created * 1_000),
          after: fields.after.map((other) => `t${other}`).filter((other) => other !== `t${index}`),
        }));
        const facts = runs.map(
          (fields, index): RunFact =>
            fact(`agent-${index}`, `t${index}`, {
              alive: fields.alive,
              started: fields.started,
              ...(fields.code === null ? {} : { exit: { code: fields.code } }),
              ...(fields.late ? { startedAt: 0 } : {}),
              ...(fields.ended === null ? {} : { ended: fields.ended as 'timeout' | 'stopped' }),
            }),
        );
        const shuffled = <Item>(items: readonly Item[]): Item[] => {
          const rank = new Map(items.map((item) => [item, generated(fc.integer, {})]));
          return [...items].sort((left, right) => (rank.get(left) ?? 0) - (rank.get(right) ?? 0));
        };
        const graph = () => {
          const state = new GraphState();
          state.load(shuffled(nodes) as never, 5);
          return state;
        };
        const first = graph();
        const frozen = Object.freeze(shuffled(facts));
        const one = JSON.stringify(decide(snapshot(first, { runs: frozen, maxAgents }), NOW));
        const two = JSON.stringify(decide(snapshot(graph(), { runs: shuffled(facts), maxAgents }), NOW));
        expect(two).toBe(one);
        expect(JSON.stringify(decide(snapshot(first, { runs: frozen, maxAgents }), NOW))).toBe(one);
      },
    ),
    { numRuns: mass(60, 150) },
  );
});

verifies('dispatch.cap', 'however many are ready, never more than the cap, and no task before its predecessors', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }),
      (edges, maxAgents, picks) => {
        const graph = graphOf(
          ...edges.map((after, index) => ({
            id: `t${index}`,
            exec: 'true',
            after: after.filter((other) => other < index).map((other) => `t${other}`),
          })),
        );
        let runs: RunFact[] = [];
        let number = 1;
        for (const pick of picks) {
          const decisions = decide(snapshot(graph, { runs, maxAgents, nextRun: number }), NOW);
          for (const decision of decisions) {
            if (decision.do !== 'dispatch') continue;
            for (const before of graph.task(decision.task)?.after ?? []) {
              expect(['done', 'failed']).toContain(
                runs.some((run) => run.taskId === before && run.exit) ? 'done' : graph.task(before)?.status,
              );
            }
          }
          apply(graph, decisions);
          const settled = new Set(
            decisions.flatMap((decision) => (decision.do === 'settle-exit' ? [decision.run] : [])),
          );
          runs = runs.filter((run) => !settled.has(run.id));
          for (const decision of decisions) {
            if (decision.do === 'dispatch') runs.push(fact(decision.run, decision.task, { fence: decision.fence }));
          }
          number += decisions.length;
          expect(runs.length).toBeLessThanOrEqual(maxAgents);
          expect(new Set(runs.map((run) => run.taskId)).size).toBe(runs.length);
          runs = runs.map((run, index) => (index === pick ? { ...run, alive: false, exit: { code: pick % 2 } } : run));
        }
      },
    ),
    { numRuns: mass(35, 80) },
  );
});
