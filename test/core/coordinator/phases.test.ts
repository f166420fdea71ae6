import { describe, expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const MINUTE = 60_000;
const client = (id: string, taskId: string, fields: Partial<RunFact> = {}) =>
  fact(id, taskId, { executor: 'claude', startedAt: NOW - MINUTE, timeoutMs: 100 * MINUTE, ...fields });
const ended = { status: 'done', completed_at: timestamp(NOW - 5_000) } as const;
/** A cycle that has done its first pass. */
const cycle = (last: TaskFields = {}): (TaskFields & { id: string })[] => [
  { id: 'p', ...ended, after: ['q'], cycle_config: { max_iterations: 3 }, exec: 'true' },
  { id: 'q', ...ended, after: ['p'], exec: 'true', ...last },
];
const waits = (condition: Record<string, unknown>): TaskFields & { id: string } => ({
  id: 'w',
  status: 'waiting',
  exec: 'true',
  wait_condition: { mode: 'all', since: timestamp(NOW - MINUTE), conditions: [condition] } as never,
});

describe('zero output', () => {
  const silent = (id: string, task: string, startedAt = NOW - 6 * MINUTE) => client(id, task, { startedAt });

  verifies(
    'coord.tick.zero',
    'silent clients are ended, after the reaping and before all that starts something',
    () => {
      const graph = graphOf(held('a', 'agent-1'), held('b', 'agent-2'), held('c', 'agent-3'), {
        id: 'd',
        exec: 'true',
      });
      const runs = [
        silent('agent-1', 'a'),
        client('agent-2', 'b', { progressAt: NOW - 1 }),
        client('agent-3', 'c', { alive: false, exit: { code: 0 }, result: { outcome: 'succeeded', reason: '' } }),
      ];
      // Half of those alive are silent: nothing is dispatched either.
      expect(said(decide(snapshot(graph, { runs }), NOW))).toEqual([
        'settle-exit c agent-3',
        'kill a agent-1',
        'back-off',
      ]);
      const alone = [silent('agent-1', 'a')];
      expect(said(decide(snapshot(graph, { runs: alone }), NOW))).toEqual(['kill a agent-1', 'dispatch d agent-10']);
      expect(said(decide(snapshot(graph, { runs: alone, terms: { silentMs: 7 * MINUTE } }), NOW))).toEqual([
        'dispatch d agent-10',
      ]);
    },
  );
});

describe('checkpoints', () => {
  const at = (fields: Partial<RunFact>, task: TaskFields = {}, terms = {}) => {
    const graph = graphOf(held('a', 'agent-1', { exec: undefined, ...task } as TaskFields));
    return decide(snapshot(graph, { runs: [client('agent-1', 'a', { progressAt: NOW, ...fields })], terms }), NOW);
  };
  const mark = (fields: object) => ({ checkpoint_mark: { run: 'agent-1', ...fields } }) as never;

  verifies(
    'coord.tick.checkpoint',
    'after fifteen turns or twenty minutes since the last one; nothing is written yet',
    () => {
      expect(at({ turns: 14 })).toEqual([]);
      const usage = { input_tokens: 7, output_tokens: 1 };
      expect(at({ turns: 15, usage })).toMatchObject([
        { do: 'checkpoint', run: 'agent-1', task: 'a', fence: 1, turns: 15, usage, events: [] },
      ]);
      expect(at({ startedAt: NOW - 20 * MINUTE + 1 })).toEqual([]);
      expect(said(at({ startedAt: NOW - 20 * MINUTE }))).toEqual(['checkpoint a agent-1']);
      const recent = mark({ at: timestamp(NOW - MINUTE), turns: 20 });
      expect(at({ turns: 34, startedAt: NOW - 60 * MINUTE }, recent)).toEqual([]);
      expect(said(at({ turns: 35, startedAt: NOW - 60 * MINUTE }, recent))).toEqual(['checkpoint a agent-1']);
      const old = mark({ at: timestamp(NOW - 20 * MINUTE), turns: 20 });
      expect(said(at({ turns: 21 }, old))).toEqual(['checkpoint a agent-1']);
    },
  );

  verifies('coord.tick.checkpoint', 'one a person or the run left itself counts; that of another run does not', () => {
    expect(at({ turns: 40 }, mark({ at: timestamp(NOW - MINUTE) }))).toEqual([]);
    const other = { checkpoint_mark: { run: 'agent-0', at: timestamp(NOW), turns: 30 } } as never;
    expect(said(at({ turns: 15 }, other))).toEqual(['checkpoint a agent-1']);
  });

  verifies('coord.tick.checkpoint', '0 switches a trigger off, each by itself', () => {
    const both = { turns: 99, startedAt: NOW - 99 * MINUTE };
    expect(said(at(both, {}, { checkpointTurns: 0 }))).toEqual(['checkpoint a agent-1']);
    expect(said(at(both, {}, { checkpointMs: 0 }))).toEqual(['checkpoint a agent-1']);
    expect(at(both, {}, { checkpointTurns: 0, checkpointMs: 0 })).toEqual([]);
  });

  verifies(
    'coord.tick.checkpoint',
    'of clients at work that hold their task; not while one is under way or could not be kept',
    () => {
      const long = { turns: 20 };
      for (const fields of [{ executor: 'shell' }, { ended: 'stopped' as const }, { alive: false, exit: { code: 0 } }])
        expect(said(at({ ...long, ...fields }))).not.toContain('checkpoint a agent-1');
      const { executor: _, ...shell } = client('agent-1', 'a', { ...long, startedAt: NOW - 21 * MINUTE });
      const graph = graphOf(held('a', 'agent-1'));
      expect(decide(snapshot(graph, { runs: [shell] }), NOW)).toEqual([]);
      expect(said(at(long, { fence: 2 }))).toEqual(['kill a agent-1']);
      expect(
        at(
          { startedAt: NOW - 21 * MINUTE, progressAt: NOW - 21 * MINUTE + 1 },
          mark({ at: timestamp(NOW - 20 * MINUTE) }),
          { idleMs: 99 * MINUTE },
        ),
      ).toEqual([]);
      const errands = (underWay: string[], failed: boolean) => ({
        underWay: new Set(underWay),
        answers: new Map(failed ? [['checkpoint agent-1', { of: 'error' as const, text: 'the disk is full' }]] : []),
      });
      const run = client('agent-1', 'a', { ...long, progressAt: NOW });
      for (const facts of [errands(['checkpoint agent-1'], false), errands([], true)])
        expect(decide(snapshot(graph, { runs: [run], errands: facts }), NOW)).toEqual([]);
    },
  );
});

describe('cycles and waits', () => {
  verifies(
    'coord.tick.iterate',
    'a cycle whose pass is over begins the next one, and its header starts in the same tick',
    () => {
      const graph = graphOf(...cycle());
      const decisions = decide(snapshot(graph), NOW);
      expect(said(decisions)).toEqual(['settle-due', 'dispatch p agent-10']);
      apply(graph, decisions);
      expect(graph.task('p')).toMatchObject({ status: 'in-progress', loop_iteration: 1 });
      expect(graph.task('q')).toMatchObject({ status: 'open', loop_iteration: 1 });
    },
  );

  verifies('coord.tick.restart', 'a failed member begins the pass again, unless a guard names the failure', () => {
    const failed = { status: 'failed', failure_reason: 'red', retry_count: 1 } as const;
    const graph = graphOf(...cycle(failed));
    const decisions = decide(snapshot(graph, { paused: true }), NOW);
    expect(said(decisions)).toEqual(['settle-due']);
    apply(graph, decisions);
    expect([graph.task('p')?.status, graph.task('q')?.status]).toEqual(['open', 'open']);
    expect(graph.task('p')?.loop_iteration ?? 0).toBe(0);
    const [header, member] = cycle(failed);
    const guard = { TaskStatus: { task: 'q', status: 'failed' } };
    const guarded = graphOf(
      { ...header, id: 'p', cycle_config: { max_iterations: 3, guard } as never },
      member ?? { id: 'q' },
    );
    apply(guarded, decide(snapshot(guarded, { paused: true }), NOW));
    expect(guarded.task('p')).toMatchObject({ status: 'open', loop_iteration: 1 });
  });

  verifies('coord.tick.wait', 'satisfied waits go on, hopeless ones are told, a ring of waits fails', () => {
    const passed = (graph: ReturnType<typeof graphOf>) => {
      const decisions = decide(snapshot(graph, { paused: true }), NOW);
      apply(graph, decisions);
      return said(decisions);
    };
    const timer = graphOf(waits({ type: 'timer', resume_after: timestamp(NOW) }));
    expect(passed(timer)).toEqual(['settle-due']);
    expect(timer.task('w')?.status).toBe('open');
    const early = graphOf(waits({ type: 'timer', resume_after: timestamp(NOW + 1) }));
    expect(passed(early)).toEqual([]);
    const hopeless = graphOf(waits({ type: 'task-status', task_id: 'b', status: 'done' }), {
      id: 'b',
      status: 'abandoned',
    });
    passed(hopeless);
    expect(hopeless.task('w')?.status).toBe('open');
    expect(hopeless.task('w')?.log?.at(-1)?.message).toContain('can no longer be met');
    const ring = graphOf(waits({ type: 'task-status', task_id: 'v', status: 'done' }), {
      ...waits({ type: 'task-status', task_id: 'w', status: 'done' }),
      id: 'v',
    });
    passed(ring);
    const statuses = ['w', 'v'].map((id) => ring.task(id)?.status);
    expect(statuses).toContain('failed');
    expect(statuses).not.toContain('waiting');
  });
});

describe('a full house', () => {
  verifies(
    ['coord.tick.saturated', 'coord.tick.dispatch'],
    'every phase but the last acts although no slot is free; with one more the last does too',
    () => {
      const graph = () =>
        graphOf(
          ...cycle(),
          waits({ type: 'timer', resume_after: timestamp(NOW) }),
          held('silent', 'agent-1'),
          held('long', 'agent-2'),
          held('over', 'agent-3'),
          held('lively', 'agent-4'),
          { id: 'talked', ...ended },
          { id: 'lost', unplaced: true },
          { id: 'ready', exec: 'true', created_at: timestamp(NOW - 90 * MINUTE) },
        );
      const runs = [
        client('agent-1', 'silent', { startedAt: NOW - 6 * MINUTE }),
        client('agent-2', 'long', { turns: 30, progressAt: NOW }),
        client('agent-3', 'over', { alive: false, exit: { code: 0 }, result: { outcome: 'succeeded', reason: '' } }),
        client('agent-4', 'lively', { progressAt: NOW }),
      ];
      const unread = [{ task: 'talked', number: 1, at: NOW, from: 'person' as const }];
      const all = [
        'settle-exit over agent-3',
        'kill silent agent-1',
        'checkpoint long agent-2',
        'settle-due',
        'resurrect',
        'place',
      ];
      expect(said(decide(snapshot(graph(), { runs, unread, maxAgents: 3 }), NOW))).toEqual(all);
      expect(said(decide(snapshot(graph(), { runs, unread, maxAgents: 4 }), NOW))).toEqual([
        ...all,
        'dispatch p agent-10',
      ]);
    },
  );

  verifies(
    'coord.tick.dispatch',
    'as many as there are slots, those that are ready, each claimed by its own run',
    () => {
      const open = (id: string, ago: number) => ({ id, exec: 'true', created_at: timestamp(NOW - ago) });
      const graph = graphOf(open('a', 1), open('b', 2), open('c', 3), held('h', 'agent-1'), {
        id: 'd',
        exec: 'true',
        after: ['a'],
      });
      const decisions = decide(snapshot(graph, { runs: [fact('agent-1', 'h')], maxAgents: 3 }), NOW);
      expect(said(decisions)).toEqual(['dispatch c agent-10', 'dispatch b agent-11']);
      apply(graph, decisions);
      expect(graph.task('c')).toMatchObject({ status: 'in-progress', assigned: 'agent-10', fence: 1 });
      expect(graph.task('a')?.status).toBe('open');
    },
  );
});

describe('what is ready', () => {
  const backOff = { until: NOW + MINUTE, pauseMs: MINUTE };

  verifies('coord.tick.ready', 'nothing is dispatched when nothing is ready, and nothing while all pause', () => {
    const graph = graphOf(held('h', 'agent-1'), { id: 'a', exec: 'true', after: ['h'] });
    expect(decide(snapshot(graph, { runs: [fact('agent-1', 'h')] }), NOW)).toEqual([]);
    const free = graphOf({ id: 'a', exec: 'true' });
    expect(decide(snapshot(free, { backOff }), NOW)).toEqual([]);
    expect(said(decide(snapshot(free, { backOff }), NOW + MINUTE))).toEqual(['dispatch a agent-10']);
  });

  verifies('coord.tick.ready', 'that all is over is said once, in the tick in which it is so', () => {
    const graph = graphOf(held('h', 'agent-1'), { id: 'f', status: 'failed' }, { id: 'g', status: 'abandoned' });
    const runs = [fact('agent-1', 'h', { alive: false, exit: { code: 0 } })];
    const decisions = decide(snapshot(graph, { runs, completed: false }), NOW);
    expect(said(decisions)).toEqual(['settle-exit h agent-1', 'note']);
    expect(decisions[1]).toMatchObject({ note: 'project-complete', events: [] });
    apply(graph, decisions);
    expect(decide(snapshot(graph, { completed: true }), NOW)).toEqual([]);
    expect(decide(snapshot(graphOf(), { completed: false }), NOW)).toEqual([]);
    expect(decide(snapshot(graphOf({ id: 'a', paused: true }), { completed: false }), NOW)).toEqual([]);
  });
});

test('phases come in the order of the specification, whatever there is to do', () => {
  const graph = graphOf({ id: 'lost', unplaced: true, exec: 'true' }, { id: 'talked', ...ended });
  const unread = [{ task: 'talked', number: 1, at: NOW, from: 'person' as const }];
  expect(said(decide(snapshot(graph, { unread }), NOW))).toEqual(['resurrect', 'place', 'dispatch lost agent-10']);
});
